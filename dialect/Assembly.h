// Parts of the ops' assembly that no declarative format can say.
//
// In the text of an op a dim is an integer, a name or an expression in quotes.
#ifndef LINNET_DIALECT_ASSEMBLY_H
#define LINNET_DIALECT_ASSEMBLY_H

#include "dialect/LinnetDialect.h"

namespace linnet {

// `0`, `H`, `"3 * H"`
mlir::ParseResult parseDim(mlir::AsmParser &parser, DimAttr &dim);
void printDim(mlir::AsmPrinter &printer, mlir::Operation *op, DimAttr dim);

// `[0, H, "3 * H"]`
mlir::ParseResult parseDims(mlir::OpAsmParser &parser, mlir::ArrayAttr &dims);
void printDims(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::ArrayAttr dims);

// `"H % Heads == 0"`
mlir::ParseResult parseConstraint(mlir::OpAsmParser &parser,
                                  ConstraintAttr &constraint);
void printConstraint(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     ConstraintAttr constraint);

// `<B: Dim, *S: Shape, T: Float = f32>`, nothing for an empty list
mlir::ParseResult parseGenerics(mlir::OpAsmParser &parser,
                                mlir::ArrayAttr &generics);
void printGenerics(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   mlir::ArrayAttr generics);

// `<[B, *S], "3 * H", T: Float>`, nothing for an empty list
mlir::ParseResult parseGenericArgs(mlir::OpAsmParser &parser,
                                   mlir::ArrayAttr &arguments);
void printGenericArgs(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::ArrayAttr arguments);

// ` where ["N > 0"]`, nothing for an empty list
mlir::ParseResult parseWhere(mlir::OpAsmParser &parser, mlir::ArrayAttr &where);
void printWhere(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::ArrayAttr where);

// `true`, `3`, `0.5`
mlir::ParseResult parseLiteral(mlir::OpAsmParser &parser,
                               mlir::TypedAttr &literal);
void printLiteral(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::TypedAttr literal);

// The value's type, which says the optional's.
mlir::ParseResult parseOptionalOf(mlir::OpAsmParser &parser, mlir::Type &value,
                                  mlir::Type &optional);
void printOptionalOf(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::Type value, mlir::Type optional);

// The tuple's type, which says those of its elements.
mlir::ParseResult parseTupleOf(mlir::OpAsmParser &parser,
                               llvm::SmallVectorImpl<mlir::Type> &elements,
                               mlir::Type &tuple);
void printTupleOf(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::TypeRange elements, mlir::Type tuple);

// `, type` for all of the operands, nothing where there are none
mlir::ParseResult
parseStartType(mlir::OpAsmParser &parser,
               llvm::SmallVectorImpl<mlir::Type> &types,
               const llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>
                   &operands);
void printStartType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::TypeRange types, mlir::OperandRange operands);

// `case "Fast" {...} default {...}`
mlir::ParseResult
parseCases(mlir::OpAsmParser &parser, mlir::ArrayAttr &cases,
           llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &regions,
           mlir::Region &defaultRegion);
void printCases(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::ArrayAttr cases, mlir::RegionRange regions,
                mlir::Region &defaultRegion);

// `(%x = %x0 : type, ...)`: region arguments and what they begin with
mlir::ParseResult
parseCarried(mlir::OpAsmParser &parser, mlir::OperationState &result,
             llvm::SmallVectorImpl<mlir::OpAsmParser::Argument> &arguments);
void printCarried(mlir::OpAsmPrinter &printer, mlir::ValueRange arguments,
                  mlir::ValueRange inits);

} // namespace linnet

#endif // LINNET_DIALECT_ASSEMBLY_H
