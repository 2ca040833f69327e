"""Generic inference: parameter types matched against argument types [TYP-18, TYP-19]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from linnet.checker import _problems as problems
from linnet.checker._claims import Binding
from linnet.checker._context import Context
from linnet.checker._convert import Difference, Site, default_dtype
from linnet.checker._dims import Dim, symbol
from linnet.checker._origins import Written
from linnet.checker._program import Field, Generic, Param
from linnet.checker._resolve import resolve_arg
from linnet.checker._substitute import Substitution
from linnet.checker._types import (
    Dtype,
    EnumType,
    ErrorType,
    OptionalType,
    Pack,
    Shape,
    StructType,
    TensorType,
    TupleType,
    Type,
    belongs,
    is_scalar,
    kind_word,
    scalar,
    show_arg,
    show_sizes,
    show_type,
)
from linnet.checker._values import (
    Ci,
    Contextual,
    Pending,
    PendingChoice,
    PendingNone,
    PendingSome,
    PendingTuple,
    Value,
)
from linnet.diagnostics import Label
from linnet.source import Span
from linnet.syntax import Call, Kind
from linnet.syntax import Type as TypeSyntax

_Nominal = StructType | EnumType
_Types = tuple[Type, Type]
# What an argument or a field value is matched with.
Slot = Param | Field


@dataclass(slots=True)
class Matcher:
    """The bindings of one call of `name`, found argument by argument.

    `bound` begins with those of the callee's block, `outer`; `generics` are the callee's own.
    `written` are the types of its parameters as the source has them. A struct is matched field
    by field, with the codes of a field [LAT-1].
    """

    ctx: Context
    name: str
    generics: tuple[Generic, ...]
    bound: Substitution
    written: Mapping[str, TypeSyntax]
    outer: tuple[Generic, ...] = ()
    column: Literal["argument", "field"] = "argument"
    own: dict[str, Generic] = field(default_factory=dict[str, Generic])
    symbols: dict[Dim, str] = field(default_factory=dict[Dim, str])
    places: dict[str, Span] = field(default_factory=dict[str, Span])

    def __post_init__(self) -> None:
        self.own = {generic.symbol: generic for generic in self.generics}
        self.symbols = {
            symbol(generic.symbol): generic.symbol
            for generic in self.generics
            if generic.kind is Kind.DIM
        }

    def bind(self, name: str, arg: Dim | Shape | Dtype, span: Span) -> None:
        """Let a generic of the callee stand for something that an argument shows."""
        self.bound.bind(name, arg)
        self.places[name] = span

    def match(self, param: Slot, required: Type, value: Value) -> bool:
        """Match one argument; False if a difference was reported.

        Dimensions that need a proof are compared later, when every generic is bound.
        """
        match value:
            case Ci() | Pending():
                return self._contextual(param, required, value)
            case PendingNone():
                return True
            case PendingSome(inner, _):
                if isinstance(required, OptionalType):
                    return self.match(param, required.inner, inner)
                return True
            case PendingTuple(values, _):
                if isinstance(required, TupleType) and len(required.elements) == len(values):
                    return all(
                        self.match(param, element, inner)
                        for element, inner in zip(required.elements, values, strict=True)
                    )
                return True
            case PendingChoice(branches, _, _):
                return all(self.match(param, required, branch) for branch in branches)
            case _:
                return self._typed(param, required, value.type, value.span)

    def site(self, param: Slot) -> Site:
        """Where the argument of a parameter meets its type."""
        name = f"{self.column} `{param.name}` of `{self.name}`"
        declared = Label(param.span, f"`{param.name}` is declared here")
        written = Written(self.written[param.name], param.type, self.bindings())
        return Site(self.column, name, declared, written)

    def bindings(self) -> dict[str, Binding]:
        """What the sizes of the callee stand for, by symbol, and what made them so."""
        out: dict[str, Binding] = {}
        for generic in (*self.outer, *self.generics):
            arg = self.bound.get(generic.symbol)
            if generic.kind is Kind.DIM and arg is not None:
                place = self.places.get(generic.symbol)
                out[generic.symbol] = Binding(generic.name, show_arg(arg), place)
        return out

    def _contextual(self, param: Slot, required: Type, value: Ci | Pending) -> bool:
        if not isinstance(required, TensorType) or any(
            not isinstance(element, Pack) for element in required.shape
        ):
            # No generic can be learnt from a value of another kind.
            self._mismatch("kind", param, required, scalar(default_dtype(value)), value.span)
            return False
        for element in required.shape:
            assert isinstance(element, Pack)
            if element.name in self.own and self.bound.get(element.name) is None:
                self.bind(element.name, (), value.span)
        dtype = required.dtype
        if dtype.variable and dtype.name in self.own and self.bound.get(dtype.name) is None:
            chosen = default_dtype(value)
            return self._dtype(param, dtype, chosen, value.span)
        return True

    def _typed(
        self, param: Slot, required: Type, found: Type, span: Span, whole: _Types | None = None
    ) -> bool:
        """Match two types; `whole` are those they are a part of, which a message shows."""
        around = whole or (required, found)
        match required, found:
            case (_, ErrorType()) | (ErrorType(), _):
                return True
            case OptionalType(inner), OptionalType(other):
                return self._typed(param, inner, other, span, around)
            case TupleType(elements), TupleType(others) if len(elements) == len(others):
                return all(
                    self._typed(param, element, other, span, around)
                    for element, other in zip(elements, others, strict=True)
                )
            case TensorType(), TensorType():
                return self._tensor(param, required, found, span, whole)
            case (StructType(), StructType()) | (EnumType(), EnumType()):
                same = required.symbol == found.symbol
                return not same or self._args(param, required, found, span, around)
            case _:
                if type(required) is not type(found) or isinstance(required, TupleType):
                    self._mismatch("kind", param, required, found, span)
                    return False
                return True  # Nominal types; compared when the argument is converted.

    def _args(
        self, param: Slot, required: _Nominal, found: _Nominal, span: Span, whole: _Types
    ) -> bool:
        """Match the generic arguments of one declaration, each by its kind."""
        for arg, other in zip(required.args, found.args, strict=True):
            match arg, other:
                case Dtype(), Dtype():
                    if not self._dtype(param, arg, other, span, whole):
                        return False
                case tuple(), tuple():
                    if not self._elements(param, arg, other, (required, found), span):
                        return False
                case Dim(), Dim():
                    self._dim(arg, other, span)
                case _:
                    raise AssertionError("arguments of one declaration are of its kinds")
        return True

    def _dim(self, element: Dim, other: Dim, span: Span) -> None:
        """Bind a dimension that is a bare unbound generic."""
        name = self.symbols.get(element)
        if name is not None and self.bound.get(name) is None:
            self.bind(name, other, span)

    def _tensor(
        self, param: Slot, required: TensorType, found: TensorType, span: Span, whole: _Types | None
    ) -> bool:
        plain = [element for element in required.shape if not isinstance(element, Pack)]
        if (is_scalar(found) and plain) or (is_scalar(required) and not is_scalar(found)):
            self._mismatch("kind", param, required, found, span)
            return False
        return self._dtype(param, required.dtype, found.dtype, span, whole) and self._shape(
            param, required, found, span
        )

    def _dtype(
        self, param: Slot, required: Dtype, found: Dtype, span: Span, whole: _Types | None = None
    ) -> bool:
        if required.variable and required.name in self.own:
            generic = self.own[required.name]
            known = self.bound.get(required.name)
            if known is None:
                if not belongs(found, generic.kind):
                    what = f"`{generic.name}` of `{self.name}`"
                    self.ctx.report(problems.outside_class(span, what, generic.kind, found.name))
                    return False
                self.bind(required.name, found, span)
                return True
            required = known if isinstance(known, Dtype) else required
            first = self.places.get(generic.symbol)
            if required != found and whole is None:
                self.ctx.report(
                    problems.generic_dtypes(
                        self.site(param).code("dtype"), span, self.site(param).name, generic.name,
                        required.name, found.name, first,
                    )
                )  # fmt: skip
                return False
        required = self.bound.dtype(required)
        if required == found:
            return True
        site = self.site(param)
        if whole is not None:
            needs, finds = f"`{self._partly(whole[0])}`", f"`{show_type(whole[1])}`"
            self.ctx.report(
                problems.type_mismatch(
                    site.code("dtype"), span, site.name, needs, finds, site.declared
                )
            )
            return False
        self.ctx.report(
            problems.type_mismatch(
                site.code("dtype"), span, site.name, f"dtype `{required.name}`",
                f"dtype `{found.name}`", site.declared,
            )
        )  # fmt: skip
        return False

    def _shape(self, param: Slot, required: TensorType, found: TensorType, span: Span) -> bool:
        return self._elements(param, required.shape, found.shape, (required, found), span)

    def _elements(
        self,
        param: Slot,
        elements: Shape,
        have: Shape,
        types: _Types,
        span: Span,
    ) -> bool:
        """Match the elements of a shape; `types` are what a message shows."""
        required, found = types
        wanted: list[Dim | Pack] = []
        for element in elements:
            if isinstance(element, Pack) and self.bound.get(element.name) is not None:
                wanted.extend(self._bound_pack(element))
            else:
                wanted.append(element)
        open_packs = [
            index
            for index, element in enumerate(wanted)
            if isinstance(element, Pack) and self._open(element)
        ]
        if len(open_packs) > 1:
            names = [element for element in wanted if isinstance(element, Pack)]
            self.ctx.report(problems.two_open_packs(span, self.name, [p.name for p in names]))
            return False
        if open_packs:
            at = open_packs[0]
            after = len(wanted) - at - 1
            if len(have) < at + after:
                self._mismatch("shape", param, required, found, span)
                return False
            pack = wanted[at]
            assert isinstance(pack, Pack)
            self.bind(pack.name, have[at : len(have) - after], span)
            pairs = [*zip(wanted[:at], have[:at], strict=True)]
            pairs += zip(wanted[at + 1 :], have[len(have) - after :], strict=True)
        elif len(have) != len(wanted):
            self._mismatch("shape", param, required, found, span)
            return False
        else:
            pairs = [*zip(wanted, have, strict=True)]
        for element, other in pairs:
            if isinstance(element, Pack) or isinstance(other, Pack):
                if element != other:
                    self._mismatch("shape", param, required, found, span)
                    return False
                continue
            self._dim(element, other, span)
        return True

    def _open(self, pack: Pack) -> bool:
        return pack.name in self.own and self.bound.get(pack.name) is None

    def _bound_pack(self, pack: Pack) -> Shape:
        shape = self.bound.get(pack.name)
        return shape if isinstance(shape, tuple) else (pack,)

    def _mismatch(
        self, difference: Difference, param: Slot, required: Type, found: Type, span: Span
    ) -> None:
        site = self.site(param)
        code = site.code(difference)
        shown = self._partly(required)
        if (
            isinstance(required, TensorType)
            and isinstance(found, TensorType)
            and difference == "shape"
        ):
            need, have = show_sizes(self.bound.shape(required.shape)), show_sizes(found.shape)
            declared = (site.declared,)
            self.ctx.report(problems.ranks_differ(code, span, site.name, need, have, declared))
            return
        if kind_word(required) == kind_word(found):
            needs, finds = f"`{shown}`", f"`{show_type(found)}`"
        else:
            needs = f"{kind_word(required)} `{shown}`"
            finds = f"{kind_word(found)} `{show_type(found)}`"
        self.ctx.report(problems.type_mismatch(code, span, site.name, needs, finds, site.declared))

    def _partly(self, required: Type) -> str:
        return show_type(self.bound.type(required))

    def finish(self, span: Span) -> bool:
        """Fill in defaults; generics that nothing binds are `E2110` [TYP-18]."""
        missing: list[Generic] = []
        for generic in self.generics:
            if self.bound.get(generic.symbol) is not None:
                continue
            if generic.default is not None:
                self.bound.bind(generic.symbol, self.bound.arg(generic.default))
            else:
                missing.append(generic)
        if missing:
            listed = self.generics[: self.generics.index(missing[-1]) + 1]
            names = [generic.name for generic in listed]
            self.ctx.report(problems.cannot_infer(span, self.name, names, missing))
        return not missing


def is_contextual(value: Value) -> bool:
    """Whether a value takes part in inference only after typed arguments [TYP-19]."""
    return isinstance(value, Contextual)


def write_generics(ctx: Context, matcher: Matcher, call: Call) -> bool:
    """Bind the generics that a call writes out; False if a problem was reported [TYP-18]."""
    generics = matcher.generics
    if len(call.generics) > len(generics):
        ctx.report(
            problems.too_many_generics(
                call.callee.span, matcher.name, len(generics), len(call.generics)
            )
        )
        return False
    complete = True
    for generic, written in zip(generics, call.generics, strict=False):
        arg = resolve_arg(ctx, generic, written, matcher.name)
        if arg is None:
            complete = False
        else:
            matcher.bind(generic.symbol, arg, written.span)
    return complete
