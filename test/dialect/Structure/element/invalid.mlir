// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, N>
  linnet.func fn @element_c1_another_instance() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, N>
    // expected-error@+1 {{has type '!linnet.instance<@"m::C"<2>>', expected '!linnet.instance<@"m::C"<N>>'}}
    %x = linnet.element %a[0] : !linnet.array<!linnet.instance<@"m::C"<N>>, N> -> !linnet.instance<@"m::C"<2>>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, 2>
  linnet.func fn @element_c2_past_the_end() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, 2>
    // expected-error@+1 {{position 2 lies outside an array of 2}}
    %x = linnet.element %a[2] : !linnet.array<!linnet.instance<@"m::C"<N>>, 2> -> !linnet.instance<@"m::C"<N>>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, N>
  linnet.func fn @element_c2_negative() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, N>
    // expected-error@+1 {{position -1 lies outside an array of N}}
    %x = linnet.element %a["-1"] : !linnet.array<!linnet.instance<@"m::C"<N>>, N> -> !linnet.instance<@"m::C"<N>>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
}
