// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @ascribe_c1_another_element_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{cannot give}}
  %y = linnet.ascribe %x code "E2202" : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f16>
  linnet.return
}

// -----

linnet.func fn @ascribe_c1_another_rank(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{cannot give}}
  %y = linnet.ascribe %x code "E2202" : !linnet.tensor<[2], f32> -> !linnet.tensor<[2, 1], f32>
  linnet.return
}

// -----

linnet.func fn @ascribe_c1_another_pack<*S: Shape, *R: Shape>(%x: !linnet.tensor<[*S], f32>) {
  // expected-error@+1 {{cannot give}}
  %y = linnet.ascribe %x code "E2202" : !linnet.tensor<[*S], f32> -> !linnet.tensor<[*R], f32>
  linnet.return
}

// -----

linnet.func fn @ascribe_c1_no_optional(%x: !linnet.optional<!linnet.tensor<[2], f32>>) {
  // expected-error@+1 {{cannot give}}
  %y = linnet.ascribe %x code "E2202" : !linnet.optional<!linnet.tensor<[2], f32>> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @ascribe_c1_tuple_of_another_length(%x: tuple<!linnet.tensor<[], f32>>) {
  // expected-error@+1 {{cannot give}}
  %y = linnet.ascribe %x code "E2202" : tuple<!linnet.tensor<[], f32>> -> tuple<>
  linnet.return
}

// -----

linnet.func fn @ascribe_c2_constants_differ<N: Dim>(%x: tuple<!linnet.tensor<[N, 2], f32>>) {
  // expected-error@+1 {{dimension 2 is required to be 3}}
  %y = linnet.ascribe %x code "E2202" : tuple<!linnet.tensor<[N, 2], f32>> -> tuple<!linnet.tensor<[N, 3], f32>>
  linnet.return
}
