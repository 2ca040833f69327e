// Generic arguments in place of generics, and the symbols that ops refer to.
#include "dialect/Substitution.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

LogicalResult Substitution::bind(ArrayAttr generics,
                                 ArrayRef<Attribute> arguments,
                                 std::string &error) {
  llvm::raw_string_ostream os(error);
  if (generics.size() != arguments.size()) {
    os << "needs " << generics.size() << " generic arguments, found "
       << arguments.size();
    return failure();
  }
  for (auto [generic, argument] :
       llvm::zip(generics.getAsRange<GenericAttr>(), arguments)) {
    StringRef name = generic.getName();
    auto dim = dyn_cast<DimAttr>(argument);
    auto shape = dyn_cast<ShapeAttr>(argument);
    auto type = dyn_cast<TypeAttr>(argument);
    if (generic.isDim() && dim) {
      bindDim(name, dim.getValue());
    } else if (generic.isPack() && shape) {
      bindPack(name, shape.getElements());
    } else if (generic.isDtype() && type &&
               dtype::isInClass(type.getValue(), generic.getDtypeClass())) {
      bindDtype(name, type.getValue());
    } else {
      os << "needs a `" << stringifyGenericKind(generic.getKind())
         << "` for generic `" << name << "`, found " << argument;
      return failure();
    }
  }
  return success();
}

void Substitution::bindDim(StringRef name, const dims::Expr &value) {
  exprs[name.str()] = value;
}

void Substitution::bindPack(StringRef name, ArrayRef<Attribute> shape) {
  packs[name.str()] = llvm::to_vector(shape);
  exprs["*" + name.str()] = getProduct(shape);
}

void Substitution::bindDtype(StringRef name, Type type) {
  dtypes[name.str()] = type;
}

dims::Expr Substitution::apply(const dims::Expr &expr) const {
  return dims::substitute(expr, exprs);
}

dims::Constraint Substitution::apply(const dims::Constraint &constraint) const {
  return dims::substitute(constraint, exprs);
}

SmallVector<Attribute>
Substitution::applyToShape(ArrayRef<Attribute> shape) const {
  SmallVector<Attribute> result;
  for (Attribute element : shape) {
    if (auto pack = dyn_cast<PackAttr>(element)) {
      auto it = packs.find(pack.getName().str());
      if (it == packs.end())
        result.push_back(pack);
      else
        llvm::append_range(result, it->second);
      continue;
    }
    result.push_back(apply(element));
  }
  return result;
}

Attribute Substitution::apply(Attribute attr) const {
  MLIRContext *context = attr.getContext();
  return llvm::TypeSwitch<Attribute, Attribute>(attr)
      .Case<DimAttr>([&](DimAttr dim) {
        return DimAttr::get(context, apply(dim.getValue()));
      })
      .Case<ShapeAttr>([&](ShapeAttr shape) {
        return ShapeAttr::get(context, applyToShape(shape.getElements()));
      })
      .Case<ConstraintAttr>([&](ConstraintAttr constraint) {
        return ConstraintAttr::get(context, apply(constraint.getValue()));
      })
      .Case<TypeAttr>([&](TypeAttr type) {
        Type applied = apply(type.getValue());
        return applied ? TypeAttr::get(applied) : type;
      })
      .Case<ArrayAttr>([&](ArrayAttr array) {
        return ArrayAttr::get(context,
                              llvm::map_to_vector(array, [&](Attribute each) {
                                return apply(each);
                              }));
      })
      .Default(attr);
}

static bool isNegativeSomewhere(ArrayRef<Attribute> shape) {
  return llvm::any_of(shape, [](Attribute element) {
    std::optional<dims::Expr> dim = getDim(element);
    std::optional<dims::Integer> value;
    return dim && (value = dim->asConstant()) && *value < 0;
  });
}

Type Substitution::apply(Type type) const {
  MLIRContext *context = type.getContext();
  return llvm::TypeSwitch<Type, Type>(type)
      .Case<linnet::TensorType>([&](linnet::TensorType tensor) -> Type {
        SmallVector<Attribute> shape = applyToShape(tensor.getShape());
        if (isNegativeSomewhere(shape))
          return nullptr;
        return linnet::TensorType::get(shape, apply(tensor.getElementType()));
      })
      .Case<DtypeType>([&](DtypeType variable) -> Type {
        auto it = dtypes.find(variable.getName().str());
        return it == dtypes.end() ? Type(variable) : it->second;
      })
      .Case<OptionalType>([&](OptionalType optional) -> Type {
        Type value = apply(optional.getValueType());
        return value ? OptionalType::get(value) : nullptr;
      })
      .Case<TupleType>([&](TupleType tuple) -> Type {
        SmallVector<Type> elements;
        for (Type element : tuple.getTypes()) {
          elements.push_back(apply(element));
          if (!elements.back())
            return nullptr;
        }
        return TupleType::get(context, elements);
      })
      .Case<InstanceType>([&](InstanceType instance) -> Type {
        SmallVector<Attribute> arguments;
        for (Attribute argument : instance.getArguments())
          arguments.push_back(apply(argument));
        return InstanceType::get(instance.getBlock(), arguments);
      })
      .Case<linnet::ArrayType>([&](linnet::ArrayType array) -> Type {
        return linnet::ArrayType::get(
            cast<InstanceType>(apply(Type(array.getInstance()))),
            cast<DimAttr>(apply(Attribute(array.getSize()))));
      })
      .Case<linnet::IndexType>([&](linnet::IndexType index) -> Type {
        SmallVector<Attribute> extents = applyToShape(index.getExtents());
        if (isNegativeSomewhere(extents))
          return nullptr;
        return linnet::IndexType::get(context, extents);
      })
      .Case<linnet::RefType>([&](linnet::RefType ref) -> Type {
        Type tensor = apply(Type(ref.getTensor()));
        return tensor ? linnet::RefType::get(cast<linnet::TensorType>(tensor))
                      : nullptr;
      })
      .Default(type);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

// Whether an array attribute holds what its op demands.
template <typename AttrT> static bool holds(ArrayAttr array) {
  return !array || llvm::all_of(array, llvm::IsaPred<AttrT>);
}

static FuncOp checkFunction(Operation *op) {
  auto func = dyn_cast_or_null<FuncOp>(op);
  if (!func || !func.getFunctionTypeAttr() ||
      !isa<FunctionType>(func.getFunctionTypeAttr().getValue()) ||
      !holds<GenericAttr>(func.getGenericsAttr()) ||
      !holds<ConstraintAttr>(func.getWhereAttr()))
    return nullptr;
  return func;
}

static Operation *lookupInModule(Operation *from, FlatSymbolRefAttr name) {
  auto module = from->getParentOfType<ModuleOp>();
  if (!module || !name)
    return nullptr;
  return SymbolTable::lookupSymbolIn(module, name.getAttr());
}

BlockOp linnet::lookupBlock(Operation *from, FlatSymbolRefAttr name) {
  auto block = dyn_cast_or_null<BlockOp>(lookupInModule(from, name));
  if (!block || !holds<GenericAttr>(block.getGenericsAttr()) ||
      !holds<ConstraintAttr>(block.getWhereAttr()) ||
      block->getNumRegions() != 1 || !block.getBody().hasOneBlock())
    return nullptr;
  return block;
}

FuncOp linnet::lookupFunction(Operation *from, FlatSymbolRefAttr name) {
  return checkFunction(lookupInModule(from, name));
}

EnumOp linnet::lookupEnum(Operation *from, FlatSymbolRefAttr name) {
  auto op = dyn_cast_or_null<EnumOp>(lookupInModule(from, name));
  if (!op || !op.getVariantsAttr() || !holds<StringAttr>(op.getVariantsAttr()))
    return nullptr;
  return op;
}

FuncOp linnet::lookupMethod(BlockOp block, StringAttr name) {
  return checkFunction(SymbolTable::lookupSymbolIn(block, name));
}

Operation *linnet::lookupMember(BlockOp block, StringAttr name) {
  Operation *member = SymbolTable::lookupSymbolIn(block, name);
  return member && getMemberType(member) ? member : nullptr;
}

Type linnet::getMemberType(Operation *member) {
  return llvm::TypeSwitch<Operation *, Type>(member)
      .Case<ParamOp, BufferOp, StateOp, SubBlockOp>([](auto op) -> Type {
        TypeAttr type = op.getTypeAttr();
        return type ? type.getValue() : Type();
      })
      .Default(Type());
}

FailureOr<BlockOp> linnet::bindBlock(Operation *op, InstanceType instance,
                                     Substitution &substitution, bool isQuiet) {
  BlockOp block = lookupBlock(op, instance.getBlock());
  if (!block) {
    if (!isQuiet)
      op->emitOpError("the module has no block ") << instance.getBlock();
    return failure();
  }
  std::string error;
  if (succeeded(substitution.bind(block.getGenerics(), instance.getArguments(),
                                  error)))
    return block;
  if (!isQuiet) {
    auto diagnostic = op->emitOpError("block ")
                      << instance.getBlock() << ' ' << error;
    diagnostic.attachNote(block.getLoc()) << "the block stands here";
  }
  return failure();
}

void linnet::addWhereClaims(SmallVectorImpl<Claim> &claims, Operation *op,
                            ArrayAttr where, const Substitution &substitution) {
  for (auto constraint : where.getAsRange<ConstraintAttr>())
    claims.push_back(
        {"E2206", substitution.apply(constraint.getValue()), op->getLoc()});
}

InstanceType linnet::getSelfType(BlockOp block) {
  MLIRContext *context = block.getContext();
  SmallVector<Attribute> arguments;
  for (auto generic : block.getGenerics().getAsRange<GenericAttr>()) {
    StringRef name = generic.getName();
    if (generic.isDim())
      arguments.push_back(getDimSymbol(context, name));
    else if (generic.isPack())
      arguments.push_back(
          ShapeAttr::get(context, {PackAttr::get(context, name)}));
    else
      arguments.push_back(TypeAttr::get(
          DtypeType::get(context, name, generic.getDtypeClass())));
  }
  return InstanceType::get(FlatSymbolRefAttr::get(block.getSymNameAttr()),
                           arguments);
}
