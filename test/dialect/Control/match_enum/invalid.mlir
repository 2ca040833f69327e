// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.enum @"m::Mode" ["Fast", "Slow"]

linnet.func fn @match_enum_c1_other_type(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>, %y: !linnet.tensor<[3], f32>) {
  // expected-error@+1 {{a region gives ('!linnet.tensor<[3], f32>'), expected ('!linnet.tensor<[2], f32>')}}
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Fast" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  } default {
    // expected-note@+1 {{it gives them here}}
    linnet.yield %y : !linnet.tensor<[3], f32>
  }
  linnet.return
}

// -----

linnet.enum @"m::Mode" ["Fast", "Slow"]

linnet.func fn @match_enum_c2_case_twice(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{case "Fast" is listed twice}}
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Fast" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  } case "Fast" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  } default {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// -----

linnet.enum @"m::Mode" ["Fast", "Slow"]

linnet.func fn @match_enum_c2_region_missing(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has 1 case regions, expected 2}}
  %r = "linnet.match_enum"(%e) <{cases = ["Fast", "Slow"]}> ({
  }, {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }) : (!linnet.enum<@"m::Mode">) -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.enum @"m::Mode" ["Fast", "Slow"]

linnet.func fn @match_enum_c3_no_such_variant(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{enum @"m::Mode" has no variant "Lost"}}
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Lost" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  } default {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// -----

linnet.enum @"m::Mode" ["Fast", "Slow"]

linnet.func fn @match_enum_c3_variant_missing(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has no case for variant "Slow"}}
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Fast" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// -----

linnet.func fn @match_enum_c3_no_such_enum(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the module has no enum @"m::Mode"}}
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> default {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}
