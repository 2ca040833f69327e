// What is known of an entry's open sizes.
#include "lib/Bind/Open.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

/// The greatest number from `low` to `high` for which `holds`, which is true of
/// `low` and false from some number on.
static int64_t search(int64_t low, int64_t high,
                      llvm::function_ref<bool(int64_t)> holds) {
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if (holds(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static std::pair<int64_t, int64_t> findRange(StringRef name,
                                             const dims::Facts &facts) {
  dims::Expr size = dims::symbol(name);
  auto is = [&](dims::Relation relation, int64_t number) {
    return dims::isProvable(facts, {size, relation, dims::constant(number)});
  };
  int64_t least = search(0, OpenSizes::largest, [&](int64_t number) {
    return is(dims::Relation::Ge, number);
  });
  // Negated: `size <= number` is true from some number on.
  int64_t most = -search(-OpenSizes::largest, -least, [&](int64_t number) {
    return number == -OpenSizes::largest || is(dims::Relation::Le, -number);
  });
  return {least, most};
}

LogicalResult OpenSizes::collect(ArrayRef<ArrayAttr> constraints, Scope &scope,
                                 const NamedAttrList &bindings, Location loc) {
  if (names.empty())
    return success();
  for (ArrayAttr list : constraints) {
    if (!list)
      continue;
    for (auto attr : list.getAsRange<ConstraintAttr>()) {
      const dims::Constraint &constraint = attr.getValue();
      std::optional<dims::Constraint> fact = scope.openConstraint(constraint);
      if (!fact)
        continue;
      std::set<std::string> mentioned;
      dims::collectSymbols(constraint, mentioned);
      bool isPlain = llvm::all_of(mentioned, [&](const std::string &name) {
        return llvm::is_contained(names, name) ||
               isa_and_nonnull<IntegerAttr>(bindings.get(name));
      });
      written.push_back(dims::toString(isPlain ? constraint : *fact));
      facts.push_back(std::move(*fact));
    }
  }
  auto known = std::make_shared<dims::Facts>(facts);
  if (dims::isContradictory(*known))
    return emitError(loc) << "[E2206] no sizes satisfy the constraints of this "
                             "entry with the numbers given";
  for (const std::string &name : names)
    ranges.push_back(findRange(name, *known));
  scope.assume(known);
  return success();
}

ArrayAttr OpenSizes::generics(MLIRContext *context) const {
  SmallVector<Attribute> generics;
  for (const std::string &name : names)
    generics.push_back(
        GenericAttr::get(context, name, GenericKind::Dim, Attribute()));
  return ArrayAttr::get(context, generics);
}

ArrayAttr OpenSizes::where(MLIRContext *context) const {
  SmallVector<Attribute> where;
  for (const dims::Constraint &fact : facts)
    where.push_back(ConstraintAttr::get(context, fact));
  return ArrayAttr::get(context, where);
}

void OpenSizes::addTo(OperationState &function) const {
  if (names.empty())
    return;
  Builder builder(function.getContext());
  NamedAttrList sizes;
  for (auto [name, range] : llvm::zip_equal(names, ranges))
    sizes.set(name, builder.getDenseI64ArrayAttr({range.first, range.second}));
  function.addAttribute("linnet.ranges",
                        sizes.getDictionary(function.getContext()));
  function.addAttribute("linnet.constraints",
                        builder.getStrArrayAttr(SmallVector<StringRef>(
                            written.begin(), written.end())));
}
