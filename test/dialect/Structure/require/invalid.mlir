// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @a_claim_compares<N: Dim>() {
  // expected-error@+1 {{expected a constraint}}
  linnet.require "N +" code "E2205"
  linnet.return
}
