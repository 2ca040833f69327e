// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @tuple_c1_other_elements(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has the elements ('!linnet.tensor<[2], f32>'), expected those of 'tuple<!linnet.tensor<[3], f32>>'}}
  %t = "linnet.tuple"(%x) : (!linnet.tensor<[2], f32>) -> tuple<!linnet.tensor<[3], f32>>
  linnet.return
}

// -----

linnet.func fn @untuple_c1_other_elements(%x: !linnet.tensor<[2], f32>) {
  %t = linnet.tuple %x : tuple<!linnet.tensor<[2], f32>>
  // expected-error@+1 {{has the elements ('!linnet.tensor<[3], f32>'), expected those of 'tuple<!linnet.tensor<[2], f32>>'}}
  %a = "linnet.untuple"(%t) : (tuple<!linnet.tensor<[2], f32>>) -> !linnet.tensor<[3], f32>
  linnet.return
}

// -----

linnet.func fn @a_tuple_has_a_tuple_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{expected a tuple type}}
  %t = linnet.tuple %x : !linnet.tensor<[2], f32>
  linnet.return
}
