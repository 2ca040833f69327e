"""What a name that resolves to nothing was probably meant to be.

Only what may stand at the place is suggested: a suggestion that is followed leads to no
problem of kinds.
"""

from collections.abc import Iterable
from typing import Literal

from linnet.checker import _problems as problems
from linnet.checker._names import (
    KIND_NAMES,
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
from linnet.diagnostics import did_you_mean
from linnet.syntax import Alias, Const, Enum, Function, Kind, Offer, Struct
from linnet.syntax import Block as BlockSyntax

# What a name stands for at its place; an owner stands before a dot, a target before `=`.
Use = Literal["value", "call", "owner", "target", "dimension", "pack", "dtype", "type", "sub"]

_OFFERED = {
    "value": {"const"},
    "call": {"fn", "op", "entry", "struct"},
    "owner": {"enum"},
    "dimension": {"const"},
    "dtype": {"type"},
    "type": {"type", "struct", "enum"},
    "sub": {"type", "block"},
}


def advice(
    name: str, use: Use, scope: Iterable[tuple[str, Entity]], offers: Iterable[Offer]
) -> str | None:
    """The help for an undeclared name. `offers` may be imported; nearer scopes come first."""
    near = did_you_mean(name, (entry for entry, entity in scope if _fits(entity, use)))
    if near is not None and near.lower() == name.lower():
        return f"did you mean `{near}`?"
    given = list(offers)
    for offer in given:
        if offer.name == name:
            help_ = _import(offer, use)
            if help_ is not None:
                return help_
    known = _familiar(name, use)
    if known is not None:
        return known
    if near is not None:
        return f"did you mean `{near}`?"
    fitting = {offer.name: offer for offer in reversed(given) if offer.word in _words(use)}
    near = did_you_mean(name, fitting)
    if near is not None:
        return f"did you mean `{near}`? `{fitting[near].line}` brings it in"
    return _declaration(name, use)


def _import(offer: Offer, use: Use) -> str | None:
    if offer.word in _words(use):
        return f"`{offer.line}` brings it in"
    if offer.word == "block" and use in ("call", "value"):
        return f"`{offer.line}` brings in the block; `sub name: {offer.name}<…>` makes one of it"
    return None


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
            return name not in PRELUDE_FUNCTIONS | KIND_NAMES
        case _:
            return _is_dtype(entity)
