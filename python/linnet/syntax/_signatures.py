"""The parser's rules for signatures, gradients and kernels (spec sections 3.1, 21.4, 21.5)."""

from typing import Final

from linnet.diagnostics import Diagnostic, Label
from linnet.syntax._cursor import RuleError
from linnet.syntax._imports import ImportParser
from linnet.syntax._lexer import IDENT, INT
from linnet.syntax._tree import (
    Constraint,
    Field,
    FunctionKind,
    Gradient,
    IntLiteral,
    Kernel,
    KernelUse,
    Param,
    Type,
)
from linnet.syntax._types import ARITHMETIC

_COMPARISONS: Final = frozenset(("==", "!=", "<", "<=", ">", ">="))


class SignatureParser(ImportParser):
    """Rules for what stands before and behind the body of a function."""

    def params(self) -> tuple[Param, ...]:
        """`"(" [ list(Param) ] ")"`."""
        opener = self.at
        self.expect("(")
        params: list[Param] = []
        if self.kinds[self.at] != ")":
            params.append(self._param())
            while self.separate(opener):
                params.append(self._param())
        self.at += 1
        return tuple(params)

    def _param(self) -> Param:
        start = self.starts[self.at]
        if self.kinds[self.at] == "*":
            self.fail("a parameter", notes=("a pack is declared among the generics",))
        name = self.name("the name of a parameter")
        if self.kinds[self.at] != ":":
            self.fail(f"`:` and the type of `{name.text}`")
        self.at += 1
        kind = self.type()
        default = None
        if self.kinds[self.at] == "=":
            self.at += 1
            default = self.expression()
        return Param(name, kind, default, self.span(start))

    def result(self, kind: FunctionKind) -> Type | None:
        """`[ "->" Type ]`; an `op` has one."""
        if self.kinds[self.at] == "->":
            self.at += 1
            return self.type()
        if kind == "op":
            self.fail("`->` and the type of the result", notes=("an `op` has a result",))
        return None

    def where(self) -> tuple[Constraint, ...]:
        """`[ "where" list(Constraint) ]`."""
        if self.kinds[self.at] != "where":
            return ()
        self.at += 1
        found = [self._constraint()]
        while self.kinds[self.at] == ",":
            self.at += 1
            if self.kinds[self.at] == "{":
                break
            found.append(self._constraint())
        return tuple(found)

    def _constraint(self) -> Constraint:
        start = self.starts[self.at]
        left = self.binary(ARITHMETIC)
        op = self.kinds[self.at]
        if op not in _COMPARISONS:
            note = "a constraint is one comparison: `N > 0`, `H % N == 0`"
            self.fail("a comparison", notes=(note,))
        self.at += 1
        right = self.binary(ARITHMETIC)
        if self.kinds[self.at] in ("&&", "||"):
            self.fail("`,` or `{`", notes=("constraints are separated by commas",))
        return Constraint(op, left, right, self.span(start))

    # Gradients and kernels

    def at_gradient(self) -> bool:
        """Whether a `grad` clause begins here; elsewhere `grad` is a name [LAT-7]."""
        at = self.at
        return self.kinds[at] == IDENT and self.kinds[at + 1] == "(" and self.word(at) == "grad"

    def gradient(self) -> Gradient:
        """`"grad" "(" IDENT "," IDENT ")" Body`."""
        start = self.starts[self.at]
        self.at += 1
        opener = self.at
        self.expect("(")
        value = self.name("a name for the result")
        note = "a `grad` clause names the result and the gradient that reaches it: `grad(y, dy)`"
        if self.kinds[self.at] != ",":
            self.fail("`,` and a name for the gradient of the result", notes=(note,))
        self.at += 1
        incoming = self.name("a name for the gradient of the result")
        if self.separate(opener):
            self.fail("`)`", notes=(note,))
        self.at += 1
        head_span = self.span(start)
        body = self.body()
        return Gradient(value, incoming, body, head_span, self.span(start))

    def kernel_use(self) -> KernelUse | None:
        """`[ "kernel" IDENT [ GenericArgs ] ]` after the result of an `op`."""
        if self.kinds[self.at] != "kernel":
            return None
        start = self.starts[self.at]
        self.at += 1
        name = self.name("the name of a kernel")
        args = self.generic_args() if self.kinds[self.at] == "<" else ()
        return KernelUse(name, args, self.span(start))

    def kernel(self, public: bool, start: int) -> Kernel:
        """`"kernel" IDENT … "grid" "(" list(Expr) ")" …` [LAT-9]."""
        self.at += 1
        name = self.name("the name of the kernel")
        generics = self.generics()
        params = self.params()
        results = self._kernel_results()
        if not self._at_hint("grid"):
            note = "a kernel states how often it runs: `grid(N / B)`, one to three sizes"
            self.fail("`grid`", notes=(note,))
        self.at += 1
        opener = self.at
        self.expect("(")
        grid = [self.expression()]
        while self.separate(opener):
            grid.append(self.expression())
        self.at += 1
        warps = self._hint("warps")
        stages = self._hint("stages")
        where = self.where()
        if self.kinds[self.at] != "{":
            self.fail("`{`")
        head_span = self.span(start)
        self.quiet = False
        body = self.body()
        return Kernel(
            public, name, generics, params, results, tuple(grid), warps, stages, where, body,
            head_span, self.span(start),
        )  # fmt: skip

    def _kernel_results(self) -> tuple[Field, ...]:
        """`"->" ( IDENT ":" Type | "(" list(IDENT ":" Type) ")" )`."""
        note = "a kernel names what it writes: `-> y: Tensor[N; f32]`"
        if self.kinds[self.at] != "->":
            self.fail("`->` and the results", notes=(note,))
        self.at += 1
        if self.kinds[self.at] != "(":
            return (self._kernel_result(note),)
        opener = self.at
        self.at += 1
        results = [self._kernel_result(note)]
        while self.separate(opener):
            results.append(self._kernel_result(note))
        self.at += 1
        return tuple(results)

    def _kernel_result(self, note: str) -> Field:
        start = self.starts[self.at]
        if self.kinds[self.at + 1] != ":" and not self.at_reserved_word():
            self.fail("the name of a result and `:`", notes=(note,))
        name = self.name("the name of a result")
        self.expect(":")
        return Field(name, self.type(), self.span(start))

    def _at_hint(self, word: str) -> bool:
        return self.kinds[self.at] == IDENT and self.word(self.at) == word

    def _hint(self, word: str) -> IntLiteral | None:
        """`[ word "(" INT ")" ]`."""
        if not self._at_hint(word):
            return None
        self.at += 1
        opener = self.at
        self.expect("(")
        if self.kinds[self.at] != INT:
            self.fail(f"the number of {word}")
        found = self.expression()
        if not isinstance(found, IntLiteral):
            place = Label(found.span, "not a number")
            message = f"`{word}` needs a number"
            raise RuleError(self.at, Diagnostic("E1101", message, place))
        self.expect(")", opener)
        return found
