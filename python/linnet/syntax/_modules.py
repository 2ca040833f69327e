"""Programs: a file with every module that it imports, each parsed once (spec section 2).

Reads sources and manifests and nothing else [SAF-1].
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Final, final

from linnet.diagnostics import Diagnostic, Edit, Label, Severity, in_source_order
from linnet.source import SourceFile, Unreadable, read
from linnet.syntax._catalogue import meant_import
from linnet.syntax._manifest import MANIFEST, Manifest, read_manifest
from linnet.syntax._parse import parse
from linnet.syntax._tree import Module, Path, Use

_OWN_STD: Final = FilePath(__file__).resolve().parents[1] / "std"


@dataclass(frozen=True, slots=True, eq=False)
class LoadedModule:
    """One parsed file. `name` is the path that it declares, unique in its program.

    `targets` gives for each import the module it names; one that could not be loaded is
    absent, and a diagnostic says why.
    """

    name: str
    tree: Module
    targets: Mapping[Use, "LoadedModule"]

    @property
    def source(self) -> SourceFile:
        """The file."""
        return self.tree.span.file


@dataclass(frozen=True, slots=True)
class Program:
    """Modules in dependency order: each after every module it imports; `root` is the last.

    `root` is None where the file itself has syntax errors or cannot be read. `std_root` is the
    directory that `std` was looked up in.
    """

    root: LoadedModule | None
    modules: tuple[LoadedModule, ...]
    diagnostics: tuple[Diagnostic, ...]
    std_root: FilePath = _OWN_STD

    @property
    def is_complete(self) -> bool:
        """Whether everything was found and parsed, so that the program can be checked."""
        return self.root is not None and all(
            diagnostic.severity is not Severity.ERROR for diagnostic in self.diagnostics
        )


def std_root_from(given: str | FilePath | None, environ: Mapping[str, str]) -> FilePath:
    """The directory of `std`: as given, else `LINNET_STD`, else the toolchain's own [MOD-3]."""
    return FilePath(given or environ.get("LINNET_STD") or _OWN_STD)


def load_program(path: str | FilePath, std_root: str | FilePath | None = None) -> Program:
    """Load a file and all that it imports.

    What cannot be found or parsed is told by `diagnostics`: syntax errors of every file,
    `E1202`, `E1206`, `E5001`.
    """
    return _Loader(std_root_from(std_root, os.environ)).load(FilePath(path))


def with_text(program: Program, file: SourceFile, text: str) -> Program | None:
    """The program with another text in one of its files; None where that does not parse.

    Nothing is read: the text has the same imports, in the same order.
    """
    replaced: dict[LoadedModule, LoadedModule] = {}
    for module in program.modules:
        tree = module.tree
        if module.source is file:
            result = parse(SourceFile(file.path, text, bom=file.bom))
            if result.tree is None or len(result.tree.uses) != len(tree.uses):
                return None
            tree = result.tree
        targets = {
            new: replaced[module.targets[old]]
            for old, new in zip(module.tree.uses, tree.uses, strict=True)
            if old in module.targets
        }
        replaced[module] = LoadedModule(module.name, tree, targets)
    root = None if program.root is None else replaced[program.root]
    return Program(root, tuple(replaced.values()), ())


def load_source(source: SourceFile, std_root: str | FilePath | None = None) -> Program:
    """Load a file whose text is at hand; its imports are looked up from its path."""
    return _Loader(std_root_from(std_root, os.environ)).load_given(source)


def load_beside(program: Program, source: SourceFile) -> Program:
    """Load one more file, whose text is at hand, with what it imports.

    A module that the program has already is that one. The file is the root of the result, and
    knows nothing of the program's own root.
    """
    loader = _Loader(program.std_root)
    loader.take(module for module in program.modules if module is not program.root)
    return loader.load_given(source)


@dataclass(slots=True, eq=False)
class _Open:
    """A module whose imports are being loaded; `use` is the import at hand."""

    path: FilePath
    tree: Module
    pending: Iterator[Use]
    targets: dict[Use, LoadedModule]
    use: Use | None = None


@final
class _Loader:
    """One walk over the imports, depth first, without recursion: chains may be long."""

    def __init__(self, std_root: FilePath) -> None:
        self._std_root = std_root
        self._loaded: dict[FilePath, LoadedModule | None] = {}
        self._order: list[LoadedModule] = []
        self._names: set[str] = set()
        self._open: dict[FilePath, _Open] = {}
        self._problems: list[Diagnostic] = []
        self._packages: dict[FilePath, Manifest | Diagnostic] = {}

    def load(self, path: FilePath) -> Program:
        """The program of a root file."""
        source = read(path)
        if isinstance(source, Unreadable):
            message = f"cannot read `{source.path}`: {source.reason}"
            return Program(None, (), (Diagnostic("E1202", message, None),), self._std_root)
        return self.load_given(source)

    def take(self, modules: Iterable[LoadedModule]) -> None:
        """Take modules, each after those that it imports, as if they were loaded here."""
        for module in modules:
            self._loaded[FilePath(module.source.path).resolve()] = module
            self._order.append(module)
            self._names.add(module.name)

    def load_given(self, source: SourceFile) -> Program:
        """The program of a root file that was read before."""
        path = FilePath(source.path)
        self._begin(path, path.resolve(), source)
        while self._open:
            key, module = next(reversed(self._open.items()))
            module.use = next(module.pending, None)
            if module.use is not None:
                self._import(module.use, module)
            else:
                del self._open[key]
                self._finish(key, module)
        root = self._loaded[path.resolve()]
        problems = in_source_order(self._problems)
        return Program(root, tuple(self._order), problems, self._std_root)

    def _begin(self, path: FilePath, key: FilePath, source: SourceFile) -> None:
        """Parse a file; if that succeeds its imports are next."""
        result = parse(source)
        self._problems += result.diagnostics
        self._loaded[key] = None
        if result.tree is not None:
            self._open[key] = _Open(path, result.tree, iter(result.tree.uses), {})

    def _finish(self, key: FilePath, done: _Open) -> None:
        """Add a module whose imports are all there, and let its importer have it."""
        module = LoadedModule(self._unique(done.tree.path.text), done.tree, done.targets)
        self._loaded[key] = module
        self._order.append(module)
        if self._open:
            importer = next(reversed(self._open.values()))
            if importer.use is not None:
                importer.targets[importer.use] = module

    def _unique(self, name: str) -> str:
        """The declared path; a file that declares one already taken gets a number."""
        unique, number = name, 1
        while unique in self._names:
            number += 1
            unique = f"{name}.{number}"
        self._names.add(unique)
        return unique

    def _import(self, use: Use, importer: _Open) -> None:
        """Find the module of an import, and begin to load it where it is new."""
        file = self._locate(use.path, importer.path)
        if isinstance(file, Diagnostic):
            self._problems.append(self._with_help(file, use, importer.path))
            return
        if file is None:
            return
        key = file.resolve()
        if key in self._open:
            self._problems.append(self._cycle(key, use))
        elif key in self._loaded:
            known = self._loaded[key]
            if known is not None:
                importer.targets[use] = known
        else:
            source = read(file)
            if isinstance(source, Unreadable):
                self._loaded[key] = None
                found = _not_found(use.path, f"no file `{file}`", source.reason)
                self._problems.append(self._with_help(found, use, importer.path))
            else:
                self._begin(file, key, source)

    def _with_help(self, problem: Diagnostic, use: Use, importer: FilePath) -> Diagnostic:
        """The problem of an import with what was probably meant, among what there is."""
        roots = {"std": self._std_root}
        package = _package_root(importer)
        if package is not None:
            roots["crate"] = package / "src"
            manifest = self._packages.get(package.resolve())
            if isinstance(manifest, Manifest):
                roots |= {key: target / "src" for key, target in manifest.dependencies.items()}
        meant = meant_import(use, roots)
        if meant is None:
            return problem
        return replace(problem, help=f"did you mean `{meant}`?", edit=Edit(use.path.span, meant))

    def _cycle(self, key: FilePath, use: Use) -> Diagnostic:
        """The loop that an import closes, told from the module it leads back to."""
        files = list(self._open)
        uses = [self._open[file].use for file in files[files.index(key) :]]
        related = tuple(
            Label(link.path.span, f"`{link.path.text}` is imported here")
            for link in uses
            if link is not None and link is not use
        )
        if not related:
            message = f"module imports itself as `{use.path.text}`"
        else:
            message = f"import of `{use.path.text}` closes a loop"
        note = "modules that need each other belong in one module"
        place = Label(use.path.span, "leads back to a module that needs this one")
        return Diagnostic("E1206", message, place, related=related, notes=(note,))

    def _locate(self, path: Path, importer: FilePath) -> FilePath | Diagnostic | None:
        """The file of a logical path [MOD-3]; None where the reason is already reported."""
        first, *rest = (segment.text for segment in path.segments)
        if first == "std":
            if not rest:
                return _not_found(path, "`std` is no module of its own")
            return _file(self._std_root, rest)
        root = _package_root(importer)
        if root is None:
            what = "crate paths" if first == "crate" else f"dependency `{first}`"
            reason = f"{what} need a package: no `{MANIFEST}` at or above this file"
            return _not_found(path, "outside every package", reason)
        package = self._package(root, path)
        if package is None:
            return None
        if first == "crate":
            return _file(root / "src", rest or ["lib"])
        target = package.dependencies.get(first)
        if target is None:
            known = [f"`{name}`" for name in ("std", "crate", *package.dependencies)]
            return _not_found(path, "no such dependency", f"paths begin with {_either(known)}")
        if self._package(target, path) is None:
            return None
        return _file(target / "src", rest or ["lib"])

    def _package(self, root: FilePath, path: Path) -> Manifest | None:
        """The manifest of a package, reported once where it is wrong."""
        key = root.resolve()
        known = self._packages.get(key)
        if known is None:
            known = self._packages[key] = read_manifest(root)
            if isinstance(known, Diagnostic):
                used = Label(path.span, f"`{path.text}` needs the package here")
                self._problems.append(replace(known, related=(used,)))
        return None if isinstance(known, Diagnostic) else known


def _package_root(importer: FilePath) -> FilePath | None:
    """The nearest directory at or above a file that holds a manifest."""
    for directory in importer.absolute().parents:
        if (directory / MANIFEST).is_file():
            return _shown(directory, importer)
    return None


def _shown(directory: FilePath, importer: FilePath) -> FilePath:
    """The directory as the user's own path names it, where that path reaches it."""
    if importer.is_absolute():
        return directory
    for shorter in importer.parents:
        if shorter.absolute() == directory:
            return shorter
    return FilePath(os.path.relpath(directory))


def _file(root: FilePath, segments: list[str]) -> FilePath:
    return root.joinpath(*segments[:-1], f"{segments[-1]}.linnet")


def _not_found(path: Path, label: str, note: str | None = None) -> Diagnostic:
    message = f"module `{path.text}` is not found"
    notes = () if note is None else (note[:1].lower() + note[1:],)
    return Diagnostic("E1202", message, Label(path.span, label), notes=notes)


def _either(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
