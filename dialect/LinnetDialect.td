//===- LinnetDialect.td - the dialect ---------------------------*- tablegen -*-===//
#ifndef LINNET_DIALECT_TD
#define LINNET_DIALECT_TD

include "mlir/IR/OpBase.td"

def Linnet_Dialect : Dialect {
  let name = "linnet";
  let summary = "typed tensor programs whose shapes are proven";
  let description = [{
    A program passes three levels in this dialect. GENERIC is the program as
    written: blocks, generic functions, symbolic dimensions, `where` clauses.
    BOUND has one function for each entry, with every generic given. CORE holds
    the structured tensor operations that every backend implements.
  }];
  let cppNamespace = "::linnet";
}

class Linnet_Op<string mnemonic, list<Trait> traits = []>
    : Op<Linnet_Dialect, mnemonic, traits>;

#endif // LINNET_DIALECT_TD
