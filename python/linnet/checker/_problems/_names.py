"""Problems of names: undeclared, private, repeated, of the wrong kind (E12xx, E2107, E2122)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from linnet.checker._problems._form import problem
from linnet.diagnostics import Diagnostic, Edit, Label, did_you_mean
from linnet.source import Span
from linnet.syntax import Kind, Name, Offer


def unknown_name(name: Name, help: str | None, edit: Edit | None) -> Diagnostic:
    """[MOD-9]"""
    problem_ = problem(
        "E1201", f"`{name.text}` is not declared", name.span, "nothing of this name is in scope",
        help=help,
    )  # fmt: skip
    return replace(problem_, edit=edit)


def no_such_item(name: Name, module: str, known: Iterable[str]) -> Diagnostic:
    """[MOD-4]"""
    return no_such_import(name.span, name.text, module, known, ())


def no_such_import(
    span: Span, name: str, module: str, known: Iterable[str], offers: Iterable[Offer]
) -> Diagnostic:
    """[MOD-4] `offers` are items of other modules."""
    there = next((offer for offer in offers if offer.name == name), None)
    return problem(
        "E1201", f"module `{module}` has no item `{name}`", span, "not declared there",
        help=None if there is None else f"it is in `{there.module}`: `{there.line}`",
        meant=did_you_mean(name, known),
    )  # fmt: skip


def private_item(name: Name, owner: str, declared: Span) -> Diagnostic:
    """[MOD-4]"""
    return private_import(name.span, name.text, owner, declared)


def private_import(span: Span, name: str, owner: str, declared: Span) -> Diagnostic:
    """[MOD-4]"""
    return problem(
        "E1203", f"`{name}` is private to `{owner}`", span, "not visible here",
        related=(Label(declared, f"`{name}` is declared here, without `pub`"),),
        note="items are private to their module unless declared `pub`",
    )  # fmt: skip


def name_taken(span: Span, name: str, first: Span) -> Diagnostic:
    """[MOD-6]"""
    return problem(
        "E1204", f"`{name}` is declared twice in this module", span, "second declaration",
        also=(Label(first, "first declaration"),),
        note="items and imports of a module share one namespace",
    )  # fmt: skip


def duplicate(name: Name, what: str, first: Span) -> Diagnostic:
    """[MOD-7]"""
    return problem(
        "E1205", f"{what} `{name.text}` is declared twice", name.span, "second declaration",
        also=(Label(first, "first declaration"),),
    )  # fmt: skip


def prelude_redeclared(name: str, span: Span) -> Diagnostic:
    """[MOD-8]"""
    return problem(
        "E1207", f"`{name}` belongs to the prelude", span, "cannot be declared again",
        note="prelude names are in scope everywhere and cannot be redefined",
    )  # fmt: skip


def not_a_type(span: Span, name: str, what: str) -> Diagnostic:
    """[MOD-10]"""
    return problem("E1208", f"`{name}` is {what}, not a type", span, "a type is needed here")


def bare_tensor(span: Span) -> Diagnostic:
    """[MOD-10]"""
    return problem(
        "E1208", "`Tensor` needs a shape and a dtype", span, "not a type by itself",
        note="a tensor type is written `Tensor[N, M; f32]`",
    )  # fmt: skip


def not_a_dtype(span: Span, name: str, what: str) -> Diagnostic:
    """[MOD-10]"""
    return problem("E1208", f"`{name}` is {what}, not a dtype", span, "a dtype is needed here")


def not_a_value(span: Span, name: str, what: str) -> Diagnostic:
    """[MOD-10, EXP-14]"""
    note = None
    if what in ("a function", "a method"):
        note = "functions and methods are called, never taken as values"
    elif what == "a pack":
        note = f"a pack is spread in a shape as `*{name}`"
    return problem(
        "E1208", f"`{name}` is {what}, not a value", span, "a value is needed here", note=note
    )


def block_as_type(span: Span, name: str) -> Diagnostic:
    """[MOD-10, FUN-4]"""
    return problem(
        "E1208", f"block `{name}` is not the type of a value", span, "a value type is needed here",
        note="a block is instantiated by a `sub` member only",
    )  # fmt: skip


def spread_of_other(span: Span, name: Name, what: str) -> Diagnostic:
    """[MOD-10]"""
    return problem(
        "E1208", f"`{name.text}` is {what}, not a pack", span, "only a pack is spread with `*`"
    )


def array_outside_sub(span: Span) -> Diagnostic:
    """[FUN-4, BLK-1]"""
    return problem(
        "E1208", "an array type needs a block and a `sub` member", span, "not the type of a value",
        note="`[Block; N]` stands only as the type of a `sub`",
    )  # fmt: skip


def no_members(name: Name, what: str) -> Diagnostic:
    """[MOD-10]"""
    return problem("E1208", f"`{name.text}` is {what}, not a module", name.span, "has no items")


def star_and_kind(span: Span, name: str, kind: Kind) -> Diagnostic:
    """Spec 3.1"""
    starred = kind is not Kind.SHAPE
    found = f"`*{name}: {kind}`" if starred else f"`{name}: {kind}`"
    return problem(
        "E2111", f"`*` goes with kind `Shape` and only with it, found {found}", span,
        "a pack is declared `*S: Shape`",
    )  # fmt: skip


def no_member(name: Name, owner: str, known: Iterable[str], help: str | None = None) -> Diagnostic:
    """[EXP-14]"""
    has = list(known)
    note = f"it has {', '.join(f'`{each}`' for each in has)}" if 0 < len(has) <= 10 else None
    return problem(
        "E2107", f"{owner} has no member `{name.text}`", name.span, "no such member", note=note,
        help=help, meant=did_you_mean(name.text, known),
    )  # fmt: skip


def array_member(name: Name, array: str) -> Diagnostic:
    """[BLK-3]"""
    return problem(
        "E2107", f"an array of blocks has no member `{name.text}`", name.span, "no such member",
        note=f"its elements have: `{array}[0].{name.text}`, or `static for` over all of them",
    )  # fmt: skip


def optional_member(name: Name, sub: str) -> Diagnostic:
    """[BLK-3]"""
    return problem(
        "E2107", f"an optional sub has no member `{name.text}`", name.span, "may be absent",
        note=f"it is reached through `match {sub} {{ some(b) => … none => … }}`",
    )  # fmt: skip


def unknown_variant(name: Name, enum: str, known: Sequence[str]) -> Diagnostic:
    """[TYP-5]"""
    return problem(
        "E2107", f"enum `{enum}` has no variant `{name.text}`", name.span, "no such variant",
        note=f"its variants are {', '.join(f'`{v}`' for v in known)}" if known else None,
        meant=did_you_mean(name.text, known),
    )  # fmt: skip


def circular(span: Span, name: str, others: tuple[Label, ...]) -> Diagnostic:
    """[TYP-4]"""
    return problem(
        "E2122", f"`{name}` is defined in terms of itself", span, "needs its own definition",
        also=others,
    )  # fmt: skip


def recursion(span: Span, name: str, chain: Sequence[str]) -> Diagnostic:
    """[FUN-3]"""
    steps = " → ".join(f"`{step}`" for step in (*chain, name))
    return problem(
        "E2119", f"`{name}` calls itself", span, "closes the circle",
        note=f"the calls are {steps}; no function may reach itself",
    )  # fmt: skip


def too_large(span: Span, what: str, limit: str) -> Diagnostic:
    """A compile-time integer, or a type, beyond what the compiler takes."""
    return problem("E2190", f"{what} this large is not implemented", span, f"more than {limit}")


def integer_too_large(span: Span) -> Diagnostic:
    """A compile-time integer that is unbounded by [DIM-2], and bounded by `lib/Dims`."""
    return too_large(span, "a compile-time integer", "256 bits")


def not_implemented(span: Span, what: str, help: str | None = None) -> Diagnostic:
    """Spec 21.1, [LEX-8], [PRE-13]"""
    return problem(
        "E2190", f"{what} is not implemented", span, "this compiler does not have it yet",
        help=help,
    )  # fmt: skip


def unused_import(span: Span, name: str, what: str, removal: Span | None) -> Diagnostic:
    """Spec 17. `removal` is the text of `what`, None where another name's edit removes it."""
    found = problem(
        "W1001", f"import `{name}` is never used", span, "nothing uses it", help=f"remove {what}"
    )
    return found if removal is None else replace(found, edit=Edit(removal, ""))


def unused_local(span: Span, name: str, *, assigned: bool) -> Diagnostic:
    """Spec 17"""
    found = problem(
        "W1002", f"local `{name}` is never used", span, "nothing reads it",
        help="remove it and its assignments" if assigned else f"write `_{name}` if that is meant",
    )  # fmt: skip
    return found if assigned else replace(found, edit=Edit(span, f"_{name}"))


def unused_member(span: Span, kind: str, name: str, block: str) -> Diagnostic:
    """Spec 17"""
    return problem(
        "W1003", f"`{kind} {name}` of `{block}` is never used", span, "nothing reads it",
        note="what is declared is part of the model: weights must hold it, states are carried",
    )  # fmt: skip
