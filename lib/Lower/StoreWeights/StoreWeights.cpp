// Gives parameters a narrower dtype than the program computes with.

#include "lib/Lower/StoreWeights/StoreWeights.h"
#include "lib/Lower/StoreWeights/Groups.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace linnet {
#define GEN_PASS_DEF_STOREWEIGHTS
#include "lib/Lower/StoreWeights/StoreWeights.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

namespace {

/// A parameter, which is one argument in each function.
struct Weight {
  SmallVector<BlockArgument> arguments;
  linnet::TensorType type;
  /// The axis of the scales: that of the first contraction's outputs, or along
  /// which rows are taken.
  std::optional<int64_t> keptAxis, takenAxis;
  bool isUsed = false;
  int64_t group = 0;  // of half bytes
  std::string reason; // why it stays

  int64_t axis() const { return keptAxis.value_or(takenAxis.value_or(0)); }
};

using Weights = llvm::MapVector<StringAttr, Weight>;

/// What the pass was asked for.
struct Scheme {
  std::string name; // as `linnet.stored` has it
  Type element;
  bool hasScale;  // for each place along one axis
  bool hasGroups; // half bytes, with a scale and a zero for each group

  bool isForMatrices() const { return hasScale || hasGroups; }
  int64_t bits() const {
    return hasGroups ? 4 : element.getIntOrFloatBitWidth();
  }
};

Type elementTypeOf(linnet::TensorType type) { return type.getElementType(); }

std::string placeOf(Operation *op) {
  auto place = op->getLoc()->findInstanceOf<FileLineColRange>();
  if (!place)
    return "";
  StringRef file = llvm::sys::path::filename(place.getFilename().getValue());
  return (" at " + file + ":" + Twine(place.getStartLine())).str();
}

/// Whether `op` is a cast to a wider float: what it gives is the parameter yet.
bool isWidening(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  if (!cast)
    return false;
  auto from = dyn_cast<FloatType>(elementOf(cast.getInput())),
       to = dyn_cast<FloatType>(elementOf(cast.getResult()));
  return from && to && from.getWidth() < to.getWidth();
}

/// The operands that read `value`, or `value` cast to a wider float.
void usesOf(Value value, SmallVectorImpl<OpOperand *> &uses) {
  for (OpOperand &use : value.getUses()) {
    if (isWidening(use.getOwner()))
      usesOf(use.getOwner()->getResult(0), uses);
    else
      uses.push_back(&use);
  }
}

Value sourceOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isWidening(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The dimension numbers of the operand of a contraction that `use` is.
struct Side {
  ArrayRef<int64_t> batch, contracted;
  bool isLeft;
};

Side sideOf(ContractOp op, OpOperand &use) {
  if (use.getOperandNumber() == 0)
    return {op.getLhsBatch(), op.getLhsContract(), true};
  return {op.getRhsBatch(), op.getRhsContract(), false};
}

/// Whether a narrow form of the parameter can stand for `use`; `isMatrix`: only
/// a matrix by one of its axes will do.
bool isGood(OpOperand &use, bool isMatrix) {
  Operation *op = use.getOwner();
  if (isa<TakeOp, SliceOp>(op))
    return use.getOperandNumber() == 0;
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || sourceOf(contract.getLhs()) == sourceOf(contract.getRhs()))
    return false;
  Side side = sideOf(contract, use);
  return !isMatrix || (side.batch.empty() && side.contracted.size() == 1);
}

void note(Weight &weight, OpOperand &use) {
  if (auto contract = dyn_cast<ContractOp>(use.getOwner())) {
    Side side = sideOf(contract, use);
    if (!weight.keptAxis && side.contracted.size() == 1)
      weight.keptAxis = side.contracted.front() == 0 ? 1 : 0;
  } else if (auto take = dyn_cast<TakeOp>(use.getOwner())) {
    if (!weight.takenAxis)
      weight.takenAxis = take.getAxis();
  }
}

/// Rewrites the uses of one argument, which has the narrow type already.
class Reader {
public:
  Reader(BlockArgument values, Value scale, Type wide, int64_t axis)
      : values(values), scale(scale), wide(wide), axis(axis) {}

  void rewrite(OpOperand &use) {
    Operation *op = use.getOwner();
    OpBuilder at(op);
    builder = &at;
    loc = op->getLoc();
    // The argument itself has the narrow type already.
    Type element = use.get() == values ? wide : elementOf(use.get());
    if (!isGood(use, scale != nullptr))
      use.set(whole(element));
    else if (auto contract = dyn_cast<ContractOp>(op))
      rewriteContract(contract, use, element);
    else if (auto take = dyn_cast<TakeOp>(op))
      rewriteTake(take, element);
    else
      rewriteSlice(cast<SliceOp>(op), element);
  }

private:
  Value converted(Value input, Type element) {
    auto type = cast<linnet::TensorType>(input.getType());
    if (elementTypeOf(type) == element)
      return input;
    return CastOp::create(*builder, loc, type.clone(element), input)
        .getResult();
  }

  /// `input * scales`, whose axis `k` lies along axis `axes[k]` of `input`.
  Value scaled(Value input, Value scales, ArrayRef<int64_t> axes) {
    Value along = converted(scales, elementOf(input));
    if (along.getType() != input.getType())
      along = BroadcastOp::create(*builder, loc, input.getType(), along,
                                  builder->getDenseI64ArrayAttr(axes))
                  .getResult();
    return MulOp::create(*builder, loc, input.getType(), input, along)
        .getResult();
  }

  /// The type in which scaled numbers are computed: no narrower than f32.
  Type accumulator(Type element) {
    return element.getIntOrFloatBitWidth() < 32 ? builder->getF32Type()
                                                : element;
  }

  void rewriteContract(ContractOp op, OpOperand &use, Type element) {
    Side side = sideOf(op, use);
    if (!scale) {
      use.set(converted(values, element));
      return;
    }
    Type result = elementOf(op.getResult());
    Value other = side.isLeft ? op.getRhs() : op.getLhs();
    bool alongOutputs = side.contracted.front() != axis;
    Type sum = alongOutputs ? accumulator(result) : result;
    if (!alongOutputs) {
      // sum_k x[k] * (q[k, j] * s[k]) => sum_k (x[k] * s[k]) * q[k, j]
      element = accumulator(element);
      int64_t along =
          side.isLeft ? op.getRhsContract()[0] : op.getLhsContract()[0];
      other = scaled(converted(other, element), scale, along);
    }
    Value narrow = converted(values, element);
    Value product = ContractOp::create(*builder, loc, op.getType().clone(sum),
                                       side.isLeft ? narrow : other,
                                       side.isLeft ? other : narrow,
                                       op.getLhsBatch(), op.getRhsBatch(),
                                       op.getLhsContract(), op.getRhsContract())
                        .getResult();
    // sum_k x[k] * (q[j, k] * s[j]) => (sum_k x[k] * q[j, k]) * s[j]
    if (alongOutputs)
      product =
          scaled(product, scale, side.isLeft ? 0 : op.getType().getRank() - 1);
    replace(op, converted(product, result));
  }

  void rewriteTake(TakeOp op, Type element) {
    int64_t along = op.getAxis(), count = rankOf(op.getIndices());
    Value rows =
        TakeOp::create(*builder, loc, op.getType().clone(elementOf(values)),
                       values, op.getIndices(), along)
            .getResult();
    if (scale) {
      rows = converted(rows, accumulator(element));
      if (axis == along) {
        auto shape = cast<linnet::TensorType>(op.getIndices().getType());
        Value scales =
            TakeOp::create(*builder, loc, shape.clone(elementOf(scale)), scale,
                           op.getIndices(), 0)
                .getResult();
        rows =
            scaled(rows, scales,
                   llvm::to_vector(llvm::seq<int64_t>(along, along + count)));
      } else {
        rows = scaled(rows, scale, axis < along ? axis : axis - 1 + count);
      }
    }
    replace(op, converted(rows, element));
  }

  void rewriteSlice(SliceOp op, Type element) {
    Value part =
        SliceOp::create(*builder, loc, op.getType().clone(elementOf(values)),
                        values, op.getStarts(), op.getSteps())
            .getResult();
    if (scale) {
      auto type = linnet::TensorType::get(
          op.getType().getShape().slice(axis, 1), elementOf(scale));
      Value scales =
          SliceOp::create(*builder, loc, type, scale,
                          builder->getArrayAttr(op.getStarts()[axis]),
                          op.getSteps().slice(axis, 1))
              .getResult();
      part = scaled(converted(part, accumulator(element)), scales, axis);
    }
    replace(op, converted(part, element));
  }

  Value whole(Type element) {
    if (!scale)
      return converted(values, element);
    Value numbers = converted(values, accumulator(element));
    return converted(scaled(numbers, scale, axis), element);
  }

  static void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  BlockArgument values;
  Value scale;
  Type wide; // what the program has
  int64_t axis;
  OpBuilder *builder = nullptr;
  Location loc = UnknownLoc::get(values.getContext());
};

struct StoreWeights : linnet::impl::StoreWeightsBase<StoreWeights> {
  using StoreWeightsBase::StoreWeightsBase;

  void runOnOperation() override {
    std::optional<Scheme> scheme = readDtype();
    if (!scheme)
      return signalPassFailure();
    Weights weights = collect(*scheme);
    if (!plan.empty() && !readPlan(weights, *scheme))
      return signalPassFailure();
    for (auto &[path, weight] : weights)
      store(path, weight, *scheme);
  }

private:
  std::optional<Scheme> readDtype() {
    Builder builder(&getContext());
    if (dtype == "bf16")
      return Scheme{"bf16", builder.getBF16Type(), false, false};
    if (dtype == "f16")
      return Scheme{"f16", builder.getF16Type(), false, false};
    if (dtype == "i8")
      return Scheme{"int8", builder.getI8Type(), true, false};
    if (dtype == "i4" && group >= 16 && llvm::isPowerOf2_64(group))
      return Scheme{"int4", builder.getIntegerType(8, /*isSigned=*/false),
                    false, true};
    if (dtype == "i4") {
      getOperation()->emitError("`linnet-store-weights` has no groups of ")
          << group.getValue() << ": a power of two from 16 on";
      return std::nullopt;
    }
    getOperation()->emitError("`linnet-store-weights` has no dtype `")
        << dtype.getValue() << "`: bf16, f16, i8 and i4 are there";
    return std::nullopt;
  }

  /// The floating parameters of two axes or more, in the order of their
  /// arguments, with the reasons of those that stay.
  Weights collect(const Scheme &scheme) {
    Weights weights;
    for (FuncOp function : getOperation()->getRegion(0).getOps<FuncOp>()) {
      for (BlockArgument argument : function.getArguments()) {
        auto attrs = function.getArgAttrDict(argument.getArgNumber());
        auto kind = attrs ? attrs.getAs<StringAttr>("linnet.kind") : nullptr;
        auto type = dyn_cast<linnet::TensorType>(argument.getType());
        if (!kind || kind != "param" || attrs.contains("linnet.stored") ||
            !type || type.getRank() < 2 || !type.isStatic() ||
            !isa<FloatType>(elementTypeOf(type)))
          continue;
        Weight &weight = weights[attrs.getAs<StringAttr>("linnet.path")];
        weight.type = type;
        weight.arguments.push_back(argument);
        look(argument, weight, scheme);
      }
    }
    for (auto &[path, weight] : weights) {
      if (elementTypeOf(weight.type).getIntOrFloatBitWidth() <= scheme.bits())
        weight.reason = "its dtype is no wider";
      else if (weight.reason.empty() && !weight.isUsed)
        weight.reason = "no entry uses it";
      else if (weight.reason.empty() && scheme.hasGroups)
        lookAlongGroups(weight);
    }
    return weights;
  }

  /// Looks at the uses again, now that it is known which axis is kept.
  void lookAlongGroups(Weight &weight) {
    int64_t extent = weight.type.getStaticShape()[1 - weight.axis()];
    for (BlockArgument argument : weight.arguments) {
      SmallVector<OpOperand *> uses;
      usesOf(argument, uses);
      for (OpOperand *use : llvm::reverse(uses))
        if (weight.reason.empty() &&
            !isAlongGroups(*use, weight.axis(), extent))
          weight.reason =
              "it is used along both axes, and groups lie along one" +
              placeOf(use->getOwner());
    }
    findGroup(weight);
  }

  /// Settles how many elements share a scale, or why there are no groups.
  void findGroup(Weight &weight) {
    int64_t extent = weight.type.getStaticShape()[1 - weight.axis()];
    weight.group = groupOf(extent, group);
    if (weight.group == 0 && weight.reason.empty())
      weight.reason = "its sums over " + std::to_string(extent) +
                      " elements have no whole groups of 16";
  }

  void look(BlockArgument argument, Weight &weight, const Scheme &scheme) {
    if (scheme.isForMatrices() && weight.type.getRank() != 2 &&
        weight.reason.empty())
      weight.reason = "it has " + std::to_string(weight.type.getRank()) +
                      " axes, and only matrices are quantised";
    SmallVector<OpOperand *> uses;
    usesOf(argument, uses);
    for (OpOperand *use : llvm::reverse(uses)) { // in the program's order
      weight.isUsed = true;
      if (isGood(*use, scheme.isForMatrices()))
        note(weight, *use);
      else if (weight.reason.empty())
        weight.reason = "it is used other than in a product or a lookup" +
                        placeOf(use->getOwner());
    }
  }

  /// Takes `plan` in place of what was found.
  bool readPlan(Weights &weights, const Scheme &scheme) {
    llvm::StringMap<int64_t> axes;
    for (StringRef item : plan) {
      auto [path, text] = item.rsplit(':');
      int64_t axis = 0;
      if (path.empty() || text.getAsInteger(10, axis)) {
        getOperation()->emitError("`linnet-store-weights` needs `PATH:AXIS` "
                                  "in its plan, found `")
            << item << "`";
        return false;
      }
      axes[path] = axis;
    }
    for (auto &[path, weight] : weights) {
      auto found = axes.find(path);
      weight.reason = found == axes.end() ? "the plan leaves it out" : "";
      if (found == axes.end())
        continue;
      if (found->second < 0 || found->second >= weight.type.getRank()) {
        getOperation()->emitError("`linnet-store-weights` has no axis ")
            << found->second << " of " << path;
        return false;
      }
      weight.keptAxis = found->second;
      if (scheme.hasGroups)
        findGroup(weight);
    }
    return true;
  }

  void store(StringAttr path, Weight &weight, const Scheme &scheme) {
    Builder builder(&getContext());
    for (BlockArgument argument : weight.arguments) {
      auto function = cast<FuncOp>(argument.getOwner()->getParentOp());
      if (!weight.reason.empty()) {
        function.setArgAttr(argument.getArgNumber(), "linnet.unstored",
                            builder.getStringAttr(weight.reason));
        continue;
      }
      retype(function, argument, path, weight, scheme);
    }
  }

  void retype(FuncOp function, BlockArgument argument, StringAttr path,
              Weight &weight, const Scheme &scheme) {
    Builder builder(&getContext());
    auto facts = [&](StringRef role) {
      NamedAttrList attrs;
      attrs.set("axis", builder.getI64IntegerAttr(weight.axis()));
      attrs.set("dtype", TypeAttr::get(elementTypeOf(weight.type)));
      if (weight.group)
        attrs.set("group", builder.getI64IntegerAttr(weight.group));
      attrs.set("role", builder.getStringAttr(role));
      attrs.set("scheme", builder.getStringAttr(scheme.name));
      attrs.set("shape",
                builder.getDenseI64ArrayAttr(weight.type.getStaticShape()));
      return attrs.getDictionary(&getContext());
    };
    SmallVector<OpOperand *> uses;
    usesOf(argument, uses);
    unsigned number = argument.getArgNumber();
    DictionaryAttr given = function.getArgAttrDict(number);
    // Right behind it comes what makes its integers floating.
    auto inserted = [&](unsigned place, StringRef role, auto shape) -> Value {
      NamedAttrList attrs(given);
      attrs.set("linnet.path",
                builder.getStringAttr(path.getValue() + "." + role));
      attrs.set("linnet.stored", facts(role));
      auto type = linnet::TensorType::get(shape, builder.getF32Type());
      (void)function.insertArgument(
          place, type, attrs.getDictionary(&getContext()), argument.getLoc());
      return function.getArgument(place);
    };
    Value scale, zero;
    linnet::TensorType narrow = weight.type.clone(scheme.element);
    if (scheme.hasScale) {
      scale = inserted(number + 1, "scale",
                       weight.type.getShape().slice(weight.axis(), 1));
    } else if (scheme.hasGroups) {
      SmallVector<int64_t> shape = weight.type.getStaticShape();
      int64_t rows = shape[weight.axis()],
              groups = shape[1 - weight.axis()] / weight.group;
      narrow = tensorType({rows, groups, weight.group / 2}, scheme.element);
      auto each = tensorType({rows, groups}, scheme.element).getShape();
      scale = inserted(number + 1, "scale", each);
      zero = inserted(number + 2, "zero", each);
    }
    argument.setType(narrow);
    function.setArgAttr(number, "linnet.stored", facts("values"));
    function.setFunctionType(builder.getFunctionType(
        function.getBody().getArgumentTypes(), function.getResultTypes()));
    Type wide = elementTypeOf(weight.type);
    Reader reader(argument, scale, wide, weight.axis());
    GroupReader groups(argument, scale, zero, wide, weight.axis());
    for (OpOperand *use : uses) {
      if (scheme.hasGroups)
        groups.rewrite(*use);
      else
        reader.rewrite(*use);
    }
    eraseUnusedCasts(argument);
  }

  /// Casts whose users read the narrow argument now.
  static void eraseUnusedCasts(Value value) {
    for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
      if (!isa<CastOp>(user))
        continue;
      eraseUnusedCasts(user->getResult(0));
      if (user->use_empty())
        user->erase();
    }
  }
};

} // namespace
