// Comparisons of dimension expressions: `where` facts and claims.
#ifndef LINNET_LIB_DIMS_CONSTRAINT_H
#define LINNET_LIB_DIMS_CONSTRAINT_H

#include "lib/Dims/Expr.h"

namespace linnet::dims {

enum class Relation : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

/// The source text of a relation, such as `<=`.
llvm::StringRef spell(Relation relation);

struct Constraint {
  Expr lhs;
  Relation relation;
  Expr rhs;
};

bool operator==(const Constraint &a, const Constraint &b);
inline bool operator!=(const Constraint &a, const Constraint &b) {
  return !(a == b);
}
llvm::hash_code hash_value(const Constraint &a);

/// Prints as `S <= MaxPositions`; `parseConstraint` reads it back.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Constraint &a);
std::string toString(const Constraint &a);
std::optional<Constraint> parseConstraint(llvm::StringRef text,
                                          std::string &error);

/// Whether it holds, or nothing where a side has no value. A fact without a
/// value counts as unsatisfied [DIM-5].
std::optional<bool> evaluate(const Constraint &a, const Assignment &values);
Constraint substitute(const Constraint &a,
                      const std::map<std::string, Expr> &values);
void collectSymbols(const Constraint &a, std::set<std::string> &names);

/// The same comparison turned round: `b > a` for `a < b`.
Constraint mirror(const Constraint &a);

/// Whether both say the same word for word, up to the canonical form of each
/// side and up to turning the comparison round (`a < b`, `b > a`).
bool readsLike(const Constraint &a, const Constraint &b);

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_CONSTRAINT_H
