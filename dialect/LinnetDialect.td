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

    In types and attributes a dimension is written as in the language:
    `!linnet.tensor<[B, *S, 3 * H], f32>`. In the text of an op a dimension is
    an integer, a name, or an expression in quotes: `[0, H, "2 * H"]`; a
    constraint is always in quotes.
  }];
  let cppNamespace = "::linnet";
  // Some types and attributes hold text that MLIR's lexer cannot read (`%`), so
  // the dialect looks at their bodies itself before it asks the generated parsers.
  let useDefaultAttributePrinterParser = 0;
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();

    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type,
                   ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class Linnet_Op<string mnemonic, list<Trait> traits = []>
    : Op<Linnet_Dialect, mnemonic, traits>;

#endif // LINNET_DIALECT_TD
