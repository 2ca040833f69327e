// RUN: linnet-opt %s --split-input-file --verify-diagnostics

// tensor_c2_other_element_type
// expected-error@+1 {{expected an element type, such as `f32` or `T: Float`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[2], i7>}

// -----

// tensor_c2_index
// expected-error@+1 {{expected an element type}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[2], index>}

// -----

// tensor_c3_negative_dimension
// expected-error@+1 {{dimension -1 is negative}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[2 - 3], f32>}

// -----

// tensor_without_a_shape
// expected-error@+1 {{expected `[`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<f32>}

// -----

// tensor_without_a_body
// expected-error@+1 {{expected `<`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor}

// -----

// tensor_dimension_cut_short
// expected-error@+1 {{expected a dimension}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[N +], f32>}

// -----

// tensor_dimension_missing
// expected-error@+1 {{expected a dimension}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[N, ], f32>}

// -----

// tensor_pack_without_a_name
// expected-error@+1 {{expected the name of a pack}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[*], f32>}

// -----

// tensor_with_more
// expected-error@+1 {{expected `>`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[N], f32, f32>}

// -----

// tensor_class_unknown
// expected-error@+1 {{expected `DType`, `Numeric`, `Integer` or `Float` after the name of a dtype variable}}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[N], T: Complex>}

// -----

// index_c3_negative
// expected-error@+1 {{dimension -1 is negative}}
linnet.require "1 > 0" code "E2205" {a = !linnet.index<[0 - 1]>}

// -----

// optional_c1_of_an_optional
// expected-error@+1 {{an optional holds no optional}}
linnet.require "1 > 0" code "E2205" {a = !linnet.optional<!linnet.optional<f32>>}

// -----

// instance_without_a_symbol
// expected-error@+1 {{expected `@`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.instance<Block>}

// -----

// instance_with_no_arguments
// expected-error@+1 {{expected a dimension}}
linnet.require "1 > 0" code "E2205" {a = !linnet.instance<@b<>>}

// -----

// array_of_tensors
// expected-error@+1 {{expected `!linnet.instance`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.array<!linnet.tensor<[], f32>, 2>}

// -----

// array_without_a_size
// expected-error@+1 {{expected `,`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.array<!linnet.instance<@b>>}

// -----

// ref_of_an_instance
// expected-error@+1 {{expected `!linnet.tensor`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.ref<!linnet.instance<@b>>}

// -----

// dtype_that_is_builtin
// expected-error@+1 {{expected a dtype variable, such as `T: Float`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.dtype<f32>}

// -----

// unknown_type
// expected-error@+1 {{the dialect has no type `vector`}}
linnet.require "1 > 0" code "E2205" {a = !linnet.vector<3>}

// -----

// dim_cut_short
// expected-error@+1 {{expected a dimension}}
linnet.require "1 > 0" code "E2205" {a = #linnet.dim<3 *>}

// -----

// dim_with_more
// expected-error@+1 {{expected `>`}}
linnet.require "1 > 0" code "E2205" {a = #linnet.dim<3, 4>}

// -----

// dim_empty
// expected-error@+1 {{expected a dimension}}
linnet.require "1 > 0" code "E2205" {a = #linnet.dim<>}

// -----

// constraint_without_quotes
// expected-error@+1 {{expected `"`}}
linnet.require "1 > 0" code "E2205" {a = #linnet.constraint<N>}

// -----

// constraint_without_a_relation
// expected-error@+1 {{expected a constraint}}
linnet.require "1 > 0" code "E2205" {a = #linnet.constraint<"N">}

// -----

// shape_without_brackets
// expected-error@+1 {{expected `[`}}
linnet.require "1 > 0" code "E2205" {a = #linnet.shape<A>}

// -----

// pack_without_a_star
// expected-error@+1 {{expected `*`}}
linnet.require "1 > 0" code "E2205" {a = #linnet.pack<S>}

// -----

// generic_of_no_kind
// expected-error@+1 {{expected `Dim`, a dtype class, or `Shape` for a starred name}}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<N: Size>}

// -----

// generic_pack_without_a_star
// expected-error@+1 {{expected `Dim`, a dtype class, or `Shape` for a starred name}}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<S: Shape>}

// -----

// generic_c1_default_of_another_kind
// expected-error@+1 {{the default of `N` is no Dim}}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<N: Dim = f32>}

// -----

// generic_c1_shape_for_a_dtype
// expected-error@+1 {{the default of `V` is no Float}}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<V: Float = [2]>}

// -----

// generic_c2_default_outside_the_class
// expected-error@+1 {{the default of `V` is 'i32', which is not in Float}}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<V: Float = i32>}

// -----

// unknown_attribute
// expected-error@+1 {{expected a `dim`, `pack`, `shape`, `constraint` or `generic` of this dialect}}
linnet.require "1 > 0" code "E2205" {a = #linnet.size<3>}
