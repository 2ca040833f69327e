// Collection of facts and claims, and their proof.
#include "lib/Verify/Obligations.h"

#include "dialect/LinnetDialect.h"

#include "llvm/ADT/StringExtras.h"

#include <memory>
#include <unordered_map>

using namespace mlir;
using namespace linnet;
using namespace linnet::verify;

namespace {

struct HashConstraint {
  size_t operator()(const dims::Constraint &constraint) const {
    return hash_value(constraint);
  }
};

/// The facts of one set of constraints, and every answer that they gave. Types
/// and attributes are unique in their context and claims canonical, so
/// functions with the same `where` share answers, and so do claims that differ
/// in form.
struct Context {
  explicit Context(ArrayRef<dims::Constraint> constraints)
      : facts(constraints), isContradictory(dims::isContradictory(facts)) {}

  const dims::Answer &prove(const dims::Constraint &claim) {
    auto found = answers.find(claim);
    if (found == answers.end()) {
      found = answers.try_emplace(claim, dims::prove(facts, claim)).first;
      ++proofs;
    }
    return found->second;
  }

  /// Ways to settle a claim, the most telling first.
  using Advice = std::vector<SmallVector<dims::Constraint>>;
  const Advice &advise(const dims::Constraint &claim) {
    constexpr size_t maxWays = 4;
    auto found = advice.find(claim);
    if (found == advice.end())
      found = advice.try_emplace(claim, dims::suggestAll(facts, claim, maxWays))
                  .first;
    return found->second;
  }

  dims::Facts facts;
  unsigned proofs = 0;
  bool isContradictory;
  std::unordered_map<dims::Constraint, dims::Answer, HashConstraint> answers;
  std::unordered_map<dims::Constraint, Advice, HashConstraint> advice;
  /// Types whose dimensions are known not to be provably negative.
  llvm::DenseSet<Type> seenTypes;
};

static bool hasSubtraction(const dims::Expr &size) {
  return llvm::any_of(size.getTerms(), [](const dims::Term &term) {
    return term.coefficient < dims::Integer(0);
  });
}

class Prover {
public:
  explicit Prover(SmallVectorImpl<Failure> &failures) : failures(failures) {}

  void run(ModuleOp module) {
    for (Operation &op : *module.getBody()) {
      if (auto function = dyn_cast<FuncOp>(op)) {
        proveFunction(function, {});
      } else if (auto block = dyn_cast<BlockOp>(op)) {
        Context &context = contextOf(block.getWhere(), {});
        divisors.clear();
        for (Operation &member : block.getBody().front())
          if (!isa<FuncOp>(member))
            proveOp(&member, context);
        for (FuncOp method : block.getOps<FuncOp>())
          proveFunction(method, block.getWhere());
      }
    }
  }

  Effort getEffort() const {
    Effort effort{claims, 0};
    for (const auto &[key, context] : contexts)
      effort.proofs += context->proofs;
    return effort;
  }

private:
  /// Γ of a function or block [DIM-4]. That names are >= 0 is part of all
  /// facts.
  Context &contextOf(ArrayAttr where, ArrayAttr outer) {
    std::unique_ptr<Context> &context = contexts[{where, outer}];
    if (!context) {
      SmallVector<dims::Constraint> constraints;
      for (ArrayAttr list : {outer, where})
        if (list)
          for (auto constraint : list.getAsRange<ConstraintAttr>())
            constraints.push_back(constraint.getValue());
      context = std::make_unique<Context>(constraints);
    }
    return *context;
  }

  void proveFunction(FuncOp function, ArrayAttr outer) {
    Context &context = contextOf(function.getWhere(), outer);
    divisors.clear();
    for (Type type : function.getArgumentTypes())
      refuseNegative(function, type, 0, context);
    for (Type type : function.getResultTypes())
      refuseNegative(function, type, 0, context);
    function.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { proveOp(op, context); });
  }

  void proveOp(Operation *op, Context &context) {
    unsigned count = 0;
    if (auto obliged = dyn_cast<DimObligationOpInterface>(op)) {
      SmallVector<dims::Constraint> refused;
      for (const Claim &claim : obliged.getClaims()) {
        unsigned index = count++;
        ++claims;
        const dims::Answer &answer = prove(claim, context);
        if (answer.isProven() ||
            llvm::is_contained(refused, claim.constraint) ||
            followsFromReported(claim))
          continue;
        if (claim.code == "E2205" &&
            !llvm::is_contained(divisors, claim.constraint)) {
          positive = (divisors.empty() ? context.facts : positive)
                         .with(claim.constraint);
          divisors.push_back(claim.constraint);
        }
        refused.push_back(claim.constraint);
        report(claim, op, index, answer, context);
      }
    }
    for (Type type : op->getResultTypes())
      refuseNegative(op, type, count, context);
    if (auto type = op->getAttrOfType<TypeAttr>("type")) // a member's
      refuseNegative(op, type.getValue(), count, context);
  }

  void report(const Claim &claim, Operation *op, unsigned index,
              const dims::Answer &answer, Context &context) {
    Context::Advice alternatives = context.advise(claim.constraint);
    SmallVector<dims::Constraint> settles;
    if (!alternatives.empty()) {
      settles = alternatives.front();
      alternatives.erase(alternatives.begin());
    }
    failures.push_back({claim.code, op, claim.loc, index, claim.constraint,
                        answer.status, answer.witness, settles, alternatives,
                        answer.isCutShort});
  }

  /// Whether the claim would hold if the divisors that were refused in this
  /// scope were positive: one error is enough for both.
  bool followsFromReported(const Claim &claim) {
    if (divisors.empty() || claim.code == "E2205")
      return false;
    return dims::isProvable(positive, claim.constraint) ||
           (claim.alternative &&
            dims::isProvable(positive, *claim.alternative));
  }

  /// The answer to a claim that may hold in one of two ways. A witness fails
  /// both.
  const dims::Answer &prove(const Claim &claim, Context &context) {
    const dims::Answer &answer = context.prove(claim.constraint);
    if (answer.isProven() || !claim.alternative)
      return answer;
    const dims::Answer &other = context.prove(*claim.alternative);
    if (other.isProven())
      return other;
    if (answer.status != dims::Status::Refuted ||
        !dims::evaluate(*claim.alternative, answer.witness).value_or(true))
      return answer;
    dims::Constraint neither = *claim.alternative;
    assert(neither.relation == dims::Relation::Eq &&
           "alternatives are equations");
    neither.relation = dims::Relation::Ne;
    strict = dims::prove(context.facts.with(neither), claim.constraint);
    return strict;
  }

  /// E2208 for a dimension that is negative wherever the facts hold [DIM-15].
  void refuseNegative(Operation *op, Type type, unsigned index,
                      Context &context) {
    if (context.isContradictory || !context.seenTypes.insert(type).second)
      return;
    type.walk([&](DimAttr dim) {
      const dims::Expr &size = dim.getValue();
      // Only a subtraction can make a size negative, at any depth.
      bool mayBeNegative = hasSubtraction(size);
      dims::walkAtoms(size, [&](const dims::Atom &atom) {
        mayBeNegative |= llvm::any_of(atom.getOperands(), hasSubtraction);
      });
      dims::Constraint negative{size, dims::Relation::Lt, dims::constant(0)};
      if (!mayBeNegative || !dims::isProvable(context.facts, negative))
        return;
      dims::Constraint claim{size, dims::Relation::Ge, dims::constant(0)};
      const dims::Answer &answer = context.prove(claim);
      failures.push_back({"E2208",
                          op,
                          op->getLoc(),
                          index,
                          claim,
                          dims::Status::Refuted,
                          answer.witness,
                          {},
                          {}});
    });
  }

  SmallVectorImpl<Failure> &failures;
  unsigned claims = 0;
  /// The claims of E2205 that failed in the function or block at hand.
  SmallVector<dims::Constraint> divisors;
  /// The facts at hand, and that these divisors are positive.
  dims::Facts positive;
  /// The last answer under facts of its own.
  dims::Answer strict;
  llvm::DenseMap<std::pair<Attribute, Attribute>, std::unique_ptr<Context>>
      contexts;
};

} // namespace

SmallVector<Failure> linnet::verify::verifyObligations(ModuleOp module,
                                                       Effort *effort) {
  SmallVector<Failure> failures;
  Prover prover(failures);
  prover.run(module);
  if (effort)
    *effort = prover.getEffort();
  return failures;
}

std::string linnet::verify::show(const dims::Assignment &witness) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator separator;
  for (const auto &[name, value] : witness)
    os << separator << name << " = " << value;
  return text;
}

std::string linnet::verify::show(ArrayRef<dims::Constraint> constraints) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(constraints, os);
  return text;
}
