// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.enum @"m::Mode" ["Fast", "Slow"]

linnet.func fn @enum_value_c1_no_such_variant() {
  // expected-error@+1 {{enum @"m::Mode" has no variant "Lost"}}
  %e = linnet.enum_value "Lost" : !linnet.enum<@"m::Mode">
  linnet.return
}

// -----

linnet.func fn @enum_value_c1_no_such_enum() {
  // expected-error@+1 {{the module has no enum @"m::Mode"}}
  %e = linnet.enum_value "Fast" : !linnet.enum<@"m::Mode">
  linnet.return
}
