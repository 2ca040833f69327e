"""The place where an expression is checked: names in scope, facts, and where problems go.

`Context` is what every part of the checker is given; `infer` is filled in by the
expression checker, so that the parts need not import one another.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from linnet.checker import _problems as problems
from linnet.checker._claims import BoundNotNegative, Claim, DivisorPositive, InRange
from linnet.checker._declared import Declared
from linnet.checker._dims import (
    ZERO,
    Constraint,
    Dim,
    Facts,
    Outcome,
    as_constant,
    ask,
    compare,
    facts_of,
    proves,
    show_dim,
    simplified,
)
from linnet.checker._names import (
    PRELUDE,
    Entity,
    GenericEntity,
    MemberEntity,
    MethodEntity,
    ModuleScope,
    PreludeEntity,
    Unresolved,
    own_arg,
)
from linnet.checker._nearby import Advice, Use, advice
from linnet.checker._program import Block, Function, IndexVar, Local, Require, SelfInstance, Stmt
from linnet.checker._refusals import refuse
from linnet.checker._types import InstanceType
from linnet.checker._values import Ci, Value, is_invalid
from linnet.diagnostics import Diagnostic
from linnet.source import Span
from linnet.syntax import Expr, Name


@dataclass(slots=True)
class ElementScope:
    """Index names in scope, outermost first; present only inside index notation.

    `depth` is the number of scopes of locals around the notation, `unbound` the names that
    were reported in it.
    """

    indices: list[IndexVar]
    depth: int
    unbound: set[str] = field(default_factory=set[str])

    def find(self, name: str) -> IndexVar | None:
        """The index of a name."""
        return next((index for index in reversed(self.indices) if index.name == name), None)


@dataclass(slots=True)
class KernelScope:
    """The memory of the kernel whose body is checked, and how each result is written [LAT-9]."""

    inputs: frozenset[Local]
    results: frozenset[Local]
    ids: tuple[Local, ...]
    writes: dict[Local, tuple[str, Span]] = field(default_factory=dict[Local, tuple[str, Span]])

    def holds(self, local: Local) -> bool:
        """Whether a local is a memory tensor, which only a load or a store may name."""
        return local in self.inputs or local in self.results


class Context(ABC):
    """One declaration or function body being checked."""

    def __init__(
        self,
        declared: Declared,
        module: ModuleScope,
        generics: dict[str, GenericEntity],
        block: Block | None = None,
        known: tuple[Constraint, ...] = (),
    ) -> None:
        self.declared = declared
        self.module = module
        self.generics = generics
        self.block = block
        self.known = known
        self.function: Function | None = None
        self.locals: list[dict[str, Local]] = [{}]
        self.all_locals: list[Local] = []
        self.statements: list[Stmt] = []
        self.calls: list[tuple[Function, Span]] = []
        self.elements: ElementScope | None = None
        # The notation around an ordinary expression inside it, such as the base of an access.
        self.around: ElementScope | None = None
        # The parameters of a signature: values of run time, not in scope in its sizes.
        self.parameters: frozenset[str] = frozenset()
        # What a bare name stands for where expressions are read.
        self.use: Use = "value"
        self.kernel: KernelScope | None = None
        self.makes_claims = True
        # Facts are missing because of a reported problem; what rests on them stays silent.
        self.unsure = False
        self.touches_state = False
        self._silent = False
        self._facts: Facts | None = None
        self._signs: dict[Dim, bool] = {}
        self.divisors: set[Constraint] = set()

    @abstractmethod
    def infer(self, expr: Expr) -> Value:
        """The node or contextual value of an expression; problems are reported."""

    # Problems and claims ------------------------------------------------------------------

    def report(self, problem: Diagnostic) -> None:
        """Keep a problem."""
        if not self._silent:
            self.declared.report(problem)

    @contextmanager
    def silent(self) -> Generator[None]:
        """Report nothing for a while: what is tried is told in other words afterwards."""
        kept, self._silent = self._silent, True
        try:
            yield
        finally:
            self._silent = kept

    def requires(self) -> list[Require]:
        """The claims made so far."""
        return [made for made in self.statements if isinstance(made, Require)]

    def refuse(self, claim: Claim, outcome: Outcome) -> None:
        """Report a claim that is not proven, unless a reported problem may be why."""
        if not self.unsure:
            self.report(refuse(claim, outcome))

    @property
    def facts(self) -> Facts:
        """What is known here [DIM-4]."""
        if self._facts is None:
            self._facts = facts_of(self.known)
        return self._facts

    def require(self, claim: Constraint, code: str, record: Claim) -> bool:
        """Claim a constraint. False if it is plainly false, which is then reported."""
        left, right = as_constant(claim.lhs), as_constant(claim.rhs)
        if left is not None and right is not None:
            if _holds(left, claim.relation, right):
                return True
            self.report(refuse(record, Outcome(str(claim), "refuted")))
            return False
        divisor = code == "E2205"
        if self.makes_claims and not (divisor and claim in self.divisors):
            self.statements.append(Require(claim, code, record, record.span))
            if divisor:
                # What was claimed once holds in the whole body; a second report says nothing new.
                self.divisors.add(claim)
        return True

    def require_divisor(self, divisor: Dim, span: Span) -> bool:
        """Claim that a written divisor is positive [DIM-6]."""
        shown = show_dim(divisor)
        facts = (str(fact) for fact in self.known)
        fact = next(
            (fact for fact in facts if f"% {shown} " in fact or f"/ {shown} " in fact), None
        )
        record = DivisorPositive(span, shown, fact)
        return self.require(compare(">", divisor, ZERO), "E2205", record)

    def require_inside(self, position: Dim, size: Dim, span: Span, what: str) -> bool:
        """Claim that a compile-time position is inside an axis or array [DIM-12]."""
        record = InRange(span, show_dim(position), show_dim(size), what)
        low = _never_negative(position) or self.require(
            compare("<=", ZERO, position), "E2209", record
        )
        return low and self.require(compare("<", position, size), "E2209", record)

    def require_bound(self, bound: Dim, span: Span) -> bool:
        """Claim that a slice bound is not negative [DIM-13]."""
        record = BoundNotNegative(span, show_dim(bound))
        if _never_negative(bound):
            return True
        return self.require(compare("<=", ZERO, bound), "E2209", record)

    def decide(self, claim: Constraint, record: Claim) -> bool:
        """Prove a claim on which a type depends; report it if it is not proven."""
        if proves(self.facts, claim):
            return True
        self.refuse(record, ask(self.facts, claim))
        return False

    def equal(self, left: Dim, right: Dim) -> bool:
        """Whether two dimensions are provably equal."""
        if left == right:
            return True
        if as_constant(left) is not None and as_constant(right) is not None:
            return False
        return proves(self.facts, compare("==", left, right))

    def at_most(self, left: Dim, right: Dim) -> bool:
        """Whether one dimension is provably at most another."""
        low, high = as_constant(left), as_constant(right)
        if low is not None and high is not None:
            return low <= high
        return left == right or proves(self.facts, compare("<=", left, right))

    def simplify(self, dim: Dim) -> Dim:
        """The dimension with minima, maxima and quotients resolved by the facts."""
        return dim if as_constant(dim) is not None else simplified(self.facts, dim)

    def accept_dim(self, dim: Dim, span: Span) -> bool:
        """Report a dimension that is provably negative [DIM-3, DIM-15]."""
        value = as_constant(dim)
        if value is not None:
            negative = value < 0
        else:
            known = self._signs.get(dim)
            if known is None:
                claim = compare("<", dim, ZERO)
                known = (
                    not _never_negative(dim)
                    and proves(self.facts, claim)
                    # Contradictory facts prove anything, and no instantiation is harmed.
                    and not self.facts.is_contradictory
                )
                self._signs[dim] = known
            negative = known
        if negative:
            self.report(problems.negative_dimension(span, show_dim(dim)))
        return not negative

    def dimension(self, expr: Expr) -> Dim | None:
        """The compile-time integer that an expression is, else a reported `E2123`."""
        kept, self.use = self.use, "dimension"
        value = self.infer(expr)
        self.use = kept
        if isinstance(value, Ci):
            return value.dim
        if not is_invalid(value):
            self.report(problems.not_compile_time(expr.span))
        return None

    def whole_constant(self, expr: Expr) -> int | None:
        """The constant integer that an expression is, if it is one; nothing is reported."""
        value = self.infer(expr)
        return as_constant(value.dim) if isinstance(value, Ci) else None

    def outside_elements(self, expr: Expr) -> Value:
        """Infer an expression in ordinary mode, as the base of an access is [IDX-3]."""
        kept, kept_around = self.elements, self.around
        self.elements, self.around = None, kept or kept_around
        try:
            return self.infer(expr)
        finally:
            self.elements, self.around = kept, kept_around

    # Names --------------------------------------------------------------------------------

    def lookup(self, name: str) -> Entity | None:
        """What a name stands for, inner scopes first [MOD-9]; marks what it finds as used."""
        for scope in reversed(self.locals):
            if name in scope:
                return scope[name]
        if name in self.generics:
            return self.generics[name]
        if self.block is not None:
            member = self.declared.members(self.block).get(name)
            if member is not None:
                member.used = True
                return MemberEntity(self.block, member)
            method = self.block.methods.get(name)
            if method is not None:
                return MethodEntity(self.block, method)
            item = self.declared.block_items(self.block).get(name)
            if item is not None:
                return item
        if name in self.module.items:
            return self.module.items[name]
        if name in self.module.imports:
            bound = self.module.imports[name]
            bound.used = True
            return bound.target
        return PreludeEntity(name) if name in PRELUDE else None

    def in_scope(self) -> Iterator[tuple[str, Entity]]:
        """Every name in scope and what it stands for, inner scopes first."""
        for scope in reversed(self.locals):
            yield from scope.items()
        yield from self.generics.items()
        if self.block is not None:
            for name, member in self.declared.members(self.block).items():
                yield name, MemberEntity(self.block, member)
            for name, method in self.block.methods.items():
                yield name, MethodEntity(self.block, method)
            yield from self.declared.block_items(self.block).items()
        yield from self.module.items.items()
        for name, bound in self.module.imports.items():
            yield name, bound.target
        for name in sorted(PRELUDE):
            yield name, PreludeEntity(name)

    def resolve(self, name: Name, use: Use | None = None) -> Entity | None:
        """What a name stands for; a name that resolves to nothing is `E1201`.

        `use` is what it stands for at its place, for the help.
        """
        found = self.lookup(name.text)
        use = use or self.use
        if found is None and use == "dimension" and name.text in self.parameters:
            self.report(problems.not_compile_time(name.span))
            return Unresolved()
        if found is None:
            meant = None
            if use == "value" and name.text in self.parameters:
                meant = Advice("a default may use generics and constants, not other parameters")
            elif self.declared.is_readable():
                offers = self.declared.offers(self.module)
                meant = advice(name.text, use, self.in_scope(), offers)
            help_ = None if meant is None else meant.help
            edit = None if meant is None else meant.edit(name, self.module.syntax)
            self.report(problems.unknown_name(name, help_, edit))
        return found

    def declare(self, local: Local, *, check_prelude: bool = True) -> None:
        """Bring a local into the innermost scope; a prelude name is `E1207`."""
        if check_prelude and local.name in PRELUDE:
            self.report(problems.prelude_redeclared(local.name, local.span))
        self.locals[-1][local.name] = local
        self.all_locals.append(local)

    @contextmanager
    def nested(self) -> Generator[None]:
        """A scope whose locals end with it [CTL-5]."""
        self.locals.append({})
        try:
            yield
        finally:
            self.locals.pop()

    @contextmanager
    def collecting(self) -> Generator[list[Stmt]]:
        """Statements go to a list of their own, as for the body of a loop."""
        kept, self.statements = self.statements, []
        try:
            yield self.statements
        finally:
            self.statements = kept

    def self_instance(self, span: Span) -> SelfInstance:
        """The instance whose method is being checked."""
        assert self.block is not None
        return SelfInstance(self.self_type(), span)

    def self_type(self) -> InstanceType:
        """The enclosing block with its own generics as arguments."""
        assert self.block is not None
        args = tuple(own_arg(generic) for generic in self.block.generics)
        return InstanceType(self.block.symbol, args)


def _never_negative(dim: Dim) -> bool:
    """Whether a dimension has no subtraction, without which none is negative."""
    return "-" not in show_dim(dim)


def _holds(left: int, relation: str, right: int) -> bool:
    match relation:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right
