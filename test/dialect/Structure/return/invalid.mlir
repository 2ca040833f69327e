// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @return_c1_no_function(%c: !linnet.tensor<[], i1>) {
  linnet.if %c {
    // expected-error@+1 {{'linnet.return' op expects parent op 'linnet.func'}}
    linnet.return
  } else {
    linnet.yield
  }
  linnet.return
}

// -----

// expected-note@+1 {{the function stands here}}
linnet.func fn @return_c2_other_type(%x: !linnet.tensor<[2], f32>) -> !linnet.tensor<[3], f32> {
  // expected-error@+1 {{gives ('!linnet.tensor<[2], f32>'), expected ('!linnet.tensor<[3], f32>')}}
  linnet.return %x : !linnet.tensor<[2], f32>
}

// -----

// expected-note@+1 {{the function stands here}}
linnet.func fn @return_c2_nothing(%x: !linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32> {
  // expected-error@+1 {{gives (), expected}}
  linnet.return
}
