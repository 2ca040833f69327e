// The sizes of an entry that its caller decides, and what is known of them.
#ifndef LINNET_LIB_BIND_OPEN_H
#define LINNET_LIB_BIND_OPEN_H

#include "lib/Bind/Scope.h"

namespace linnet::bind {

/// The open dimensions of one entry.
struct OpenSizes {
  /// The largest size that any of them may have: positions are 32-bit numbers
  /// on the targets that compile them.
  static constexpr int64_t largest = std::numeric_limits<int32_t>::max();

  llvm::SmallVector<std::string> names;
  /// The facts that mention them, over them alone.
  std::vector<dims::Constraint> facts;
  /// The same facts as their user wrote them, as far as `bindings` and these
  /// sizes give each name a value.
  llvm::SmallVector<std::string> written;
  /// The least and the greatest size that the facts leave each.
  llvm::SmallVector<std::pair<int64_t, int64_t>> ranges;

  /// Reads the facts from lists of constraints (null ones are left out) and
  /// lets `scope` assume them. E2206 where no sizes satisfy them.
  mlir::LogicalResult collect(llvm::ArrayRef<mlir::ArrayAttr> constraints,
                              Scope &scope, const mlir::NamedAttrList &bindings,
                              mlir::Location loc);
  mlir::ArrayAttr generics(mlir::MLIRContext *context) const;
  mlir::ArrayAttr where(mlir::MLIRContext *context) const;
  /// Adds the ranges and the written facts to a function.
  void addTo(mlir::OperationState &function) const;
};

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_OPEN_H
