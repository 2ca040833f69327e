// Which claims of a module follow from its facts, and why the others do not.
#ifndef LINNET_LIB_VERIFY_OBLIGATIONS_H
#define LINNET_LIB_VERIFY_OBLIGATIONS_H

#include "lib/Dims/Facts.h"

#include "mlir/IR/BuiltinOps.h"

namespace linnet::verify {

/// A claim that was not proven.
struct Failure {
  /// The diagnostic's code, such as `E2203`.
  std::string code;
  mlir::Operation *op;
  /// Where the claim is written.
  mlir::Location loc;
  /// The claim's place in the list of its op.
  unsigned index;
  dims::Constraint claim;
  /// Refuted or unknown.
  dims::Status status;
  /// For a refuted claim: sizes that satisfy all facts and not the claim.
  dims::Assignment witness;
  /// `where` lines that would settle the claim together; none where none are
  /// known.
  llvm::SmallVector<dims::Constraint> settles;
  /// Other lists of lines that would do as well, the most telling first.
  std::vector<llvm::SmallVector<dims::Constraint>> alternatives;
  /// For an unknown claim: whether it, or what the facts say, is too large to
  /// decide in a bounded number of steps.
  bool isCutShort = false;
};

/// How many claims were met, and how many of them had to be proven: a claim is
/// proven once for all functions and blocks of the same facts.
struct Effort {
  unsigned claims = 0, proofs = 0;
};

/// Proves all claims of all ops below `module`, in the order of the ops
/// [DIM-16]. Of equal claims of one op, the first stands for all. A dimension
/// that is provably negative [DIM-15] fails with E2208 and an index behind the
/// op's own claims.
llvm::SmallVector<Failure> verifyObligations(mlir::ModuleOp module,
                                             Effort *effort = nullptr);

/// `H = 10, Heads = 4`.
std::string show(const dims::Assignment &witness);
/// `Heads > 0, H % Heads == 0`.
std::string show(llvm::ArrayRef<dims::Constraint> constraints);

} // namespace linnet::verify

#endif // LINNET_LIB_VERIFY_OBLIGATIONS_H
