// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @update_slice_c1_result_of_another_type(%x: !linnet.tensor<[2], f32>, %i: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{all of {input, result} have same type}}
  %y = "linnet.update_slice"(%x, %x, %i) : (!linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>, !linnet.tensor<[], i32>) -> !linnet.tensor<[3], f32>
  linnet.return
}

// -----

linnet.func fn @update_slice_c2_another_element_type(%x: !linnet.tensor<[2], f32>, %v: !linnet.tensor<[1], f16>, %i0: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{has element type 'f16', expected 'f32'}}
  %y = linnet.update_slice %x, %v at [%i0] : !linnet.tensor<[2], f32>, !linnet.tensor<[1], f16>, !linnet.tensor<[], i32>
  linnet.return
}

// -----

linnet.func fn @update_slice_c2_another_rank(%x: !linnet.tensor<[2], f32>, %v: !linnet.tensor<[1, 1], f32>, %i0: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{puts [1, 1] into [2]}}
  %y = linnet.update_slice %x, %v at [%i0] : !linnet.tensor<[2], f32>, !linnet.tensor<[1, 1], f32>, !linnet.tensor<[], i32>
  linnet.return
}

// -----

linnet.func fn @update_slice_c2_too_large(%x: !linnet.tensor<[2], f32>, %v: !linnet.tensor<[3], f32>, %i0: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{axis 0 of the update has size 3, expected at most 2}}
  %y = linnet.update_slice %x, %v at [%i0] : !linnet.tensor<[2], f32>, !linnet.tensor<[3], f32>, !linnet.tensor<[], i32>
  linnet.return
}

// -----

linnet.func fn @update_slice_c3_start_missing(%x: !linnet.tensor<[2, 2], f32>, %v: !linnet.tensor<[1, 1], f32>, %i0: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{has 1 starts for 2 axes}}
  %y = linnet.update_slice %x, %v at [%i0] : !linnet.tensor<[2, 2], f32>, !linnet.tensor<[1, 1], f32>, !linnet.tensor<[], i32>
  linnet.return
}

// -----

linnet.func fn @update_slice_c3_starts_of_two_types(%x: !linnet.tensor<[2, 2], f32>, %i: !linnet.tensor<[], i32>, %j: !linnet.tensor<[], i64>) {
  // expected-error@+1 {{has starts of different types}}
  %y = "linnet.update_slice"(%x, %x, %i, %j) : (!linnet.tensor<[2, 2], f32>, !linnet.tensor<[2, 2], f32>, !linnet.tensor<[], i32>, !linnet.tensor<[], i64>) -> !linnet.tensor<[2, 2], f32>
  linnet.return
}
