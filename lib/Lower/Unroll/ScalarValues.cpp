// Evaluation of integer and boolean scalar ops, as the language defines them.
#include "lib/Lower/Unroll/ScalarValues.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::unroll;
using llvm::APInt;

/// The integer type of a scalar, or null.
static IntegerType scalarType(Value value) {
  auto tensor = dyn_cast<linnet::TensorType>(value.getType());
  if (!tensor || !tensor.isScalar())
    return {};
  return dyn_cast<IntegerType>(tensor.getElementType());
}

static bool isUnsigned(IntegerType type) {
  return type.isUnsigned() || type.getWidth() == 1;
}

static bool compare(Predicate predicate, const APInt &a, const APInt &b,
                    bool isUnsigned) {
  switch (predicate) {
  case Predicate::Eq:
    return a == b;
  case Predicate::Ne:
    return a != b;
  case Predicate::Lt:
    return isUnsigned ? a.ult(b) : a.slt(b);
  case Predicate::Le:
    return isUnsigned ? a.ule(b) : a.sle(b);
  case Predicate::Gt:
    return isUnsigned ? a.ugt(b) : a.sgt(b);
  case Predicate::Ge:
    return isUnsigned ? a.uge(b) : a.sge(b);
  }
  llvm_unreachable("all predicates are listed");
}

void ScalarValues::visit(Operation &op) {
  if (op.getNumResults() != 1 || op.getNumRegions() != 0)
    return;
  if (std::optional<APInt> value = evaluate(op))
    known.try_emplace(op.getResult(0), *value);
}

void ScalarValues::alias(Value value, Value other) {
  if (std::optional<APInt> number = find(other))
    known.try_emplace(value, *number);
}

std::optional<APInt> ScalarValues::find(Value value) const {
  auto found = known.find(value);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::optional<APInt> ScalarValues::evaluate(Operation &op) const {
  IntegerType type = scalarType(op.getResult(0));
  if (!type)
    return std::nullopt;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto literal = dyn_cast<IntegerAttr>(Attribute(constant.getLiteral()));
    if (!literal)
      return std::nullopt;
    return literal.getValue().zextOrTrunc(type.getWidth());
  }

  SmallVector<APInt, 3> operands;
  for (Value operand : op.getOperands()) {
    std::optional<APInt> value = find(operand);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  if (operands.empty())
    return std::nullopt;
  bool noSign = isUnsigned(type);
  APInt a = operands[0], b = operands.size() > 1 ? operands[1] : APInt();

  using Result = std::optional<APInt>;
  return llvm::TypeSwitch<Operation *, Result>(&op)
      .Case([&](CastOp cast) -> Result {
        if (type.getWidth() == 1)
          return APInt(1, !a.isZero());
        return isUnsigned(scalarType(cast.getInput()))
                   ? a.zextOrTrunc(type.getWidth())
                   : a.sextOrTrunc(type.getWidth());
      })
      .Case([&](CompareOp op) -> Result {
        return APInt(1, compare(op.getPredicate(), a, b,
                                isUnsigned(scalarType(op.getLhs()))));
      })
      .Case([&](SelectOp) -> Result { return a.isZero() ? operands[2] : b; })
      .Case([&](NegOp) -> Result { return -a; })
      .Case([&](NotOp) -> Result { return ~a; })
      .Case([&](AbsOp) -> Result { return noSign ? a : a.abs(); })
      .Case([&](AddOp) -> Result { return a + b; })
      .Case([&](SubOp) -> Result { return a - b; })
      .Case([&](MulOp) -> Result { return a * b; })
      .Case([&](DivOp) -> Result {
        if (b.isZero())
          return std::nullopt;
        return noSign ? a.udiv(b) : a.sdiv(b);
      })
      .Case([&](RemOp) -> Result {
        if (b.isZero())
          return std::nullopt;
        return noSign ? a.urem(b) : a.srem(b);
      })
      .Case([&](MinOp) -> Result {
        return compare(Predicate::Lt, a, b, noSign) ? a : b;
      })
      .Case([&](MaxOp) -> Result {
        return compare(Predicate::Gt, a, b, noSign) ? a : b;
      })
      .Case([&](AndOp) -> Result { return a & b; })
      .Case([&](OrOp) -> Result { return a | b; })
      .Case([&](XorOp) -> Result { return a ^ b; })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
