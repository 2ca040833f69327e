// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @sum_of_elements<
linnet.func fn @sum_of_elements<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // CHECK: linnet.reduce_over sum : !linnet.tensor<[], f32> {
    %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @prod_of_elements<
linnet.func fn @prod_of_elements<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // CHECK: linnet.reduce_over prod : !linnet.tensor<[], f32> {
    %r = linnet.reduce_over prod : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @max_of_elements<
linnet.func fn @max_of_elements<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // CHECK: linnet.reduce_over max : !linnet.tensor<[], f32> {
    %r = linnet.reduce_over max : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @min_of_elements<
linnet.func fn @min_of_elements<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // CHECK: linnet.reduce_over min : !linnet.tensor<[], f32> {
    %r = linnet.reduce_over min : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @any_of_elements<
linnet.func fn @any_of_elements<N: Dim, *S: Shape>(%b: !linnet.tensor<[], i1>) {
  %y = linnet.comprehension -> !linnet.tensor<[], i1> {
    // CHECK: linnet.reduce_over any : !linnet.tensor<[], i1> {
    %r = linnet.reduce_over any : !linnet.tensor<[], i1> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %b : !linnet.tensor<[], i1>
    }
    linnet.yield %r : !linnet.tensor<[], i1>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @all_of_elements<
linnet.func fn @all_of_elements<N: Dim, *S: Shape>(%b: !linnet.tensor<[], i1>) {
  %y = linnet.comprehension -> !linnet.tensor<[], i1> {
    // CHECK: linnet.reduce_over all : !linnet.tensor<[], i1> {
    %r = linnet.reduce_over all : !linnet.tensor<[], i1> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %b : !linnet.tensor<[], i1>
    }
    linnet.yield %r : !linnet.tensor<[], i1>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @several_indices<
linnet.func fn @several_indices<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // CHECK: linnet.reduce_over sum : !linnet.tensor<[], f32> {
    %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>, %l: !linnet.index<[4]>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}
