// Finding what a request names, and the values of its generics.
#ifndef LINNET_LIB_BIND_GENERICS_H
#define LINNET_LIB_BIND_GENERICS_H

#include "lib/Bind/Request.h"
#include "lib/Bind/Scope.h"

namespace linnet::bind {

/// What stands behind the last `::`.
llvm::StringRef shortName(llvm::StringRef symbol);

/// The block of that name, in full or behind its module. Null after a usage
/// error with the known names.
BlockOp findRoot(mlir::ModuleOp module, llvm::StringRef name);

/// The entries of `root` (or of modules, where it is null) with these names;
/// all of them without names. A usage error for an unknown one, or for two of
/// one name.
mlir::LogicalResult findEntries(mlir::ModuleOp module, BlockOp root,
                                llvm::ArrayRef<std::string> names,
                                llvm::SmallVectorImpl<FuncOp> &entries);

/// Binds the generics of `owner` in `scope` to what is given, else to their
/// defaults, and lists the values in `bindings`. A usage error names all that
/// have neither; E2112 a dtype outside its class. With `open`, a dimension that
/// has neither stands for itself, and its name is added there.
mlir::LogicalResult bindGiven(const Request &request, mlir::ArrayAttr generics,
                              llvm::StringRef owner, llvm::StringRef entry,
                              mlir::Location loc, Scope &scope,
                              mlir::NamedAttrList &bindings,
                              llvm::SmallVectorImpl<std::string> *open);

/// A usage error for a generic that is given and that neither the root nor any
/// of its entries has: entries that were not asked for may have it.
mlir::LogicalResult refuseUnknownGenerics(mlir::ModuleOp module, BlockOp root,
                                          const Request &request);

/// A usage error for a path that no member or optional input has.
mlir::LogicalResult refuseUnknownPaths(mlir::ModuleOp module,
                                       const Presence &presence,
                                       const llvm::StringSet<> &known);

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_GENERICS_H
