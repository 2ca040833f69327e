// Half bytes in groups: which axis the groups lie along, and what is taken.
// RUN: linnet-opt %s --linnet-store-weights="dtype=i4 group=64" --cse --split-input-file | FileCheck %s

// A tied embedding: rows are taken as bytes, the head reads the whole.
// CHECK-LABEL: linnet.func entry @tied_embedding_is_taken_by_rows(
// CHECK-SAME:    %[[IDS:.*]]: !linnet.tensor<[2], i32>
// CHECK-SAME:    %[[Q:.*]]: !linnet.tensor<[9, 2, 32], ui8> {linnet.kind = "param", linnet.path = "wte", linnet.stored = {axis = 0 : i64, dtype = f32, group = 64 : i64, role = "values", scheme = "int4", shape = array<i64: 9, 128>}}
// CHECK-SAME:    %[[S:.*]]: !linnet.tensor<[9, 2], f32> {linnet.kind = "param", linnet.path = "wte.scale", linnet.stored = {axis = 0 : i64, dtype = f32, group = 64 : i64, role = "scale", scheme = "int4", shape = array<i64: 9, 128>}}
// CHECK-SAME:    %[[Z:.*]]: !linnet.tensor<[9, 2], f32> {linnet.kind = "param", linnet.path = "wte.zero", linnet.stored = {axis = 0 : i64, dtype = f32, group = 64 : i64, role = "zero", scheme = "int4", shape = array<i64: 9, 128>}}
// CHECK-DAG:     %[[ROWQ:.*]] = linnet.take %[[Q]], %[[IDS]] axis = 0 : {{.*}} -> !linnet.tensor<[2, 2, 32], ui8>
// CHECK-DAG:     linnet.take %[[S]], %[[IDS]] axis = 0 : {{.*}} -> !linnet.tensor<[2, 2], f32>
// CHECK-DAG:     linnet.take %[[Z]], %[[IDS]] axis = 0 : {{.*}} -> !linnet.tensor<[2, 2], f32>
// CHECK:         %[[ROWS:.*]] = linnet.reshape %{{.*}} : !linnet.tensor<[2, 2, 64], f32> -> !linnet.tensor<[2, 128], f32>
// CHECK:         %[[FOUR:.*]] = linnet.constant 4 : !linnet.tensor<[9, 2, 32], ui8>
// CHECK-NEXT:    %[[UP:.*]] = linnet.shl %[[Q]], %[[FOUR]]
// CHECK-NEXT:    %[[LOW:.*]] = linnet.shr %[[UP]], %[[FOUR]]
// CHECK-NEXT:    %[[LOW1:.*]] = linnet.reshape %[[LOW]]
// CHECK-NEXT:    %[[HIGH:.*]] = linnet.shr %[[Q]], %[[FOUR]]
// CHECK-NEXT:    %[[HIGH1:.*]] = linnet.reshape %[[HIGH]]
// CHECK-NEXT:    %[[BOTH:.*]] = linnet.concat %[[LOW1]], %[[HIGH1]] axis = 3
// CHECK-NEXT:    %[[NUMBERS:.*]] = linnet.reshape %[[BOTH]] : {{.*}} -> !linnet.tensor<[9, 2, 64], ui8>
// CHECK-NEXT:    %[[WIDE:.*]] = linnet.cast %[[NUMBERS]]
// CHECK-NEXT:    %[[ZEROS:.*]] = linnet.broadcast %[[Z]] axes = [0, 1]
// CHECK-NEXT:    %[[LESS:.*]] = linnet.sub %[[WIDE]], %[[ZEROS]]
// CHECK-NEXT:    %[[SCALES:.*]] = linnet.broadcast %[[S]] axes = [0, 1]
// CHECK-NEXT:    %[[TIMES:.*]] = linnet.mul %[[LESS]], %[[SCALES]]
// CHECK-NEXT:    %[[HEAD:.*]] = linnet.reshape %[[TIMES]] : {{.*}} -> !linnet.tensor<[9, 128], f32>
// CHECK-NEXT:    linnet.contract %[[ROWS]], %[[HEAD]] batch [] x [] contract [1] x [1]
linnet.func entry @tied_embedding_is_taken_by_rows(
    %ids: !linnet.tensor<[2], i32> {linnet.kind = "input", linnet.name = "ids"},
    %wte: !linnet.tensor<[9, 128], f32> {linnet.kind = "param", linnet.path = "wte"}) -> !linnet.tensor<[2, 9], f32> {
  %0 = linnet.take %wte, %ids axis = 0 : !linnet.tensor<[9, 128], f32>, !linnet.tensor<[2], i32> -> !linnet.tensor<[2, 128], f32>
  %1 = linnet.contract %0, %wte batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 128], f32>, !linnet.tensor<[9, 128], f32> -> !linnet.tensor<[2, 9], f32>
  linnet.return %1 : !linnet.tensor<[2, 9], f32>
}

// -----

// Stored input-first, rows of bytes are its columns. 96 is no multiple of 64, so the groups are 32.
// CHECK-LABEL: linnet.func entry @columns_become_rows(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2, 96], f32>
// CHECK-SAME:    !linnet.tensor<[5, 3, 16], ui8> {linnet.kind = "param", linnet.path = "up", linnet.stored = {axis = 1 : i64, dtype = f32, group = 32 : i64, role = "values", scheme = "int4", shape = array<i64: 96, 5>}}
// CHECK-SAME:    !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "up.scale"
// CHECK-SAME:    !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "up.zero"
// CHECK:         %[[W:.*]] = linnet.reshape %{{.*}} -> !linnet.tensor<[5, 96], f32>
// CHECK-NEXT:    linnet.contract %[[X]], %[[W]] batch [] x [] contract [1] x [1]
linnet.func entry @columns_become_rows(
    %x: !linnet.tensor<[2, 96], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[96, 5], f32> {linnet.kind = "param", linnet.path = "up"}) -> !linnet.tensor<[2, 5], f32> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 96], f32>, !linnet.tensor<[96, 5], f32> -> !linnet.tensor<[2, 5], f32>
  linnet.return %0 : !linnet.tensor<[2, 5], f32>
}

// -----

// The weight is rounded to the program's dtype once.
// CHECK-LABEL: linnet.func entry @bf16_program_reads_bf16(
// CHECK:         %[[W:.*]] = linnet.reshape %{{.*}} -> !linnet.tensor<[5, 64], f32>
// CHECK-NEXT:    %[[T:.*]] = linnet.cast %[[W]] : !linnet.tensor<[5, 64], f32> -> !linnet.tensor<[5, 64], bf16>
// CHECK-NEXT:    linnet.contract %[[T]], %{{.*}} batch [] x [] contract [1] x [1]
linnet.func entry @bf16_program_reads_bf16(
    %x: !linnet.tensor<[2, 64], bf16> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 64], bf16> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[5, 2], bf16> {
  %0 = linnet.contract %w, %x batch [] x [] contract [1] x [1] : !linnet.tensor<[5, 64], bf16>, !linnet.tensor<[2, 64], bf16> -> !linnet.tensor<[5, 2], bf16>
  linnet.return %0 : !linnet.tensor<[5, 2], bf16>
}

// -----

// A slice of whole rows takes theirs; columns that are looked up lie across after it.
// CHECK-LABEL: linnet.func entry @rows_are_sliced(
// CHECK-SAME:    %[[Q:.*]]: !linnet.tensor<[8, 1, 32], ui8>
// CHECK:         linnet.slice %[[Q]] starts [1, 0, 0] steps [3, 1, 1] : {{.*}} -> !linnet.tensor<[2, 1, 32], ui8>
// CHECK:         %[[R:.*]] = linnet.reshape %{{.*}} -> !linnet.tensor<[2, 64], f32>
// CHECK-NEXT:    linnet.return %[[R]]
linnet.func entry @rows_are_sliced(
    %w: !linnet.tensor<[8, 64], f32> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[2, 64], f32> {
  %0 = linnet.slice %w starts [1, 0] steps [3, 1] : !linnet.tensor<[8, 64], f32> -> !linnet.tensor<[2, 64], f32>
  linnet.return %0 : !linnet.tensor<[2, 64], f32>
}

// -----

// CHECK-LABEL: linnet.func entry @columns_are_taken(
// CHECK:         %[[R:.*]] = linnet.reshape %{{.*}} -> !linnet.tensor<[2, 3, 64], f32>
// CHECK-NEXT:    linnet.transpose %[[R]], [2, 0, 1] : !linnet.tensor<[2, 3, 64], f32> -> !linnet.tensor<[64, 2, 3], f32>
linnet.func entry @columns_are_taken(
    %i: !linnet.tensor<[2, 3], i32> {linnet.kind = "input", linnet.name = "i"},
    %w: !linnet.tensor<[64, 7], f32> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[64, 2, 3], f32> {
  %0 = linnet.take %w, %i axis = 1 : !linnet.tensor<[64, 7], f32>, !linnet.tensor<[2, 3], i32> -> !linnet.tensor<[64, 2, 3], f32>
  linnet.return %0 : !linnet.tensor<[64, 2, 3], f32>
}
