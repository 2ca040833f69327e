"""The parser's rules for files, items and block members (spec section 3.1)."""

from collections.abc import Callable
from typing import Final, NoReturn, final

from linnet.diagnostics import Diagnostic, Label, did_you_mean
from linnet.source import Span
from linnet.syntax._cursor import RuleError
from linnet.syntax._lexer import BAD, END, IDENT, WITHOUT_SYNTAX
from linnet.syntax._meant import replacement
from linnet.syntax._signatures import SignatureParser
from linnet.syntax._statements import OUTSIDE_BODIES
from linnet.syntax._tree import (
    Alias,
    Block,
    BlockMember,
    BufferMember,
    Const,
    Constraint,
    DataMember,
    Enum,
    Field,
    Function,
    FunctionKind,
    Generic,
    Item,
    Kernel,
    Module,
    Name,
    ParamMember,
    Path,
    StateMember,
    Struct,
    SubMember,
    Type,
    Use,
)

_ITEMS: Final = frozenset(
    ["const", "type", "struct", "enum", "fn", "op", "entry", "block", "kernel"]
)
_MEMBERS: Final = frozenset(["param", "buffer", "state", "sub"])
_ITEM_NOTE: Final = (
    "items begin with `const`, `type`, `struct`, `enum`, `fn`, `op`, `entry`, `block` or `kernel`"
)


@final
class ItemParser(SignatureParser):
    """Rules for whole files. An item or member that fails is reported and passed over."""

    def file(self) -> Module:
        """`"module" Path {Use} {Item}`."""
        path = self._module_line()
        uses: list[Use] = []
        items: list[Item] = []
        while (kind := self.kinds[self.at]) != END:
            begin = self.at
            # What follows a reserved word taken for a name may only follow from it.
            self.quiet = self.quiet and kind not in OUTSIDE_BODIES
            self.depth = 0
            try:
                if kind == "use":
                    if items:
                        self.late_use(items[-1].name)
                    uses.append(self.use())
                else:
                    item = self._item(in_block=False)
                    if item is not None:
                        items.append(item)
            except RuleError as failure:
                self.recover(failure)
                self._skip_item(begin)
        return Module(path, tuple(uses), tuple(items), Span(self.source, 0, len(self.text)))

    def _module_line(self) -> Path:
        if self.kinds[self.at] == "module":
            self.at += 1
            try:
                return self.path("the path of the module")
            except RuleError as failure:
                self.recover(failure)
                self._skip_item(0)
        elif self.kinds[self.at] != BAD:
            message = f"a file begins with `module` and its path, found {self.found()}"
            label = Label(self.token_span(self.at), "expected `module` before this")
            near = did_you_mean(self.word(self.at), ("module",))
            help = None if near is None else "did you mean `module`?"
            edit = replacement(help, label.span)
            self.report(Diagnostic("E1102", message, label, help=help, edit=edit))
            if self.kinds[self.at] not in OUTSIDE_BODIES:
                self._skip_item(0)
        else:
            self._skip_item(0)
        return Path((), Span(self.source, 0, 0))

    def _skip_item(self, begin: int) -> None:
        """Go to the next word that begins an item outside all braces.

        A reserved word before an item, as in `extern op f()`, takes that item with it.
        """
        kinds = self.kinds
        read = kinds[begin : self.at]
        depth = max(read.count("{") - read.count("}"), 0)
        if self.at == begin:
            reserved = kinds[begin] in WITHOUT_SYNTAX
            depth += kinds[begin] == "{"
            self.at += kinds[begin] != END
            if reserved and kinds[self.at] in _ITEMS:
                self.at += 1
        while (kind := kinds[self.at]) != END:
            if kind == "{":
                depth += 1
            elif kind == "}":
                depth = max(depth - 1, 0)
            elif depth == 0 and (kind in OUTSIDE_BODIES or kind in WITHOUT_SYNTAX):
                return
            self.at += 1

    # Items

    def _item(self, *, in_block: bool) -> Item | None:
        """One item; None where its head failed and only its body was read for mistakes."""
        item = self._plain_item(in_block=in_block)
        if self.at_gradient():
            begin = self.at
            gradient = self.gradient()
            message = "a `grad` clause needs an `op` before it"
            label = Label(gradient.head_span, "follows no `op`")
            note = "only an `op` takes a gradient of its own, one clause behind its body"
            self.report(Diagnostic("E2125", message, label, notes=(note,)), begin)
        return item

    def _plain_item(self, *, in_block: bool) -> Item | None:
        start = self.starts[self.at]
        public = self.kinds[self.at] == "pub"
        if public:
            self.at += 1
        kind = self.kinds[self.at]
        match kind:
            case "fn" | "op" | "entry":
                return self._function(kind, public, start)
            case "block" if not in_block:
                return self._block(public, start)
            case "kernel" if not in_block:
                return self._kernel(public, start)
            case "const":
                return self._const(public, start)
            case "type":
                return self._alias(public, start)
            case "struct":
                return self._struct(public, start)
            case "enum":
                return self._enum(public, start)
            case _:
                self._no_item(public, in_block)

    def _no_item(self, public: bool, in_block: bool) -> NoReturn:
        kind = self.kinds[self.at]
        place = Label(self.token_span(self.at), "not an item")
        if kind == "block":
            message = "a block inside a block is not implemented"
            place = Label(self.token_span(self.at), "already inside a block")
            raise RuleError(self.at, Diagnostic("E2190", message, place))
        if kind == "kernel":
            message = "a kernel stands in a module, not in a block"
            place = Label(self.token_span(self.at), "inside a block")
            raise RuleError(self.at, Diagnostic("E1101", message, place))
        if kind in WITHOUT_SYNTAX:
            self.refuse(f"`{kind}` is reserved for syntax that does not exist yet")
        if kind in _MEMBERS:
            if public:
                message = f"`{kind}` members take no `pub`"
                note = "members are read through the block that declares them"
                raise RuleError(self.at, Diagnostic("E1101", message, place, notes=(note,)))
            message = f"`{kind}` stands only inside a block"
            raise RuleError(self.at, Diagnostic("E1101", message, place))
        if kind == "use" and public:
            raise RuleError(self.at, Diagnostic("E1101", "imports take no `pub`", place))
        if kind == "}":
            message = "`}` closes nothing"
            if self.problems:  # The brace it closed may be one of those passed over.
                raise RuleError(self.at, None)
            raise RuleError(self.at, Diagnostic("E1101", message, Label(place.span, "unmatched")))
        if kind == ";":
            message = "items take no terminator, found `;`"
            help = "remove the `;`"
            raise RuleError(self.at, Diagnostic("E1101", message, place, help=help))
        expected = "a member, an item or `}`" if in_block else "an item"
        help = self.meant.item(self.at, in_block=in_block)
        self.fail(expected, notes=(_ITEM_NOTE,), help=help)

    def _const(self, public: bool, start: int) -> Const:
        self.at += 1
        name = self.name("the name of the constant")
        annotation = None
        if self.kinds[self.at] == ":":
            self.at += 1
            annotation = self.type()
        self.expect("=")
        value = self.expression()
        return Const(public, name, annotation, value, self.span(start))

    def _alias(self, public: bool, start: int) -> Alias:
        self.at += 1
        name = self.name("the name of the type")
        generics = self.generics()
        self.expect("=")
        target = self.type()
        return Alias(public, name, generics, target, self.span(start))

    def _struct(self, public: bool, start: int) -> Struct:
        self.at += 1
        name = self.name("the name of the struct")
        generics = self.generics()
        opener = self.at
        self.expect("{")
        fields: list[Field] = []
        while self.kinds[self.at] != "}":
            if self.kinds[self.at] == "," and fields:
                help = "remove the `,`: nothing separates struct fields"
                self.report(self.unexpected("a field or `}`", help=help))
                self.at += 1
                continue
            if self.kinds[self.at] != IDENT and not self.at_reserved_word():
                self.fail("a field or `}`", also=(self.opened(opener),))
            begin = self.starts[self.at]
            field = self.name("the name of a field")
            self.expect(":")
            kind = self.type()
            fields.append(Field(field, kind, self.span(begin)))
        self.at += 1
        return Struct(public, name, generics, tuple(fields), self.span(start))

    def _enum(self, public: bool, start: int) -> Enum:
        self.at += 1
        name = self.name("the name of the enum")
        generics = self.generics()
        opener = self.at
        self.expect("{")
        variants: list[Name] = []
        while self.kinds[self.at] != "}":
            variants.append(self.name("the name of a variant"))
            if self.kinds[self.at] == "(":
                self.fail("`,` or `}`", notes=("variants carry no values",))
            if not self.separate(opener):
                break
        self.at += 1
        return Enum(public, name, generics, tuple(variants), self.span(start))

    def _function(self, kind: FunctionKind, public: bool, start: int) -> Function | None:
        begin = self.at
        self.at += 1
        try:
            name = self.name(f"the name of the {kind}")
            generics = self.generics()
            params = self.params()
            result = self.result(kind)
            use = None if result is None else self.kernel_use()
            where = self.where()
            if self.kinds[self.at] != "{":
                expected = "`{`" if where or result is not None else "`->` or `{`"
                self.fail(expected)
        except RuleError as failure:
            if self._enter_body(failure, begin):
                self.body()
                if self.at_gradient():
                    self.gradient()
            return None
        head_span = self.span(start)
        self.quiet = False
        body = self.body()
        gradient = self.gradient() if self.at_gradient() else None
        return Function(
            kind, public, name, generics, params, result, where, body, head_span, self.span(start),
            use, gradient,
        )  # fmt: skip

    def _kernel(self, public: bool, start: int) -> Kernel | None:
        begin = self.at
        try:
            return self.kernel(public, start)
        except RuleError as failure:
            if self._enter_body(failure, begin):
                self.body()
            return None

    def _enter_body(self, failure: RuleError, begin: int) -> bool:
        """Report a failing head and go to the `{` of its body.

        False where none is found: then what stands there is read as an item or member.
        """
        self.recover(failure)
        self.depth = 0
        self.quiet = False
        at = self.at
        while self.kinds[at] != "{":
            if self.kinds[at] in OUTSIDE_BODIES - {"kernel"} or self.kinds[at] in ("}", END):
                self.at = max(self.at, begin + 1)
                if self.kinds[self.at] not in OUTSIDE_BODIES:
                    raise RuleError(self.at, None)
                return False
            at += 1
        self.at = at
        return True

    # Blocks

    def _block(self, public: bool, start: int) -> Block | None:
        begin = self.at
        self.at += 1
        name: Name | None = None
        generics: tuple[Generic, ...] = ()
        where: tuple[Constraint, ...] = ()
        try:
            name = self.name("the name of the block")
            generics = self.generics()
            where = self.where()
            if self.kinds[self.at] != "{":
                self.fail("`{`")
        except RuleError as failure:
            name = None
            if not self._enter_body(failure, begin):
                if self.kinds[self.at] in _MEMBERS:
                    self._members(None)  # Only its `{` is missing.
                return None
        head_span = self.span(start)
        opener = self.at
        self.at += 1
        members = self._members(opener)
        if name is None:
            return None
        return Block(public, name, generics, where, members, head_span, self.span(start))

    def _members(self, opener: int | None) -> tuple[BlockMember, ...]:
        """Members up to the `}` of the block; the opener is None where it is missing."""
        members: list[BlockMember] = []
        depth = self.depth
        reported = len(self.problems)
        while (kind := self.kinds[self.at]) != "}":
            if kind in (END, "module", "use"):
                # A block that is not closed holds those after it, which is no fault of theirs.
                self.problems[reported:] = [
                    one for one in self.problems[reported:] if one.code != "E2190"
                ]
                if opener is not None:
                    self.report(self.unexpected("a member or `}`", also=(self.opened(opener),)))
                return tuple(members)
            begin = self.at
            self.quiet = self.quiet and kind not in OUTSIDE_BODIES
            self.depth = depth
            try:
                member = self._member()
                if member is not None:
                    members.append(member)
            except RuleError as failure:
                self.recover(failure)
                self._skip_member(begin)
        self.at += 1
        self.quiet = False
        return tuple(members)

    def _skip_member(self, begin: int) -> None:
        """Go to the next member or the `}` that closes the block."""
        kinds = self.kinds
        read = kinds[begin : self.at]
        depth = max(read.count("{") - read.count("}"), 0)
        if self.at == begin:
            reserved = kinds[begin] in WITHOUT_SYNTAX
            depth += kinds[begin] == "{"
            self.at += kinds[begin] not in ("}", END)
            if reserved and kinds[self.at] in _ITEMS:
                self.at += 1
        while (kind := kinds[self.at]) != END:
            if kind == "{":
                depth += 1
            elif kind == "}":
                if depth == 0:
                    return
                depth -= 1
            elif depth == 0 and (kind in OUTSIDE_BODIES or kind in WITHOUT_SYNTAX):
                return
            self.at += 1

    def _member(self) -> BlockMember | None:
        kind = self.kinds[self.at]
        if kind in _MEMBERS:
            return self._data_member(kind)
        item = self._item(in_block=True)
        assert not isinstance(item, Block | Kernel), "neither stands inside a block"
        return item

    def _data_member(self, kind: str) -> DataMember:
        start = self.starts[self.at]
        self.at += 1
        name = self.name(f"the name of the {kind}")
        self.expect(":")
        annotation = self.type()
        value = None
        if self.kinds[self.at] == "=":
            if kind in ("buffer", "state"):
                self.fail("a member or `}`", notes=(f"a `{kind}` takes no value",))
            self.at += 1
            value = self.expression()
        span = self.span(start)
        make: Callable[[Name, Type, Span], DataMember]
        if kind == "param":
            return ParamMember(name, annotation, value, span)
        if kind == "sub":
            return SubMember(name, annotation, value, span)
        make = BufferMember if kind == "buffer" else StateMember
        return make(name, annotation, span)
