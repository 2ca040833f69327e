// `Dim`, `Constraint`, `Facts` and `Proof` for Python. The signatures below end
// up in the extension's stub, so they say what a caller may rely on.
#include "lib/Python/Dims.h"
#include "lib/Dims/Facts.h"

#include <nanobind/operators.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <variant>

namespace nb = nanobind;

namespace linnet::python {

using dims::Assignment;
using dims::Constraint;
using dims::Expr;
using dims::Facts;
using dims::Integer;
using dims::Relation;

//===--- Integers of any size ---------------------------------------------===//

static Integer toInteger(nb::int_ value) {
  int overflow = 0;
  long long small = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (!overflow)
    return Integer(static_cast<int64_t>(small));
  std::string text = nb::str(value).c_str();
  unsigned bits = 4 * text.size() + 2; // enough for the digits and a sign
  return Integer(llvm::APInt(bits, text, 10));
}

static nb::int_ fromInteger(const Integer &value) {
  if (value >= INT64_MIN && value <= INT64_MAX)
    return nb::int_(static_cast<int64_t>(value));
  std::string text;
  llvm::raw_string_ostream(text) << value;
  PyObject *object = PyLong_FromString(text.c_str(), nullptr, 10);
  if (!object)
    throw nb::python_error();
  return nb::steal<nb::int_>(object);
}

static Assignment toAssignment(const std::map<std::string, nb::int_> &values) {
  Assignment result;
  for (const auto &[name, value] : values)
    result.emplace(name, toInteger(value));
  return result;
}

//===--- Dim --------------------------------------------------------------===//

using Operand = std::variant<Expr, nb::int_>;

static Expr toExpr(const Operand &operand) {
  if (const Expr *expr = std::get_if<Expr>(&operand))
    return *expr;
  return dims::constant(toInteger(std::get<nb::int_>(operand)));
}

static std::map<std::string, Expr>
toExprs(const std::map<std::string, Operand> &values) {
  std::map<std::string, Expr> result;
  for (const auto &[name, value] : values)
    result.emplace(name, toExpr(value));
  return result;
}

template <typename T>
static std::vector<std::string> listNames(const T &value) {
  std::set<std::string> names;
  dims::collectSymbols(value, names);
  return {names.begin(), names.end()};
}

template <typename T>
static T parsed(std::optional<T> result, const std::string &text,
                const std::string &error) {
  if (!result) {
    bool isLong = text.size() > 200;
    throw nb::value_error(
        ("`" + text.substr(0, 200) + (isLong ? "…" : "") + "`: " + error)
            .c_str());
  }
  return *result;
}

/// Adds one binary operator in both orders.
template <typename Function>
static void addOperator(nb::class_<Expr> &type, const std::string &name,
                        Function apply) {
  std::string plain = "__" + name + "__", reflected = "__r" + name + "__";
  type.def(
      plain.c_str(),
      [apply](const Expr &self, const Operand &other) {
        return apply(self, toExpr(other));
      },
      nb::arg("other"), nb::is_operator());
  type.def(
      reflected.c_str(),
      [apply](const Expr &self, const Operand &other) {
        return apply(toExpr(other), self);
      },
      nb::arg("other"), nb::is_operator());
}

static void populateDim(nb::module_ &module) {
  nb::class_<Expr> type(
      module, "Dim",
      "A dimension: an immutable integer expression in canonical form "
      "[DIM-1].\n\n"
      "Equality is equality of canonical forms, so `A * (B + 1) == A * B + A`; "
      "what is\nequal only under facts is a question for `Facts.prove`. A "
      "constant equals the\n`int`. Operators take `Dim` or `int`; `//` is the "
      "floor quotient and `%` its\nremainder [DIM-2]. No operation overflows, "
      "and none fails: a quotient by 0 is an\nexpression without a value.");
  type.def_static(
          "constant",
          [](nb::int_ value) { return dims::constant(toInteger(value)); },
          nb::arg("value"), "The dimension of an integer.")
      .def_static(
          "symbol", [](const std::string &name) { return dims::symbol(name); },
          nb::arg("name"),
          "The dimension of a generic; it stands for an int >= 0.")
      .def_static(
          "pack",
          [](const std::string &name) { return dims::packProduct(name); },
          nb::arg("name"),
          "The product of the pack `*name`, one opaque factor >= 0 [P10]; its "
          "key in\nassignments and substitutions is `*name`.")
      .def_static(
          "parse",
          [](const std::string &text) {
            std::string error;
            return parsed(dims::parseExpr(text, error), text, error);
          },
          nb::arg("text"),
          "Reads what `str` gives: the language's grammar, and `prod(*S)`.\n\n"
          "Raises `ValueError` for other text.")
      .def_static(
          "min",
          [](const Operand &left, const Operand &right) {
            return dims::min(toExpr(left), toExpr(right));
          },
          nb::arg("left"), nb::arg("right"), "The smaller of two dimensions.")
      .def_static(
          "max",
          [](const Operand &left, const Operand &right) {
            return dims::max(toExpr(left), toExpr(right));
          },
          nb::arg("left"), nb::arg("right"), "The larger of two dimensions.");
  addOperator(type, "add", [](const Expr &a, const Expr &b) { return a + b; });
  addOperator(type, "sub", [](const Expr &a, const Expr &b) { return a - b; });
  addOperator(type, "mul", [](const Expr &a, const Expr &b) { return a * b; });
  addOperator(type, "floordiv", [](const Expr &a, const Expr &b) {
    return dims::floorDiv(a, b);
  });
  addOperator(type, "mod",
              [](const Expr &a, const Expr &b) { return dims::mod(a, b); });
  type.def("__neg__", [](const Expr &self) { return -self; })
      .def(
          "__eq__",
          [](const Expr &self, nb::object other) {
            if (nb::isinstance<Expr>(other))
              return self == nb::cast<Expr>(other);
            return nb::isinstance<nb::int_>(other) &&
                   self ==
                       dims::constant(toInteger(nb::borrow<nb::int_>(other)));
          },
          nb::arg("other").none(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Expr &self) -> Py_hash_t {
             // A constant hashes as the int that it equals.
             if (std::optional<Integer> value = self.asConstant())
               return PyObject_Hash(fromInteger(*value).ptr());
             return static_cast<Py_hash_t>(self.getHash() >> 1);
           })
      .def("__str__", [](const Expr &self) { return dims::toString(self); })
      .def("__repr__",
           [](const Expr &self) {
             return "Dim.parse('" + dims::toString(self) + "')";
           })
      .def_prop_ro(
          "value",
          [](const Expr &self) -> std::optional<nb::int_> {
            std::optional<Integer> value = self.asConstant();
            return value ? std::optional(fromInteger(*value)) : std::nullopt;
          },
          "The integer, if the dimension mentions no name, else None.")
      .def_prop_ro(
          "name",
          [](const Expr &self) -> std::optional<std::string> {
            std::optional<dims::Atom> atom = self.asAtom();
            if (!atom || !atom->isNamed())
              return std::nullopt;
            return atom->getKey();
          },
          "`N` for a bare symbol, `*S` for a bare pack product, else None.")
      .def("symbols", &listNames<Expr>,
           "The names it mentions, sorted: `N` of symbols, `*S` of pack "
           "products.")
      .def(
          "substitute",
          [](const Expr &self, const std::map<std::string, Operand> &values) {
            return dims::substitute(self, toExprs(values));
          },
          nb::arg("values"),
          "Replaces names (`N`, `*S`) by dimensions, all at once.")
      .def(
          "evaluate",
          [](const Expr &self, const std::map<std::string, nb::int_> &values)
              -> std::optional<nb::int_> {
            std::optional<Integer> value =
                dims::evaluate(self, toAssignment(values));
            return value ? std::optional(fromInteger(*value)) : std::nullopt;
          },
          nb::arg("values"),
          "The value, or None where a name has none or a divisor is not "
          "positive.");
}

//===--- Constraint -------------------------------------------------------===//

static Relation toRelation(const std::string &text) {
  for (Relation relation : {Relation::Eq, Relation::Ne, Relation::Lt,
                            Relation::Le, Relation::Gt, Relation::Ge})
    if (dims::spell(relation) == text)
      return relation;
  throw nb::value_error(("`" + text + "` is not a comparison").c_str());
}

static void populateConstraint(nb::module_ &module) {
  nb::class_<Constraint>(
      module, "Constraint",
      "A comparison of two dimensions: a fact of a `where` clause, or a claim.")
      .def(
          "__init__",
          [](Constraint *self, const Operand &lhs, const std::string &relation,
             const Operand &rhs) {
            new (self)
                Constraint{toExpr(lhs), toRelation(relation), toExpr(rhs)};
          },
          nb::arg("lhs"), nb::arg("relation"), nb::arg("rhs"),
          "`relation` is one of `== != < <= > >=`, else `ValueError`.")
      .def_static(
          "parse",
          [](const std::string &text) {
            std::string error;
            return parsed(dims::parseConstraint(text, error), text, error);
          },
          nb::arg("text"),
          "Reads what `str` gives, such as `H % Heads == 0`.\n\n"
          "Raises `ValueError` for other text.")
      .def_ro("lhs", &Constraint::lhs)
      .def_ro("rhs", &Constraint::rhs)
      .def_prop_ro("relation",
                   [](const Constraint &self) {
                     return dims::spell(self.relation).str();
                   })
      .def(
          "__eq__",
          [](const Constraint &self, nb::object other) {
            return nb::isinstance<Constraint>(other) &&
                   self == nb::cast<Constraint>(other);
          },
          nb::arg("other").none(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Constraint &self) {
             return static_cast<Py_hash_t>(size_t(hash_value(self)) >> 1);
           })
      .def("__str__",
           [](const Constraint &self) { return dims::toString(self); })
      .def("__repr__",
           [](const Constraint &self) {
             return "Constraint.parse('" + dims::toString(self) + "')";
           })
      .def("symbols", &listNames<Constraint>, "The names it mentions, sorted.")
      .def(
          "substitute",
          [](const Constraint &self,
             const std::map<std::string, Operand> &values) {
            return dims::substitute(self, toExprs(values));
          },
          nb::arg("values"),
          "Replaces names (`N`, `*S`) by dimensions, all at once.")
      .def(
          "evaluate",
          [](const Constraint &self,
             const std::map<std::string, nb::int_> &values) {
            return dims::evaluate(self, toAssignment(values));
          },
          nb::arg("values"),
          "Whether it holds, or None where a side has no value. A fact without "
          "a value\ncounts as unsatisfied [DIM-5].");
}

//===--- Facts ------------------------------------------------------------===//

static std::optional<std::map<std::string, nb::int_>>
fromAssignment(const dims::Answer &answer, const Assignment &assignment) {
  if (answer.status != dims::Status::Refuted)
    return std::nullopt;
  std::map<std::string, nb::int_> values;
  for (const auto &[name, value] : assignment)
    values.emplace(name, fromInteger(value));
  return values;
}

static void populateFacts(nb::module_ &module) {
  using dims::Answer;
  using dims::Status;
  nb::class_<Answer>(module, "Proof", "The answer of the prover to one claim.")
      .def_prop_ro(
          "status",
          [](const Answer &self) {
            return self.status == Status::Proven    ? "proven"
                   : self.status == Status::Refuted ? "refuted"
                                                    : "unknown";
          },
          nb::sig("def status(self) -> "
                  "typing.Literal['proven', 'refuted', 'unknown']"))
      .def_prop_ro("is_proven", &Answer::isProven)
      .def_prop_ro(
          "witness",
          [](const Answer &self) { return fromAssignment(self, self.witness); },
          "For a refuted claim, values that satisfy the facts and make the "
          "claim "
          "false, of the\nnames in the claim and of those that facts connect "
          "with "
          "them; else None.")
      .def_prop_ro(
          "elsewhere",
          [](const Answer &self) {
            return fromAssignment(self, self.elsewhere);
          },
          "For a refuted claim, values of all other names, which satisfy the "
          "facts that are\nleft; else None.")
      .def_prop_ro(
          "missing", [](const Answer &self) { return self.missing; },
          "For an unknown claim, the first constraint that would settle it, "
          "if one was\nfound; else None. See `Facts.suggest`.")
      .def_ro(
          "is_cut_short", &Answer::isCutShort,
          "For an unknown claim, whether the steps ran out: it, or what the "
          "facts say, is\ntoo large to decide.")
      .def_ro("steps", &Answer::steps,
              "The work that the answer took. It depends on facts and claim "
              "alone.");

  nb::class_<Facts>(
      module, "Facts",
      "What is known in a scope [DIM-4]: constraints, and that every name is "
      ">= "
      "0.\n\nPreparing the constraints happens here, once; ask one value many "
      "claims.")
      .def(
          "__init__",
          [](Facts *self, const std::vector<Constraint> &constraints) {
            new (self) Facts(constraints);
          },
          nb::arg("constraints") = std::vector<Constraint>(),
          nb::sig("def __init__(self, constraints: "
                  "collections.abc.Sequence[Constraint] = ()) -> None"))
      .def_prop_ro("constraints",
                   [](const Facts &self) {
                     return std::vector<Constraint>(self.getConstraints());
                   })
      .def(
          "prove", &dims::prove, nb::arg("claim"),
          "Whether the claim holds for every assignment that satisfies the "
          "facts.\n\n"
          "Sound [DIM-16] and deterministic. A claim that reads like a fact is "
          "proven by it;\nof any other, every divisor must be provably "
          "positive.")
      .def("is_provable", &dims::isProvable, nb::arg("claim"),
           "`prove(claim).is_proven`, without the search for a witness.")
      .def_prop_ro("is_contradictory", &dims::isContradictory,
                   "Whether no assignment satisfies the facts, as far as can "
                   "be derived;\neverything is then provable.")
      .def(
          "suggest",
          [](const Facts &self, const Constraint &claim) {
            llvm::SmallVector<Constraint> lines = dims::suggest(self, claim);
            return std::vector<Constraint>(lines.begin(), lines.end());
          },
          nb::arg("claim"),
          "The `where` lines, over names of the claim only, that together "
          "settle it. They\nwere tried: the claim is provable with them, and "
          "values of at least 1 satisfy them\nand the facts. Empty where none "
          "was found.")
      .def(
          "suggest_all",
          [](const Facts &self, const Constraint &claim, size_t limit) {
            std::vector<std::vector<Constraint>> result;
            for (const auto &lines : dims::suggestAll(self, claim, limit))
              result.emplace_back(lines.begin(), lines.end());
            return result;
          },
          nb::arg("claim"), nb::arg("limit") = 4,
          "Up to `limit` different answers of the kind that `suggest` gives, "
          "the most telling\nfirst.")
      .def("simplify", &dims::simplify, nb::arg("dim"),
           "A dimension of equal value wherever the facts hold, with minima, "
           "maxima,\nquotients and remainders resolved as far as the facts "
           "decide them.");
}

void populateDims(nb::module_ &module) {
  populateDim(module);
  populateConstraint(module);
  populateFacts(module);
}

} // namespace linnet::python
