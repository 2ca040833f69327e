"""The parser's rules for bodies and statements (spec section 3.3)."""

import re
from typing import Final, NoReturn

from linnet.diagnostics import Diagnostic, Label
from linnet.syntax._cursor import RuleError
from linnet.syntax._expressions import PRECEDENCE, ExpressionParser, loop_in_expression
from linnet.syntax._lexer import END, IDENT, WITHOUT_SYNTAX
from linnet.syntax._meant import replacement
from linnet.syntax._tree import (
    Assign,
    Body,
    Expr,
    For,
    Let,
    LetIndexed,
    NamePattern,
    OutIndex,
    Return,
    StaticFor,
    Stmt,
    Store,
    StoreOp,
    Var,
    While,
    Yield,
)

# Words that begin an item or a member: inside a body they say that its `}` is missing.
OUTSIDE_BODIES: Final = frozenset(
    [
        "module",
        "use",
        "pub",
        "const",
        "type",
        "struct",
        "enum",
        "fn",
        "op",
        "entry",
        "block",
        "kernel",
        "param",
        "buffer",
        "state",
        "sub",
    ]
)
_STORES: Final[dict[str, StoreOp]] = {
    "store": "store",
    "atomic_add": "atomic_add",
    "atomic_max": "atomic_max",
    "atomic_min": "atomic_min",
}
# What would make a value out of a larger expression.
_CONTINUES: Final = frozenset((*PRECEDENCE, "[", "(", "."))
_BLANK: Final = re.compile(r"[ \t]*")
_STARTS: Final = frozenset(("let", "var", "return", "static", "while", "for", "yield"))


class StatementParser(ExpressionParser):
    """Rules for statements. One that fails is reported, and reading goes on at the next."""

    def body(self) -> Body:
        """`{ {Stmt} }`; a failing statement does not end it."""
        opener = self.at
        self.expect("{")
        self.deeper()
        start = self.starts[opener]
        statements: list[Stmt] = []
        while self.kinds[self.at] != "}":
            outside = self.kinds[self.at] in OUTSIDE_BODIES and not self._is_inner_const(opener)
            if self.kinds[self.at] == END or outside:
                self.report(self.unexpected("a statement or `}`", also=(self.opened(opener),)))
                self.depth -= 1
                return Body(tuple(statements), self.span(start))
            begin, depth = self.at, self.depth
            self.quiet = False
            try:
                statements.append(self._statement())
            except RuleError as failure:
                self.depth = depth
                self.recover(failure)
                if self._skip_statement(begin):
                    self.depth -= 1
                    return Body(tuple(statements), self.span(start))
            if self.kinds[self.at] == ";":
                self._surplus_semicolon()
        self.quiet = False
        self.at += 1
        self.depth -= 1
        return Body(tuple(statements), self.span(start))

    def _is_inner_const(self, opener: int) -> bool:
        """Whether a `const` stands deeper than the line that opened the body."""
        if self.kinds[self.at] != "const":
            return False
        outer, inner = (
            self.source.line_starts[self.source.line_of(self.starts[at]) - 1]
            for at in (opener, self.at)
        )
        margin = _BLANK.match(self.text, outer)
        assert margin is not None
        return inner == outer or self.starts[self.at] - inner > margin.end() - outer

    def _surplus_semicolon(self) -> None:
        place = Label(self.token_span(self.at), "unexpected")
        note = "a statement ends where no further token can extend it"
        self.report(
            Diagnostic(
                "E1101",
                "statements take no terminator, found `;`",
                place,
                notes=(note,),
                help="remove the `;`",
            )
        )
        while self.kinds[self.at] == ";":
            self.at += 1

    def _skip_statement(self, begin: int) -> bool:
        """Go to where the next statement may begin, or the body ends.

        True where an item follows although braces are open: then the body has ended, and
        its missing `}` follows from what was reported.
        """
        kinds = self.kinds
        read = kinds[begin : self.at]
        depth = read.count("{") - read.count("}")
        if self.at == begin and kinds[begin] not in ("}", END):
            depth += kinds[begin] == "{"
            self.at += 1
        while True:
            kind = kinds[self.at]
            if kind == END or kind in OUTSIDE_BODIES:
                return True
            if kind == "{":
                depth += 1
            elif kind == "}":
                if depth <= 0:
                    return False
                depth -= 1
            elif depth <= 0 and (kind in _STARTS or self._begins_assignment()):
                return False
            self.at += 1

    def _begins_assignment(self) -> bool:
        """Whether a line begins here with `name =`; on a line of its own it is a statement."""
        at = self.at
        if self.kinds[at] != IDENT or self.kinds[at + 1] != "=" or self.kinds[at - 1] in (",", "("):
            return False
        return "\n" in self.text[self.ends[at - 1] : self.starts[at]]

    def _statement(self) -> Stmt:
        kind = self.kinds[self.at]
        if kind == "let":
            return self._let()
        if kind == "const":
            self.report(self.unexpected("a statement or `}`", help="write `let`"))
            return self._let()
        if kind == IDENT:
            if self.kinds[self.at + 1] == "(" and self.word(self.at) in _STORES:
                return self._store()
            return self._assign()
        if kind == "var":
            return self._var()
        if kind == "return":
            return self._return()
        if kind == "static":
            return self._static_for()
        if kind == "while":
            start = self.starts[self.at]
            self.at += 1
            condition = self.expression()
            body = self.body()
            return While(condition, body, self.span(start))
        if kind == "for" and kind not in self.taken:
            return self.for_loop()
        if kind == "yield" and kind not in self.taken:
            start = self.starts[self.at]
            self.at += 1
            value = self.expression()
            return Yield(value, self.span(start))
        self._no_statement()

    def _let(self) -> Let | LetIndexed:
        start = self.starts[self.at]
        self.at += 1
        pattern = self.pattern("a name or pattern after `let`")
        if isinstance(pattern, NamePattern) and self.kinds[self.at] == "[":
            opener = self.at
            self.at += 1
            indices = [self._out_index()]
            while self.separate(opener):
                indices.append(self._out_index())
            self.at += 1
            self.expect("=")
            value = self.expression()
            return LetIndexed(pattern.name, tuple(indices), value, self.span(start))
        annotation = None
        if self.kinds[self.at] == ":":
            self.at += 1
            annotation = self.type()
        value = self._value()
        return Let(pattern, annotation, value, self.span(start))

    def _out_index(self) -> OutIndex:
        start = self.starts[self.at]
        pack = self.kinds[self.at] == "*"
        if pack:
            self.at += 1
        name = self.name("the name of an output index")
        return OutIndex(pack, name, self.span(start))

    def _value(self) -> Expr | For:
        """`"=" ( Expr | ForLoop )`."""
        self.expect("=")
        return self._whole_value()

    def _whole_value(self) -> Expr | For:
        """An expression, or a counted loop that is the whole of a value [LAT-5]."""
        if self.kinds[self.at] != "for" or "for" in self.taken:
            return self.expression()
        loop = self.for_loop()
        if self.kinds[self.at] in _CONTINUES:
            raise RuleError(self.at, loop_in_expression(loop.head_span))
        return loop

    def _var(self) -> Var:
        start = self.starts[self.at]
        self.at += 1
        name = self.name("a name after `var`")
        annotation = None
        if self.kinds[self.at] == ":":
            self.at += 1
            annotation = self.type()
        value = self._value()
        return Var(name, annotation, value, self.span(start))

    def _return(self) -> Return:
        start = self.starts[self.at]
        self.at += 1
        value = None if self.kinds[self.at] == "}" else self._whole_value()
        return Return(value, self.span(start))

    def _static_for(self) -> StaticFor:
        start = self.starts[self.at]
        self.at += 1
        self.expect("for")
        pattern = self.pattern("a name after `for`")
        self.expect("in")
        subject = self.expression()
        stop = None
        if self.kinds[self.at] == "..":
            self.at += 1
            stop = self.expression()
        body = self.body()
        return StaticFor(pattern, subject, stop, body, self.span(start))

    def _store(self) -> Store:
        """`("store" | "atomic_add" | …) "(" Expr "," Expr [ "," Expr ] ")"` [LAT-9]."""
        start = self.starts[self.at]
        op = _STORES[self.word(self.at)]
        self.at += 1
        opener = self.at
        self.expect("(")
        parts = [self.expression()]
        while self.separate(opener):
            if len(parts) == 3:
                self.fail("`)`", notes=(f"`{op}` takes a target, a value and a mask",))
            parts.append(self.expression())
        if len(parts) < 2:
            self.fail("`,` and the value to write", also=(self.opened(opener),))
        self.at += 1
        mask = parts[2] if len(parts) == 3 else None
        return Store(op, parts[0], parts[1], mask, self.span(start))

    def for_loop(self) -> For:
        """`for name in start..stop { … }` [LAT-4]."""
        start = self.starts[self.at]
        self.at += 1
        name = self.name("a name after `for`")
        self.expect("in")
        first = self.expression()
        if self.kinds[self.at] != "..":
            self.fail("`..`", notes=("a `for` counts through a range: `for i in 0..N`",))
        self.at += 1
        stop = self.expression()
        head = self.span(start)
        body = self.body()
        return For(name, first, stop, body, head, self.span(start))

    def _assign(self) -> Assign:
        at = self.at
        if self.kinds[at + 1] != "=":
            self._no_statement()
        start = self.starts[at]
        target = self.name("a name")
        self.at += 1
        value = self._whole_value()
        return Assign(target, value, self.span(start))

    def _no_statement(self) -> NoReturn:
        """Fail with the reason why no statement begins here."""
        begin = self.at
        kind = self.kinds[begin]
        if kind in WITHOUT_SYNTAX:
            self.refuse(f"`{kind}` is reserved for syntax that does not exist yet")
        if self.at_reserved_word() and self.kinds[begin + 1] == "=":
            self.name("the target of an assignment")
        if not self.starts_operand():
            self.fail("a statement or `}`")

        start = self.starts[begin]
        self.expression()  # Its own mistakes come first.
        place = self.span(start)
        if self.kinds[self.at] == "=":
            message = "only a bare name can be assigned"
            label = Label(place, "not a bare name")
            note = "the target of `=` is a `var`, or a `state` of the same block"
            raise RuleError(self.at, Diagnostic("E1101", message, label, notes=(note,)))
        message = "an expression is not a statement"
        if kind in ("if", "match"):
            message = f"`{kind}` is an expression, not a statement"
        note = (
            "statements begin with `let`, `var`, `return`, `for`, `static for`, `while`, `yield` "
            "or `name =`"
        )
        label = Label(place, "its value goes nowhere")
        help = self.meant.statement(begin, self.at)
        edit = replacement(help, self.token_span(begin))
        problem = Diagnostic("E1101", message, label, notes=(note,), help=help, edit=edit)
        raise RuleError(self.at, problem)
