// RUN: linnet-opt %s --linnet-lower-comprehensions | FileCheck %s

// y[i, j] = sum[k] a[i, k] * b[k, j]
// CHECK-LABEL: linnet.func fn @product(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>, %[[A1:.*]]: !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.broadcast %[[A0]] axes = [0, 2] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 4, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.transpose %[[A1]], [1, 0] : !linnet.tensor<[3, 4], f32> -> !linnet.tensor<[4, 3], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.broadcast %[[V1]] axes = [1, 2] : !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[2, 4, 3], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[V0]], %[[V2]] : !linnet.tensor<[2, 4, 3], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.reduce sum %[[V3]] axes [2] : !linnet.tensor<[2, 4, 3], f32> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    linnet.return %[[V4]] : !linnet.tensor<[2, 4], f32>
linnet.func fn @product(%a: !linnet.tensor<[2, 3], f32>, %b: !linnet.tensor<[3, 4], f32>) -> !linnet.tensor<[2, 4], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[2, 4], f32> {
  ^bb0(%i: !linnet.index<[2]>, %j: !linnet.index<[4]>):
    %s = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[3]>):
      %p = linnet.access %a[%i, %k] : !linnet.tensor<[2, 3], f32>, (!linnet.index<[2]>, !linnet.index<[3]>) -> !linnet.tensor<[], f32>
      %q = linnet.access %b[%k, %j] : !linnet.tensor<[3, 4], f32>, (!linnet.index<[3]>, !linnet.index<[4]>) -> !linnet.tensor<[], f32>
      %m = linnet.mul %p, %q : !linnet.tensor<[], f32>
      linnet.yield %m : !linnet.tensor<[], f32>
    }
    linnet.yield %s : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[2, 4], f32>
}

// y[j, i] = x[i, j]
// CHECK-LABEL: linnet.func fn @access_in_another_order(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.transpose %[[A0]], [1, 0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[3, 2], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[3, 2], f32>
linnet.func fn @access_in_another_order(%x: !linnet.tensor<[2, 3], f32>) -> !linnet.tensor<[3, 2], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[3, 2], f32> {
  ^bb0(%j: !linnet.index<[3]>, %i: !linnet.index<[2]>):
    %e = linnet.access %x[%i, %j] : !linnet.tensor<[2, 3], f32>, (!linnet.index<[2]>, !linnet.index<[3]>) -> !linnet.tensor<[], f32>
    linnet.yield %e : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[3, 2], f32>
}

// y[n, h] = table[ids[n], h]
// CHECK-LABEL: linnet.func fn @row_lookup(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[9, 4], f32>, %[[A1:.*]]: !linnet.tensor<[5], i32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.take %[[A0]], %[[A1]] axis = 0 : !linnet.tensor<[9, 4], f32>, !linnet.tensor<[5], i32> -> !linnet.tensor<[5, 4], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[5, 4], f32>
linnet.func fn @row_lookup(%table: !linnet.tensor<[9, 4], f32>, %ids: !linnet.tensor<[5], i32>) -> !linnet.tensor<[5, 4], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[5, 4], f32> {
  ^bb0(%n: !linnet.index<[5]>, %h: !linnet.index<[4]>):
    %id = linnet.access %ids[%n] : !linnet.tensor<[5], i32>, (!linnet.index<[5]>) -> !linnet.tensor<[], i32>
    %e = linnet.access %table[%id, %h] : !linnet.tensor<[9, 4], f32>, (!linnet.tensor<[], i32>, !linnet.index<[4]>) -> !linnet.tensor<[], f32>
    linnet.yield %e : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[5, 4], f32>
}

// y[b, h] = x[b, len[b], h]: the index b also stands directly
// CHECK-LABEL: linnet.func fn @lookup_in_each_row(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3, 4], f32>, %[[A1:.*]]: !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.constant 3 : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.mul %[[V0]], %[[V1]] : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.constant 2 : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.min %[[A1]], %[[V3]] : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V5:.*]] = linnet.constant 0 : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V6:.*]] = linnet.max %[[V4]], %[[V5]] : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V7:.*]] = linnet.add %[[V2]], %[[V6]] : !linnet.tensor<[2], i32>
// CHECK-NEXT:    %[[V8:.*]] = linnet.reshape %[[A0]] : !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[6, 4], f32>
// CHECK-NEXT:    %[[V9:.*]] = linnet.take %[[V8]], %[[V7]] axis = 0 : !linnet.tensor<[6, 4], f32>, !linnet.tensor<[2], i32> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    linnet.return %[[V9]] : !linnet.tensor<[2, 4], f32>
linnet.func fn @lookup_in_each_row(%x: !linnet.tensor<[2, 3, 4], f32>, %len: !linnet.tensor<[2], i32>) -> !linnet.tensor<[2, 4], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[2, 4], f32> {
  ^bb0(%b: !linnet.index<[2]>, %h: !linnet.index<[4]>):
    %at = linnet.access %len[%b] : !linnet.tensor<[2], i32>, (!linnet.index<[2]>) -> !linnet.tensor<[], i32>
    %e = linnet.access %x[%b, %at, %h] : !linnet.tensor<[2, 3, 4], f32>, (!linnet.index<[2]>, !linnet.tensor<[], i32>, !linnet.index<[4]>) -> !linnet.tensor<[], f32>
    linnet.yield %e : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[2, 4], f32>
}

// y[h] = x[1, h]
// CHECK-LABEL: linnet.func fn @constant_position(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    %{{.*}} = linnet.constant 1 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[V0:.*]] = linnet.slice %[[A0]] starts [1, 0] steps [1, 1] : !linnet.tensor<[2, 4], f32> -> !linnet.tensor<[1, 4], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.reshape %[[V0]] : !linnet.tensor<[1, 4], f32> -> !linnet.tensor<[4], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[4], f32>
linnet.func fn @constant_position(%x: !linnet.tensor<[2, 4], f32>) -> !linnet.tensor<[4], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[4], f32> {
  ^bb0(%h: !linnet.index<[4]>):
    %one = linnet.constant 1 : !linnet.tensor<[], i64>
    %e = linnet.access %x[%one, %h] : !linnet.tensor<[2, 4], f32>, (!linnet.tensor<[], i64>, !linnet.index<[4]>) -> !linnet.tensor<[], f32>
    linnet.yield %e : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[4], f32>
}

// y[i] = x[i, i]
// CHECK-LABEL: linnet.func fn @diagonal(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[3, 3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.reshape %[[A0]] : !linnet.tensor<[3, 3], f32> -> !linnet.tensor<[9], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.slice %[[V0]] starts [0] steps [4] : !linnet.tensor<[9], f32> -> !linnet.tensor<[3], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[3], f32>
linnet.func fn @diagonal(%x: !linnet.tensor<[3, 3], f32>) -> !linnet.tensor<[3], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[3], f32> {
  ^bb0(%i: !linnet.index<[3]>):
    %e = linnet.access %x[%i, %i] : !linnet.tensor<[3, 3], f32>, (!linnet.index<[3]>, !linnet.index<[3]>) -> !linnet.tensor<[], f32>
    linnet.yield %e : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[3], f32>
}

// y[i] = if x[i] < 0 { 0 } else { x[i] }
// CHECK-LABEL: linnet.func fn @choice_by_element(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.constant 0.000000e+00 : !linnet.tensor<[], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[V0]] axes = [] : !linnet.tensor<[], f32> -> !linnet.tensor<[3], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.compare lt %[[A0]], %[[V1]] : !linnet.tensor<[3], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.broadcast %[[V0]] axes = [] : !linnet.tensor<[], f32> -> !linnet.tensor<[3], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.select %[[V2]], %[[V3]], %[[A0]] : !linnet.tensor<[3], i1>, !linnet.tensor<[3], f32>
// CHECK-NEXT:    linnet.return %[[V4]] : !linnet.tensor<[3], f32>
linnet.func fn @choice_by_element(%x: !linnet.tensor<[3], f32>) -> !linnet.tensor<[3], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[3], f32> {
  ^bb0(%i: !linnet.index<[3]>):
    %e = linnet.access %x[%i] : !linnet.tensor<[3], f32>, (!linnet.index<[3]>) -> !linnet.tensor<[], f32>
    %zero = linnet.constant 0.0 : !linnet.tensor<[], f32>
    %c = linnet.compare lt %e, %zero : !linnet.tensor<[], f32>
    %r = linnet.if %c -> !linnet.tensor<[], f32> {
      linnet.yield %zero : !linnet.tensor<[], f32>
    } else {
      linnet.yield %e : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[3], f32>
}

// A call that makes a tensor for each element is done for all elements at once.
// CHECK-LABEL: linnet.func fn @tensors_of_a_call(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[4], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[A0]] axes = [0] : !linnet.tensor<[4], f32> -> !linnet.tensor<[4, 3], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.broadcast %[[V0]] axes = [1] : !linnet.tensor<[3], f32> -> !linnet.tensor<[4, 3], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[V2]], %[[V1]] : !linnet.tensor<[4, 3], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.constant 2 : !linnet.tensor<[], i32>
// CHECK-NEXT:    %[[V5:.*]] = linnet.slice %[[V3]] starts [0, 2] steps [1, 1] : !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[4, 1], f32>
// CHECK-NEXT:    %[[V6:.*]] = linnet.reshape %[[V5]] : !linnet.tensor<[4, 1], f32> -> !linnet.tensor<[4], f32>
// CHECK-NEXT:    linnet.return %[[V6]] : !linnet.tensor<[4], f32>
linnet.func fn @tensors_of_a_call(%x: !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[4], f32> {
  ^bb0(%i: !linnet.index<[4]>):
    %a = linnet.access %x[%i] : !linnet.tensor<[4], f32>, (!linnet.index<[4]>) -> !linnet.tensor<[], f32>
    %steps = linnet.iota axis = 0 : !linnet.tensor<[3], f32>
    %all = linnet.splat %a : !linnet.tensor<[], f32> -> !linnet.tensor<[3], f32>
    %line = linnet.mul %steps, %all : !linnet.tensor<[3], f32>
    %n = linnet.constant 2 : !linnet.tensor<[], i32>
    %b = linnet.access %line[%n] : !linnet.tensor<[3], f32>, (!linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %b : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[4], f32>
}
