// Reads the text between the brackets of a type or attribute of the dialect.
//
// MLIR's lexer knows no `%` and takes `<` for a bracket, so what holds
// dimension expressions is read here, character by character. Errors point into
// the file.
#ifndef LINNET_DIALECT_READER_H
#define LINNET_DIALECT_READER_H

#include "dialect/LinnetDialect.h"

#include "mlir/IR/DialectImplementation.h"

namespace linnet {

class Reader {
public:
  explicit Reader(mlir::DialectAsmParser &parser)
      : parser(parser), rest(parser.getFullSymbolSpec()) {}

  mlir::MLIRContext *getContext() { return parser.getContext(); }
  /// Says what is wrong at the current place; gives failure.
  mlir::LogicalResult fail(const llvm::Twine &message);
  auto getErrorEmitter() {
    return [this] {
      return parser.emitError(llvm::SMLoc::getFromPointer(rest.data()));
    };
  }

  bool consume(llvm::StringRef token);
  mlir::LogicalResult expect(llvm::StringRef token);
  mlir::LogicalResult expectEnd();
  /// A name, or the empty text.
  llvm::StringRef takeName();
  llvm::StringRef peekName();
  mlir::FailureOr<mlir::FlatSymbolRefAttr> readSymbol();
  /// The text between quotes.
  mlir::FailureOr<llvm::StringRef> readQuoted();

  mlir::FailureOr<DimAttr> readDim();
  /// `[A, *S, 3]`
  mlir::LogicalResult readShape(llvm::SmallVectorImpl<mlir::Attribute> &shape);
  /// `f32` or `T: Float`
  mlir::FailureOr<mlir::Type> readDtype();
  /// A dim, shape or dtype.
  mlir::FailureOr<mlir::Attribute> readArgument();
  /// `@"m::Block"<H, 3>`, with the angle brackets of an instance type around.
  mlir::FailureOr<InstanceType> readInstance();
  mlir::FailureOr<ConstraintAttr> readConstraint();
  mlir::FailureOr<GenericAttr> readGeneric();
  mlir::FailureOr<TensorType> readTensor();

private:
  void skipSpace() { rest = rest.ltrim(" \t\r\n"); }
  /// The text up to the next `,`, `]` or `>` outside parentheses.
  llvm::StringRef takeExpression();

  mlir::DialectAsmParser &parser;
  llvm::StringRef rest;
};

/// Write what the reader reads.
void printShape(llvm::raw_ostream &os, llvm::ArrayRef<mlir::Attribute> shape);
void printDtype(llvm::raw_ostream &os, mlir::Type type);
void printArgument(llvm::raw_ostream &os, mlir::Attribute argument);

} // namespace linnet

#endif // LINNET_DIALECT_READER_H
