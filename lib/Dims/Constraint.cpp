// Constraints: comparison, evaluation, substitution.
#include "lib/Dims/Constraint.h"

using namespace llvm;

namespace linnet::dims {

StringRef spell(Relation relation) {
  switch (relation) {
  case Relation::Eq:
    return "==";
  case Relation::Ne:
    return "!=";
  case Relation::Lt:
    return "<";
  case Relation::Le:
    return "<=";
  case Relation::Gt:
    return ">";
  case Relation::Ge:
    return ">=";
  }
  llvm_unreachable("a relation of no kind");
}

/// The relation of `b` to `a` when `relation` is the one of `a` to `b`.
static Relation mirror(Relation relation) {
  switch (relation) {
  case Relation::Eq:
  case Relation::Ne:
    return relation;
  case Relation::Lt:
    return Relation::Gt;
  case Relation::Le:
    return Relation::Ge;
  case Relation::Gt:
    return Relation::Lt;
  case Relation::Ge:
    return Relation::Le;
  }
  llvm_unreachable("a relation of no kind");
}

bool operator==(const Constraint &a, const Constraint &b) {
  return a.relation == b.relation && a.lhs == b.lhs && a.rhs == b.rhs;
}

hash_code hash_value(const Constraint &a) {
  return hash_combine(a.lhs, static_cast<unsigned>(a.relation), a.rhs);
}

Constraint mirror(const Constraint &a) {
  return {a.rhs, mirror(a.relation), a.lhs};
}

bool readsLike(const Constraint &a, const Constraint &b) {
  return a == b || a == mirror(b);
}

std::optional<bool> evaluate(const Constraint &a, const Assignment &values) {
  std::optional<Integer> lhs = evaluate(a.lhs, values);
  std::optional<Integer> rhs = evaluate(a.rhs, values);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (a.relation) {
  case Relation::Eq:
    return *lhs == *rhs;
  case Relation::Ne:
    return *lhs != *rhs;
  case Relation::Lt:
    return *lhs < *rhs;
  case Relation::Le:
    return *lhs <= *rhs;
  case Relation::Gt:
    return *lhs > *rhs;
  case Relation::Ge:
    return *lhs >= *rhs;
  }
  llvm_unreachable("a relation of no kind");
}

Constraint substitute(const Constraint &a,
                      const std::map<std::string, Expr> &values) {
  return {substitute(a.lhs, values), a.relation, substitute(a.rhs, values)};
}

void collectSymbols(const Constraint &a, std::set<std::string> &names) {
  collectSymbols(a.lhs, names);
  collectSymbols(a.rhs, names);
}

} // namespace linnet::dims
