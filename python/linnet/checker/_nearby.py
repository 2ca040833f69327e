"""What a name that resolves to nothing was probably meant to be.

Only what may stand at the place is suggested: a suggestion that is followed leads to no
problem of kinds.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from linnet.checker import _problems as problems
from linnet.checker._names import (
    PRELUDE_FUNCTIONS,
    Entity,
    GenericEntity,
    ItemEntity,
    MemberEntity,
    MethodEntity,
    ModuleEntity,
    PreludeEntity,
)
from linnet.checker._program import Local
from linnet.checker._types import DTYPES
from linnet.diagnostics import Edit, did_you_mean
from linnet.source import Span
from linnet.syntax import (
    Alias,
    Const,
    Enum,
    Function,
    Kind,
    Module,
    Name,
    Offer,
    Struct,
    UseItems,
)
from linnet.syntax import Block as BlockSyntax

# What a name stands for at its place; an owner stands before a dot, a target before `=`.
Use = Literal["value", "call", "owner", "target", "dimension", "pack", "dtype", "type", "sub"]

_WRITE: Final = re.compile("write `([^`]+)`")
_OFFERED: Final = {
    "value": {"const"},
    "call": {"fn", "op", "entry", "struct"},
    "owner": {"enum"},
    "dimension": {"const"},
    "dtype": {"type"},
    "type": {"type", "struct", "enum"},
    "sub": {"type", "block"},
}


@dataclass(frozen=True, slots=True)
class Advice:
    """A help line, and the edit that it names: another text for the name, or an import."""

    help: str
    replacement: str | None = None
    offer: Offer | None = None

    def edit(self, name: Name, module: Module) -> Edit | None:
        """The edit as text, in the module that holds the name."""
        if self.replacement is not None:
            return Edit(name.span, self.replacement)
        return None if self.offer is None else import_edit(module, self.offer)


def advice(
    name: str, use: Use, scope: Iterable[tuple[str, Entity]], offers: Iterable[Offer]
) -> Advice | None:
    """What to do about an undeclared name.

    `offers` may be imported; nearer scopes and modules come first.
    """
    near = did_you_mean(name, (entry for entry, entity in scope if _fits(entity, use)))
    if near is not None and near.lower() == name.lower():
        return Advice(f"did you mean `{near}`?", near)
    given = list(offers)
    for offer in given:
        if offer.name == name and offer.word in _words(use):
            return Advice(f"it is in `{offer.module}`; import it", offer=offer)
        if offer.name == name and offer.word == "block" and use in ("call", "value"):
            return Advice(
                f"it is a block of `{offer.module}`: `{offer.line}`, "
                f"and `sub name: {name}<…>` in a block makes one"
            )
    known = _familiar(name, use)
    if known is not None:
        written = _WRITE.fullmatch(known)
        return Advice(known, None if written is None else written[1])
    if near is not None:
        return Advice(f"did you mean `{near}`?", near)
    fitting = {offer.name: offer for offer in reversed(given) if offer.word in _words(use)}
    near = did_you_mean(name, fitting)
    if near is not None:
        return Advice(f"did you mean `{near}`? `{fitting[near].line}` brings it in")
    declared = _declaration(name, use)
    return None if declared is None else Advice(declared)


def import_edit(module: Module, offer: Offer) -> Edit:
    """The edit that imports an item: another name of a list, or another line."""
    lines = [use.span for use in module.uses]
    for use in module.uses:
        if isinstance(use, UseItems) and use.path.text == offer.module:
            last = use.names[-1].span.end
            if use.span.text.endswith("}"):
                return Edit(Span(use.span.file, last, last), f", {offer.name}")
    if lines:
        end = lines[-1].end
        return Edit(Span(lines[-1].file, end, end), f"\n{offer.line}")
    end = module.path.span.end
    return Edit(Span(module.path.span.file, end, end), f"\n\n{offer.line}")


def _words(use: Use) -> set[str]:
    return _OFFERED.get(use, set())


def _familiar(name: str, use: Use) -> str | None:
    match use:
        case "call":
            return problems.familiar_function(name)
        case "value" | "owner":
            return problems.familiar_value(name)
        case "type" | "sub":
            return problems.familiar_type(name)
        case "dtype":
            return problems.familiar_dtype(name)
        case "dimension" | "pack" | "target":
            return None


def _declaration(name: str, use: Use) -> str | None:
    """How a name of this use is declared, where nothing like it exists."""
    match use:
        case "target":
            return f"`var {name} = …` declares what is assigned later"
        case "dimension" if name[:1].isupper():
            return f"a size is declared among the generics: `<{name}: Dim>`"
        case "dtype" if name[:1].isupper():
            return f"a dtype is declared among the generics: `<{name}: Float>`"
        case "pack":
            return f"a pack is declared among the generics: `<*{name}: Shape>`"
        case _:
            return None


def _fits(entity: Entity, use: Use) -> bool:
    match use:
        case "value":
            return _is_value(entity)
        case "owner":
            match entity:
                case ItemEntity(_, Enum()) | ModuleEntity() | Local() | MemberEntity():
                    return True
                case _:
                    return False
        case "call":
            match entity:
                case MethodEntity() | ItemEntity(_, Function() | Struct()):
                    return True
                case PreludeEntity(name):
                    return name in PRELUDE_FUNCTIONS
                case _:
                    return False
        case "target":
            match entity:
                case Local(mutable=mutable):
                    return mutable
                case MemberEntity(_, member):
                    return member.kind == "state"
                case _:
                    return False
        case "dimension":
            match entity:
                case ItemEntity(_, Const(type=None)) | GenericEntity(generic=_):
                    return not isinstance(entity, GenericEntity) or _kind(entity) is Kind.DIM
                case Local(ci=ci):
                    return ci is not None
                case _:
                    return False
        case "pack":
            return isinstance(entity, GenericEntity) and _kind(entity) is Kind.SHAPE
        case "dtype":
            return _is_dtype(entity)
        case "type":
            return _is_type(entity)
        case "sub":
            match entity:
                case ItemEntity(_, BlockSyntax() | Alias()):
                    return True
                case _:
                    return False


def _kind(entity: GenericEntity) -> Kind:
    return entity.generic.kind


def _is_value(entity: Entity) -> bool:
    match entity:
        case Local() | MemberEntity() | ItemEntity(_, Const()):
            return True
        case GenericEntity():
            return _kind(entity) is Kind.DIM
        case _:
            return False


def _is_dtype(entity: Entity) -> bool:
    match entity:
        case GenericEntity():
            return _kind(entity) not in (Kind.DIM, Kind.SHAPE)
        case PreludeEntity(name):
            return name in DTYPES
        case _:
            return False


def _is_type(entity: Entity) -> bool:
    match entity:
        case ItemEntity(_, Alias() | Struct() | Enum()):
            return True
        case PreludeEntity(name):
            return name in DTYPES  # `Tensor` alone is no type.
        case _:
            return _is_dtype(entity)
