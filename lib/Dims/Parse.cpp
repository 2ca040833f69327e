// Expressions and constraints from text: the language's own grammar for
// compile-time integers, and `prod(*S)` for the product of a pack.
#include "lib/Dims/Constraint.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace linnet::dims {

/// As many as Python turns into text; reading takes quadratic time.
static constexpr size_t maxDigits = 4300;

namespace {
class Parser {
public:
  Parser(StringRef text, std::string &error) : rest(text), error(error) {}

  std::optional<Expr> parseSum();
  std::optional<Relation> parseRelation();
  bool expectEnd() {
    skipSpace();
    return rest.empty() ||
           (fail("expected the end, found " + describeNext()), false);
  }

private:
  std::optional<Expr> parseProduct();
  std::optional<Expr> parseUnary();
  std::optional<Expr> parsePrimary();
  std::optional<Expr> parseNumber();
  std::optional<Expr> parsePack();
  std::optional<Expr> parseOpaque();
  std::optional<Expr> parseExtremum(bool isMin);

  void skipSpace() { rest = rest.ltrim(" \t\r\n"); }
  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  bool expect(StringRef token) {
    if (consume(token))
      return true;
    fail("expected `" + token + "`, found " + describeNext());
    return false;
  }
  StringRef takeName() {
    skipSpace();
    if (rest.empty() || !(isAlpha(rest[0]) || rest[0] == '_'))
      return {};
    StringRef name =
        rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest = rest.drop_front(name.size());
    return name;
  }
  std::string describeNext() {
    skipSpace();
    return rest.empty() ? "the end" : ("`" + rest.take_front(12) + "`").str();
  }
  std::nullopt_t fail(const Twine &message) {
    if (error.empty())
      error = message.str();
    return std::nullopt;
  }

  StringRef rest;
  std::string &error;
  unsigned depth = 0;
};
} // namespace

std::optional<Expr> Parser::parseSum() {
  std::optional<Expr> left = parseProduct();
  while (left) {
    bool isPlus = consume("+");
    if (!isPlus && !consume("-"))
      break;
    std::optional<Expr> right = parseProduct();
    if (!right)
      return std::nullopt;
    left = isPlus ? *left + *right : *left - *right;
  }
  return left;
}

std::optional<Expr> Parser::parseProduct() {
  std::optional<Expr> left = parseUnary();
  while (left) {
    skipSpace();
    char op = rest.empty() ? '\0' : rest[0];
    if (op != '*' && op != '/' && op != '%')
      break;
    rest = rest.drop_front();
    std::optional<Expr> right = parseUnary();
    if (!right)
      return std::nullopt;
    left = op == '*'   ? *left * *right
           : op == '/' ? floorDiv(*left, *right)
                       : mod(*left, *right);
  }
  return left;
}

std::optional<Expr> Parser::parseUnary() {
  if (consume("-")) {
    std::optional<Expr> operand = parsePrimary();
    return operand ? std::optional<Expr>(-*operand) : std::nullopt;
  }
  consume("+");
  return parsePrimary();
}

std::optional<Expr> Parser::parsePrimary() {
  // Deep nesting would overflow the stack; no program comes near this.
  if (depth >= 200)
    return fail("nested too deeply");
  skipSpace();
  if (!rest.empty() && isDigit(rest[0]))
    return parseNumber();
  if (consume("(")) {
    ++depth;
    std::optional<Expr> inner = parseSum();
    --depth;
    if (!inner || !expect(")"))
      return std::nullopt;
    return inner;
  }
  StringRef name = takeName();
  if (name.empty())
    return fail("expected a dimension, found " + describeNext());
  skipSpace();
  if (!rest.starts_with("("))
    return symbol(name);
  if (name == "prod")
    return parsePack();
  if (name == "huge")
    return parseOpaque();
  if (name == "min" || name == "max")
    return parseExtremum(name == "min");
  return fail("`" + name + "` is not a function of dimensions");
}

std::optional<Expr> Parser::parseNumber() {
  Integer value(0);
  size_t length =
      rest.take_while([](char c) { return isDigit(c) || c == '_'; }).size();
  if (length > maxDigits)
    return fail("a number of " + Twine(length) + " digits");
  while (!rest.empty() && (isDigit(rest[0]) || rest[0] == '_')) {
    if (rest[0] != '_')
      value = value * 10 + (rest[0] - '0');
    rest = rest.drop_front();
  }
  if (!rest.empty() && isAlpha(rest[0]))
    return fail("malformed number before `" + rest.take_front(12) + "`");
  return constant(value);
}

std::optional<Expr> Parser::parsePack() {
  if (!expect("(") || !expect("*"))
    return std::nullopt;
  StringRef name = takeName();
  if (name.empty())
    return fail("expected the name of a pack, found " + describeNext());
  if (!expect(")"))
    return std::nullopt;
  return packProduct(name);
}

std::optional<Expr> Parser::parseOpaque() {
  if (!expect("("))
    return std::nullopt;
  StringRef digest = rest.take_while(isHexDigit);
  rest = rest.drop_front(digest.size());
  if (digest.empty())
    return fail("expected a digest, found " + describeNext());
  if (!expect(")"))
    return std::nullopt;
  return opaque(digest);
}

std::optional<Expr> Parser::parseExtremum(bool isMin) {
  if (!expect("("))
    return std::nullopt;
  SmallVector<Expr> operands;
  ++depth;
  do {
    std::optional<Expr> operand = parseSum();
    if (!operand)
      return std::nullopt;
    operands.push_back(*operand);
  } while (consume(","));
  --depth;
  if (!expect(")"))
    return std::nullopt;
  return isMin ? min(operands) : max(operands);
}

std::optional<Relation> Parser::parseRelation() {
  // The longer token first: `<=` before `<`.
  for (Relation relation : {Relation::Eq, Relation::Ne, Relation::Le,
                            Relation::Ge, Relation::Lt, Relation::Gt})
    if (consume(spell(relation)))
      return relation;
  return fail("expected a comparison, found " + describeNext());
}

std::optional<Expr> parseExpr(StringRef text, std::string &error) {
  Parser parser(text, error);
  std::optional<Expr> result = parser.parseSum();
  if (!result || !parser.expectEnd())
    return std::nullopt;
  return result;
}

std::optional<Constraint> parseConstraint(StringRef text, std::string &error) {
  Parser parser(text, error);
  std::optional<Expr> lhs = parser.parseSum();
  if (!lhs)
    return std::nullopt;
  std::optional<Relation> relation = parser.parseRelation();
  if (!relation)
    return std::nullopt;
  std::optional<Expr> rhs = parser.parseSum();
  if (!rhs || !parser.expectEnd())
    return std::nullopt;
  return Constraint{*lhs, *relation, *rhs};
}

} // namespace linnet::dims
