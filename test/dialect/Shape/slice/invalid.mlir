// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @slice_c1_another_element_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has element type 'f16', expected 'f32'}}
  %y = linnet.slice %x starts [0] steps [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f16>
  linnet.return
}

// -----

linnet.func fn @slice_c2_start_missing(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has 0 starts, 1 steps and 1 result axes for 1 axes}}
  %y = linnet.slice %x starts [] steps [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @slice_c2_step_missing(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has 1 starts, 0 steps and 1 result axes for 1 axes}}
  %y = linnet.slice %x starts [0] steps [] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @slice_c2_another_rank(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has 1 starts, 1 steps and 2 result axes for 1 axes}}
  %y = linnet.slice %x starts [0] steps [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2, 1], f32>
  linnet.return
}

// -----

linnet.func fn @slice_c3_step_zero(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{step 0 is not positive}}
  %y = linnet.slice %x starts [0] steps [0] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @slice_c4_part_of_a_pack<*S: Shape>(%x: !linnet.tensor<[*S], f32>) {
  // expected-error@+1 {{takes a part of [*S] as [*S]}}
  %y = linnet.slice %x starts [1] steps [1] : !linnet.tensor<[*S], f32> -> !linnet.tensor<[*S], f32>
  linnet.return
}

// -----

linnet.func fn @slice_c4_pack_becomes_a_dim<*S: Shape>(%x: !linnet.tensor<[*S], f32>) {
  // expected-error@+1 {{takes a part of [*S] as [2]}}
  %y = linnet.slice %x starts [0] steps [1] : !linnet.tensor<[*S], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @slice_c5_past_the_end(%x: !linnet.tensor<[4], f32>) {
  // expected-error@+1 {{axis 0 of size 4 does not hold 2 elements from 1 in steps of 3}}
  %y = linnet.slice %x starts [1] steps [3] : !linnet.tensor<[4], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @slice_c5_negative_start(%x: !linnet.tensor<[4], f32>) {
  // expected-error@+1 {{start -1 is negative}}
  %y = linnet.slice %x starts ["-1"] steps [1] : !linnet.tensor<[4], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}
