"""Loading programs: where modules lie, cycles, manifests (spec sections 2 and 14)."""

from pathlib import Path

import pytest

from linnet.syntax import Program, load_program, std_root_from

MANIFEST = '[package]\nname = "p"\nversion = "0.1.0"\nlanguage = "0.1"\n'


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def codes(program: Program) -> list[str]:
    return [one.code for one in program.diagnostics]


def test_modules_come_after_what_they_import_and_are_read_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "linnet.toml": MANIFEST + '[dependencies]\ndep = { path = "d" }\n',
            "src/lib.linnet": "module p\nuse crate.a::{x}\nuse dep.b\nuse std.c::{z}",
            "src/a.linnet": "module p.a\nuse dep.b\nuse std.c",
            "d/linnet.toml": MANIFEST,
            "d/src/b.linnet": "module d.b",
            "std/c.linnet": "module std.c",
        },
    )
    program = load_program(tmp_path / "src" / "lib.linnet", tmp_path / "std")
    assert codes(program) == []
    assert program.is_complete
    assert [module.name for module in program.modules] == ["d.b", "std.c", "p.a", "p"]
    root = program.root
    assert root is program.modules[-1]
    assert root is not None
    assert [root.targets[use].name for use in root.tree.uses] == ["p.a", "d.b", "std.c"]


@pytest.mark.parametrize(
    "use",
    ["std.nowhere::{x}", "std", "crate.nowhere", "nowhere.x", "dep.nowhere"],
)
def test_a_path_without_a_file_is_not_found(tmp_path: Path, use: str) -> None:
    write(
        tmp_path,
        {
            "linnet.toml": MANIFEST + '[dependencies]\ndep = { path = "d" }\n',
            "d/linnet.toml": MANIFEST,
            "src/lib.linnet": f"module p use {use}",
        },
    )
    program = load_program(tmp_path / "src" / "lib.linnet", tmp_path / "std")
    assert codes(program) == ["E1202"]
    assert not program.is_complete


def test_crate_outside_a_package_is_not_found(tmp_path: Path) -> None:
    write(tmp_path, {"loose.linnet": "module p use crate.a", "a.linnet": "module p.a"})
    assert codes(load_program(tmp_path / "loose.linnet")) == ["E1202"]


def test_a_file_that_is_not_there_is_a_diagnostic(tmp_path: Path) -> None:
    program = load_program(tmp_path / "none.linnet")
    assert program.root is None
    assert codes(program) == ["E1202"]


def test_a_cycle_is_told_once_with_every_import_of_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "linnet.toml": MANIFEST,
            "src/lib.linnet": "module p use crate.a",
            "src/a.linnet": "module p.a use crate.b",
            "src/b.linnet": "module p.b use crate.c",
            "src/c.linnet": "module p.c use crate.a",
        },
    )
    program = load_program(tmp_path / "src" / "lib.linnet")
    assert codes(program) == ["E1206"]
    assert len(program.diagnostics[0].related) == 2


def test_a_long_chain_of_imports_is_loaded(tmp_path: Path) -> None:
    files = {f"src/m{n}.linnet": f"module p.m{n} use crate.m{n + 1}" for n in range(1500)}
    files |= {"linnet.toml": MANIFEST, "src/m1500.linnet": "module p.m1500"}
    write(tmp_path, files)
    program = load_program(tmp_path / "src" / "m0.linnet")
    assert codes(program) == []
    assert len(program.modules) == 1501


def test_a_module_that_imports_itself_is_a_cycle(tmp_path: Path) -> None:
    write(tmp_path, {"linnet.toml": MANIFEST, "src/lib.linnet": "module p use crate"})
    assert codes(load_program(tmp_path / "src" / "lib.linnet")) == ["E1206"]


def test_mistakes_of_every_file_are_told(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "linnet.toml": MANIFEST,
            "src/lib.linnet": "module p use crate.a use crate.b",
            "src/a.linnet": "module p.a fn",
            "src/b.linnet": "module p.b let",
        },
    )
    program = load_program(tmp_path / "src" / "lib.linnet")
    assert codes(program) == ["E1101", "E1101"]


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("[package\n", "package manifest is not TOML"),
        ("", "package manifest has no table `[package]`"),
        ("package = 1", "package manifest has no table `[package]`"),
        ('[package]\nname = "p"\nlanguage = "0.1"\n', "package manifest has no `version`"),
        (MANIFEST.replace('"p"', "1"), "`name` is not a text"),
        (MANIFEST.replace('"0.1"', '"9"'), "language version 9 is not supported, expected 0.1"),
        (MANIFEST + "[dependencies]\nstd = { path = 'x' }", "`std` cannot name a dependency"),
        (MANIFEST + "[dependencies]\na-b = { path = 'x' }", "`a-b` cannot name a dependency"),
        (MANIFEST + "[dependencies]\na = '1.0'", "dependency `a` has no `path`"),
        (MANIFEST + "[dependencies]\na = { git = 'x' }", "dependency `a` has no `path`"),
        (MANIFEST + "[dependencies]\na = { path = 'x' }", "dependency `a` has no `x/linnet.toml`"),
        (
            MANIFEST + "[dependencies]\na = { path = '/' }",
            "path of dependency `a` is not relative",
        ),
        ("a = " + "[" * 5000, "package manifest"),
    ],
)
def test_a_manifest_that_is_wrong_is_told_once(tmp_path: Path, manifest: str, message: str) -> None:
    write(
        tmp_path,
        {
            "linnet.toml": manifest,
            "src/lib.linnet": "module p use crate.a use crate.b",
            "src/a.linnet": "module p.a",
            "src/b.linnet": "module p.b",
        },
    )
    program = load_program(tmp_path / "src" / "lib.linnet")
    assert codes(program) == ["E5001"]
    assert program.diagnostics[0].message.startswith(message)


def test_the_std_root_is_given_or_set_or_our_own(tmp_path: Path) -> None:
    assert std_root_from("here", {"LINNET_STD": "there"}) == Path("here")
    assert std_root_from(None, {"LINNET_STD": "there"}) == Path("there")
    assert std_root_from(None, {}).name == "std"


def test_names_stay_unique_when_two_files_declare_one(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "linnet.toml": MANIFEST,
            "src/lib.linnet": "module p use crate.a use crate.b",
            "src/a.linnet": "module p",
            "src/b.linnet": "module p",
        },
    )
    program = load_program(tmp_path / "src" / "lib.linnet")
    assert [module.name for module in program.modules] == ["p", "p.2", "p.3"]


def test_a_manifest_that_nests_too_deeply_is_a_diagnostic(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "linnet.toml": f"x = {'[' * 5000}{']' * 5000}\n",
            "src/lib.linnet": "module p\nuse crate.a",
        },
    )
    (one,) = load_program(tmp_path / "src" / "lib.linnet").diagnostics
    assert (one.code, one.message) == ("E5001", "package manifest nests too deeply")


def test_a_manifest_that_cannot_be_opened_is_a_diagnostic(tmp_path: Path) -> None:
    write(tmp_path, {"src/lib.linnet": "module p\nuse dep.a", "linnet.toml": MANIFEST})
    (tmp_path / "dep").mkdir()
    # A directory's manifest is looked for as a file; one that vanishes in between is unreadable.
    manifest = tmp_path / "dep" / "linnet.toml"
    manifest.mkdir()
    text = MANIFEST + '[dependencies]\ndep = { path = "dep" }\n'
    (tmp_path / "linnet.toml").write_text(text, "utf-8")
    (one,) = load_program(tmp_path / "src" / "lib.linnet").diagnostics
    assert (one.code, one.message) == ("E5001", "dependency `dep` has no `dep/linnet.toml`")
