// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, N>
  linnet.func fn @static_for_c1_result_of_another_type(%x: !linnet.tensor<[2], f32>, %y: !linnet.tensor<[3], f32>, %c: !linnet.tensor<[], i1>, %n: !linnet.tensor<[], i32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, N>
    // expected-error@+1 {{begins with ('!linnet.tensor<[2], f32>') and gives ('!linnet.tensor<[3], f32>')}}
    %r = "linnet.static_for"(%a, %x) ({
    ^bb0(%l: !linnet.instance<@"m::C"<N>>, %v: !linnet.tensor<[2], f32>):
      linnet.yield %v : !linnet.tensor<[2], f32>
    }) : (!linnet.array<!linnet.instance<@"m::C"<N>>, N>, !linnet.tensor<[2], f32>) -> !linnet.tensor<[3], f32>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, N>
  linnet.func fn @static_for_c2_no_element(%x: !linnet.tensor<[2], f32>, %y: !linnet.tensor<[3], f32>, %c: !linnet.tensor<[], i1>, %n: !linnet.tensor<[], i32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, N>
    // expected-error@+1 {{the region takes (), expected ('!linnet.instance<@"m::C"<N>>')}}
    "linnet.static_for"(%a) ({
      linnet.yield
    }) : (!linnet.array<!linnet.instance<@"m::C"<N>>, N>) -> ()
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, N>
  linnet.func fn @static_for_c3_yield_of_another_type(%x: !linnet.tensor<[2], f32>, %y: !linnet.tensor<[3], f32>, %c: !linnet.tensor<[], i1>, %n: !linnet.tensor<[], i32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, N>
    // expected-error@+1 {{the region gives ('!linnet.tensor<[3], f32>'), expected ('!linnet.tensor<[2], f32>')}}
    %r = linnet.static_for %layer in %a : !linnet.array<!linnet.instance<@"m::C"<N>>, N> iter (%v = %x : !linnet.tensor<[2], f32>) {
      // expected-note@+1 {{it gives them here}}
      linnet.yield %y : !linnet.tensor<[3], f32>
    }
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
}

// -----

linnet.func fn @an_array_is_walked(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{expected the type of a structural array}}
  linnet.static_for %layer in %x : !linnet.tensor<[2], f32> {
    linnet.yield
  }
  linnet.return
}
