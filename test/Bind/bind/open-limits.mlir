// RUN: linnet-opt %s --linnet-bind="root=m::Model open=true" --split-input-file --verify-diagnostics

// A callee needs what the entry's facts do not tell.
linnet.func fn @"m::short"<N: Dim>() where ["N < 10"] {
  linnet.return
}
linnet.block @"m::Model" {
  linnet.func entry @run<S: Dim>(%x: !linnet.tensor<[S], f32> {linnet.name = "x"}) where ["S < 12"] {
    // expected-error@+1 {{[capability] `S < 10` cannot be decided while its sizes are open; give them numbers with --bind}}
    linnet.call @"m::short"<S>() : () -> ()
    linnet.return
  }
}

// -----

linnet.block @"m::Model" {
  // expected-error@+1 {{[E2206] no sizes satisfy the constraints of this entry with the numbers given}}
  linnet.func entry @run<S: Dim>(%x: !linnet.tensor<[S], f32> {linnet.name = "x"}) where ["S > 5", "S < 3"] {
    linnet.return
  }
}

// -----

linnet.block @"m::Model" {
  linnet.func entry @run<S: Dim, R: Dim>(%x: !linnet.tensor<[S], f32> {linnet.name = "x"}) -> !linnet.tensor<[R], f32> {
    // expected-error@+1 {{[capability] whether an axis of size `S` is 1 or `R` must be known when the model is compiled; give its sizes numbers with --bind}}
    %y = linnet.broadcast %x axes = [0] : !linnet.tensor<[S], f32> -> !linnet.tensor<[R], f32>
    linnet.return %y : !linnet.tensor<[R], f32>
  }
}

// -----

linnet.block @"m::Model" {
  linnet.func entry @run<S: Dim>(%x: !linnet.tensor<[S], f32> {linnet.name = "x"}) {
    // expected-error@+1 {{[capability] `S` is open, and must be a number here; give it one with --bind}}
    %r = linnet.static_range %i = 0 to S iter (%v = %x : !linnet.tensor<[S], f32>) {
      linnet.yield %v : !linnet.tensor<[S], f32>
    }
    linnet.return
  }
}
