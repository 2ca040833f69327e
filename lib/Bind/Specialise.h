// The specialising walk: one entry's body, with every call inlined.
#ifndef LINNET_LIB_BIND_SPECIALISE_H
#define LINNET_LIB_BIND_SPECIALISE_H

#include "lib/Bind/Instance.h"

#include "mlir/IR/Builders.h"

namespace linnet::bind {

/// The instantiation of one function body.
struct Frame {
  Scope scope;
  /// The instance whose method this is; none for a free function.
  const Instance *self = nullptr;
  /// Where the function was called; none for an entry.
  mlir::LocationAttr caller;
  unsigned depth = 0;
  llvm::DenseMap<mlir::Value, Bound> values;

  /// `loc` without a name of the source, with the calls that lead to it.
  mlir::Location at(mlir::Location loc) const;
};

/// Functions and blocks by name, looked up once.
class Callees {
public:
  explicit Callees(mlir::ModuleOp module);
  FuncOp function(mlir::StringAttr name) const {
    return functions.lookup(name);
  }
  FuncOp method(BlockOp block, mlir::StringAttr name);

private:
  llvm::DenseMap<mlir::StringAttr, FuncOp> functions;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::StringAttr>, FuncOp>
      methods;
};

/// Builds bound ops at `builder` for the ops of generic functions. Every
/// failure has been reported.
class Specialiser {
public:
  /// `places` holds the entry's argument for each place of the manifest.
  Specialiser(mlir::OpBuilder &builder, Callees &callees,
              llvm::ArrayRef<mlir::Value> places, Keep keep)
      : builder(builder), callees(callees), places(places), keep(keep) {}

  /// Specialises the body of `callee`; its results land in `results`.
  mlir::LogicalResult bindBody(FuncOp callee, Frame &frame,
                               std::vector<Bound> arguments,
                               std::vector<Bound> &results);

private:
  using Results = std::vector<Bound>;

  mlir::LogicalResult bindBlock(mlir::Block &block, Frame &frame,
                                Results &yielded);
  mlir::LogicalResult bindOp(mlir::Operation &op, Frame &frame);
  /// Ops that mean the same at every level: operands, types and dims change.
  mlir::LogicalResult bindValueOp(mlir::Operation &op, Frame &frame);
  mlir::LogicalResult bindAttributes(mlir::Operation &from, mlir::Operation *to,
                                     Frame &frame);

  // Structure.
  mlir::LogicalResult bindCall(CallOp op, Frame &frame);
  mlir::LogicalResult bindCallMethod(CallMethodOp op, Frame &frame);
  mlir::LogicalResult inlineCall(mlir::Operation *op, FuncOp callee,
                                 const Instance *self,
                                 mlir::ArrayAttr arguments,
                                 mlir::OperandRange operands, Frame &frame);
  bool isKept(FuncOp callee) const;
  /// Specialises `callee` over the arguments `given` in a scope of its own.
  mlir::LogicalResult bindScope(FuncOp callee, Frame &inner,
                                const Results &given, Results &results);
  /// Gives the run-time values of the results of `op` the names in its
  /// location.
  void nameResults(mlir::Operation &op, Frame &frame);
  /// The constant that `value` is, also across the borders of scopes; null
  /// where it is none.
  ConstantOp constantOf(mlir::Value value) const;
  mlir::LogicalResult bindMember(MemberOp op, Frame &frame);
  mlir::LogicalResult bindElement(ElementOp op, Frame &frame);
  mlir::LogicalResult bindAssignState(AssignStateOp op, Frame &frame);
  mlir::LogicalResult bindAscribe(AscribeOp op, Frame &frame);
  mlir::LogicalResult bindRequire(RequireOp op, Frame &frame);

  // Control flow.
  mlir::LogicalResult bindMatchOptional(MatchOptionalOp op, Frame &frame);
  mlir::LogicalResult bindMatchEnum(MatchEnumOp op, Frame &frame);
  mlir::LogicalResult bindIf(IfOp op, Frame &frame);
  mlir::LogicalResult bindWhile(WhileOp op, Frame &frame);
  mlir::LogicalResult bindStaticFor(StaticForOp op, Frame &frame);
  mlir::LogicalResult bindStaticRange(StaticRangeOp op, Frame &frame);
  mlir::LogicalResult bindFor(ForOp op, Frame &frame);
  /// The body of `op`, which counts through a range, over the bound carried
  /// values `inits`; null after an error.
  std::unique_ptr<mlir::Region> bindCounted(mlir::Operation *op,
                                            const Results &inits,
                                            mlir::TypeRange carried,
                                            Frame &frame);

  // Index notation.
  /// Builds `op` anew over its bound indices and body `from`; null after an
  /// error.
  mlir::Operation *bindOverIndices(mlir::Operation *op, mlir::Block &from,
                                   Frame &frame);
  mlir::LogicalResult bindComprehension(ComprehensionOp op, Frame &frame);
  mlir::LogicalResult bindReduceOver(ReduceOverOp op, Frame &frame);
  mlir::LogicalResult bindAccess(AccessOp op, Frame &frame);

  /// A new block in `into`, where building goes on.
  mlir::Block *openBlock(mlir::Region &into, mlir::TypeRange types,
                         mlir::Location loc);
  /// Builds the op `name` with these parts where building stands.
  mlir::Operation *
  build(llvm::StringRef name, mlir::Location loc, mlir::ValueRange operands,
        mlir::TypeRange results,
        llvm::MutableArrayRef<std::unique_ptr<mlir::Region>> regions);
  /// Specialises the block of `from` in place.
  mlir::LogicalResult inlineRegion(mlir::Region &from, Frame &frame,
                                   const Results &arguments,
                                   mlir::ValueRange results);

  const Bound &lookup(mlir::Value value, Frame &frame);
  mlir::Value runtime(mlir::Value value, Frame &frame);
  void assign(mlir::ValueRange values, const Results &bounds, Frame &frame);

  mlir::OpBuilder &builder;
  Callees &callees;
  llvm::ArrayRef<mlir::Value> places;
  Keep keep;
  unsigned calls = 0;
  /// How many regions of index notation there are around.
  unsigned indexed = 0;
  /// The operand for an argument of a scope, what is yielded for a result.
  llvm::DenseMap<mlir::Value, mlir::Value> origins;
};

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_SPECIALISE_H
