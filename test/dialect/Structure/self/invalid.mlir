// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @self_c1_no_method() {
  // expected-error@+1 {{stands in no method}}
  %i = linnet.self : !linnet.instance<@"m::B">
  linnet.return
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.func fn @self_c1_other_arguments() {
    // expected-error@+1 {{expected '!linnet.instance<@"m::B"<N, V: Float>>'}}
    %i = linnet.self : !linnet.instance<@"m::B"<2, V: Float>>
    linnet.return
  }
}
