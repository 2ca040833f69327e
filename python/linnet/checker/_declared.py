"""What the rest of the checker may ask about declarations; `_world.py` answers.

Declarations are resolved when first asked for, so items may be used before they are
declared [MOD-6] and a circle among them is found (`E2122`).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from linnet.checker._dims import Dim
from linnet.checker._names import GenericEntity, ItemEntity, ModuleScope
from linnet.checker._program import Block, DataMember, Function, Generic, Kernel, Struct
from linnet.checker._types import EnumType, GenericArg, StructType, Type
from linnet.checker._values import Value
from linnet.diagnostics import Diagnostic
from linnet.source import Span
from linnet.syntax import Function as FunctionSyntax
from linnet.syntax import Offer
from linnet.syntax import Param as ParamSyntax


@dataclass(frozen=True, slots=True, eq=False)
class AliasInfo:
    """An alias resolved over its generics; `divisors` are claimed at each use [TYP-4]."""

    generics: tuple[Generic, ...]
    target: Type
    divisors: tuple[Dim, ...]


class Declared(ABC):
    """The declarations of all loaded modules."""

    @abstractmethod
    def report(self, problem: Diagnostic) -> None:
        """Keep a problem."""

    @abstractmethod
    def is_readable(self) -> bool:
        """Whether there are few enough problems for somebody to read all about each."""

    @abstractmethod
    def offers(self, module: ModuleScope) -> Sequence[Offer]:
        """Items that a module could import, those of modules it imports from first."""

    @abstractmethod
    def members(self, block: Block) -> dict[str, DataMember]:
        """The `param`, `buffer`, `state` and `sub` members of a block."""

    @abstractmethod
    def block_items(self, block: Block) -> dict[str, ItemEntity]:
        """The constants and types declared inside a block."""

    @abstractmethod
    def block(self, item: ItemEntity) -> Block:
        """A block with its generics and constraints."""

    @abstractmethod
    def block_of(self, symbol: str) -> Block:
        """The block of an instance type."""

    @abstractmethod
    def function(self, item: ItemEntity) -> Function | None:
        """The signature of a module-level function; None if it has a problem."""

    @abstractmethod
    def method(self, block: Block, syntax: FunctionSyntax) -> Function | None:
        """The signature of a method; None if it has a problem."""

    @abstractmethod
    def need_body(self, function: Function) -> None:
        """Have a function's body checked, because something calls it."""

    @abstractmethod
    def touches_state(self, function: Function) -> bool:
        """Whether a method reads or assigns state, itself or through calls [STA-3]."""

    @abstractmethod
    def constant(self, item: ItemEntity, span: Span) -> Value:
        """The value of a constant, at a use."""

    @abstractmethod
    def alias(self, item: ItemEntity) -> AliasInfo | None:
        """An alias; None if it has a problem."""

    @abstractmethod
    def enum(self, item: ItemEntity) -> EnumType:
        """An enum, its generics standing for themselves."""

    @abstractmethod
    def enum_generics(self, item: ItemEntity) -> tuple[Generic, ...]:
        """The generics of an enum."""

    @abstractmethod
    def kernel(self, item: ItemEntity) -> Kernel | None:
        """The signature of a kernel; None if it has a problem."""

    @abstractmethod
    def struct_generics(self, item: ItemEntity) -> tuple[Generic, ...]:
        """The generics that a struct declares itself."""

    @abstractmethod
    def struct_type(self, item: ItemEntity, args: tuple[GenericArg, ...]) -> StructType:
        """The type of a struct for arguments of the generics that it declares itself."""

    @abstractmethod
    def struct(self, item: ItemEntity) -> Struct:
        """A struct with its fields."""

    @abstractmethod
    def struct_of(self, symbol: str) -> Struct:
        """The struct of a struct type."""

    @abstractmethod
    def default_value(
        self, function: Function, param: ParamSyntax, generics: dict[str, GenericEntity]
    ) -> Value:
        """The default of a parameter, its generics standing for the call's arguments."""
