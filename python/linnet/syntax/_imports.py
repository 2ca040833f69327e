"""The parser's rules for imports (spec sections 2 and 3.1)."""

from linnet.diagnostics import Diagnostic, Label
from linnet.syntax._statements import StatementParser
from linnet.syntax._tree import Name, Path, Use, UseItems, UseModule, UseName


class ImportParser(StatementParser):
    """Rules for `use`."""

    def late_use(self, after: Name) -> None:
        """Report an import that stands below an item."""
        label = Label(self.token_span(self.at), "after an item")
        also = (Label(after.span, "the first items stand above"),)
        self.report(Diagnostic("E1101", "imports stand before every item", label, also))

    def use(self) -> Use:
        """`"use" UseRoot {"." IDENT} ["::" (IDENT | "{" list(UseName) "}")]`."""
        start = self.starts[self.at]
        self.at += 1
        path = self._use_path()
        if self.kinds[self.at] != "::":
            if self.kinds[self.at] == "as":
                note = "only an item inside `{ }` takes another name: `use a.b::{x as y}`"
                self.fail("the end of the import", notes=(note,))
            return UseModule(path, self.span(start))
        self.at += 1
        opener = self.at
        if self.kinds[opener] == "*":
            self.fail("a name or `{`", notes=("an import names each item",))
        if self.kinds[opener] != "{":
            name = self.name("the name of an item or `{`")
            return UseItems(path, (UseName(name, None, name.span),), self.span(start))
        self.at += 1
        names = [self._use_name()]
        while self.separate(opener):
            names.append(self._use_name())
        self.at += 1
        return UseItems(path, tuple(names), self.span(start))

    def _use_path(self) -> Path:
        at = self.at
        start = self.starts[at]
        if self.kinds[at] == "crate":
            self.at += 1
            segments = [Name("crate", self.token_span(at))]
        else:
            segments = [self._use_segment("the path of a module")]
        while self.kinds[self.at] == ".":
            self.at += 1
            segments.append(self._use_segment("a name after `.`"))
        return Path(tuple(segments), self.span(start))

    def _use_segment(self, what: str) -> Name:
        kind = self.kinds[self.at]
        if kind in ("self", "super"):
            self.refuse(f"`{kind}` in an import is reserved for later")
        return self.name(what)

    def _use_name(self) -> UseName:
        start = self.starts[self.at]
        name = self.name("the name of an item")
        alias = None
        if self.kinds[self.at] == "as":
            self.at += 1
            alias = self.name("a name after `as`")
        return UseName(name, alias, self.span(start))
