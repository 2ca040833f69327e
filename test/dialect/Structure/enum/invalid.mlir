// RUN: linnet-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{variant "A" is listed twice}}
linnet.enum @enum_c1_variant_twice ["A", "B", "A"]
