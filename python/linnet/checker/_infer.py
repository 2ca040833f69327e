"""Generic inference: parameter types matched against argument types [TYP-18, TYP-19]."""

from dataclasses import dataclass, field

from linnet.checker import _problems as problems
from linnet.checker._claims import Binding
from linnet.checker._context import Context
from linnet.checker._convert import Site, default_dtype
from linnet.checker._dims import Dim, symbol
from linnet.checker._origins import Written
from linnet.checker._program import Function, Generic, Param
from linnet.checker._substitute import Substitution
from linnet.checker._types import (
    Dtype,
    ErrorType,
    OptionalType,
    Pack,
    Shape,
    TensorType,
    TupleType,
    Type,
    belongs,
    is_scalar,
    kind_word,
    show_arg,
    show_shape,
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
from linnet.syntax import Kind


@dataclass(slots=True)
class Matcher:
    """The bindings of one call, found argument by argument.

    `instance` binds the generics of the callee's block; `own` those of the callee itself.
    """

    ctx: Context
    function: Function
    bound: Substitution
    own: dict[str, Generic] = field(default_factory=dict[str, Generic])
    symbols: dict[Dim, str] = field(default_factory=dict[Dim, str])
    places: dict[str, Span] = field(default_factory=dict[str, Span])

    def __post_init__(self) -> None:
        self.own = {generic.symbol: generic for generic in self.function.generics}
        self.symbols = {
            symbol(generic.symbol): generic.symbol
            for generic in self.function.generics
            if generic.kind is Kind.DIM
        }

    def bind(self, name: str, arg: Dim | Shape | Dtype, span: Span) -> None:
        """Let a generic of the callee stand for something that an argument shows."""
        self.bound.bind(name, arg)
        self.places[name] = span

    def match(self, param: Param, required: Type, value: Value) -> bool:
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

    def site(self, param: Param) -> Site:
        """Where the argument of a parameter meets its type."""
        name = f"argument `{param.name}` of `{self.function.name}`"
        declared = Label(param.span, f"`{param.name}` is declared here")
        syntax = next(
            written.type
            for written in self.function.syntax.params
            if written.name.text == param.name
        )
        return Site("argument", name, declared, Written(syntax, param.type, self.bindings()))

    def bindings(self) -> dict[str, Binding]:
        """What the sizes of the callee stand for, by symbol, and what made them so."""
        block = self.function.block
        out: dict[str, Binding] = {}
        for generic in (*(() if block is None else block.generics), *self.function.generics):
            arg = self.bound.get(generic.symbol)
            if generic.kind is Kind.DIM and arg is not None:
                place = self.places.get(generic.symbol)
                out[generic.symbol] = Binding(generic.name, show_arg(arg), place)
        return out

    def _contextual(self, param: Param, required: Type, value: Ci | Pending) -> bool:
        if not isinstance(required, TensorType):
            return True  # The kinds differ; reported when the argument is converted.
        for element in required.shape:
            if not isinstance(element, Pack):
                return True
            if element.name in self.own and self.bound.get(element.name) is None:
                self.bind(element.name, (), value.span)
        dtype = required.dtype
        if dtype.variable and dtype.name in self.own and self.bound.get(dtype.name) is None:
            chosen = default_dtype(value)
            return self._dtype(param, dtype, chosen, value.span)
        return True

    def _typed(self, param: Param, required: Type, found: Type, span: Span) -> bool:
        match required, found:
            case (_, ErrorType()) | (ErrorType(), _):
                return True
            case OptionalType(inner), OptionalType(other):
                return self._typed(param, inner, other, span)
            case TupleType(elements), TupleType(others) if len(elements) == len(others):
                return all(
                    self._typed(param, element, other, span)
                    for element, other in zip(elements, others, strict=True)
                )
            case TensorType(), TensorType():
                return self._tensor(param, required, found, span)
            case _:
                if type(required) is not type(found) or isinstance(required, TupleType):
                    self._mismatch("E2101", param, required, found, span)
                    return False
                return True  # Nominal types; compared when the argument is converted.

    def _tensor(self, param: Param, required: TensorType, found: TensorType, span: Span) -> bool:
        plain = [element for element in required.shape if not isinstance(element, Pack)]
        if (is_scalar(found) and plain) or (is_scalar(required) and not is_scalar(found)):
            self._mismatch("E2101", param, required, found, span)
            return False
        return self._dtype(param, required.dtype, found.dtype, span) and self._shape(
            param, required, found, span
        )

    def _dtype(self, param: Param, required: Dtype, found: Dtype, span: Span) -> bool:
        if required.variable and required.name in self.own:
            generic = self.own[required.name]
            known = self.bound.get(required.name)
            if known is None:
                if not belongs(found, generic.kind):
                    what = f"`{generic.name}` of `{self.function.name}`"
                    self.ctx.report(problems.outside_class(span, what, generic.kind, found.name))
                    return False
                self.bind(required.name, found, span)
                return True
            required = known if isinstance(known, Dtype) else required
            first = self.places.get(generic.symbol)
            if required != found:
                self.ctx.report(
                    problems.generic_dtypes(
                        span, f"argument `{param.name}` of `{self.function.name}`",
                        generic.name, required.name, found.name, first,
                    )
                )  # fmt: skip
                return False
            return True
        required = self.bound.dtype(required)
        if required == found:
            return True
        site = self.site(param)
        self.ctx.report(
            problems.type_mismatch(
                "E2103", span, site.name, f"dtype `{required.name}`", f"dtype `{found.name}`",
                site.declared,
            )
        )  # fmt: skip
        return False

    def _shape(self, param: Param, required: TensorType, found: TensorType, span: Span) -> bool:
        wanted: list[Dim | Pack] = []
        for element in required.shape:
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
            self.ctx.report(
                problems.two_open_packs(span, self.function.name, [p.name for p in names])
            )
            return False
        have = found.shape
        if open_packs:
            at = open_packs[0]
            after = len(wanted) - at - 1
            if len(have) < at + after:
                self._mismatch("E2202", param, required, found, span)
                return False
            pack = wanted[at]
            assert isinstance(pack, Pack)
            self.bind(pack.name, have[at : len(have) - after], span)
            pairs = [*zip(wanted[:at], have[:at], strict=True)]
            pairs += zip(wanted[at + 1 :], have[len(have) - after :], strict=True)
        elif len(have) != len(wanted):
            self._mismatch("E2202", param, required, found, span)
            return False
        else:
            pairs = [*zip(wanted, have, strict=True)]
        for element, other in pairs:
            if isinstance(element, Pack) or isinstance(other, Pack):
                if element != other:
                    self._mismatch("E2202", param, required, found, span)
                    return False
                continue
            name = self.symbols.get(element)
            if name is not None and self.bound.get(name) is None:
                self.bind(name, other, span)
        return True

    def _open(self, pack: Pack) -> bool:
        return pack.name in self.own and self.bound.get(pack.name) is None

    def _bound_pack(self, pack: Pack) -> Shape:
        shape = self.bound.get(pack.name)
        return shape if isinstance(shape, tuple) else (pack,)

    def _mismatch(self, code: str, param: Param, required: Type, found: Type, span: Span) -> None:
        site = self.site(param)
        shown = self._partly(required)
        if isinstance(required, TensorType) and isinstance(found, TensorType) and code == "E2202":
            need, have = show_shape(self.bound.shape(required.shape)), show_shape(found.shape)
            needs, finds = f"shape {need}", f"shape {have}"
        elif kind_word(required) == kind_word(found):
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
        for generic in self.function.generics:
            if self.bound.get(generic.symbol) is not None:
                continue
            if generic.default is not None:
                self.bound.bind(generic.symbol, self.bound.arg(generic.default))
            else:
                missing.append(generic)
        if missing:
            listed = self.function.generics[: self.function.generics.index(missing[-1]) + 1]
            names = [generic.name for generic in listed]
            self.ctx.report(problems.cannot_infer(span, self.function.name, names, missing))
        return not missing


def is_contextual(value: Value) -> bool:
    """Whether a value takes part in inference only after typed arguments [TYP-19]."""
    return isinstance(value, Contextual)
