"""Cards: each mistake is one line with its place, and no path leaves the card's directory."""

import json
from pathlib import Path

import pytest

from linnet.errors import CardError, NestError
from linnet.nest import card_schema, find, packaged, parse_card, read_card

from . import tiny

SEED = Path(__file__).resolve().parents[3].parent / "shared" / "seed" / "gpt2"
REPO = 'repo = "a/b"\nrevision = "0123456789abcdef0123456789abcdef01234567"\n'


def problems(text: str, folder: Path = Path("/nowhere")) -> list[str]:
    """Every problem of a card."""
    with pytest.raises(CardError) as caught:
        parse_card(text, folder)
    return list(caught.value.problems)


def changed(old: str, new: str) -> str:
    assert old in tiny.CARD
    return tiny.CARD.replace(old, new, 1)


def at(line: str) -> int:
    lines: list[str] = list(tiny.CARD.splitlines())
    return lines.index(line) + 1


def test_a_card_gives_its_fields(tmp_path: Path) -> None:
    card = parse_card(tiny.CARD, tmp_path)
    assert (card.name, card.title, card.root, card.entry) == (
        "tiny",
        "A tiny GPT-2",
        "Model",
        "forward",
    )
    assert card.generics["H"] == 8
    assert card.generics["T"] == "f32"
    assert card.check == {"B": 1, "S": 3}
    assert card.weights is not None
    assert card.weights.files == ("model.safetensors",)
    assert card.program == tmp_path / "gpt2.linnet"


@pytest.mark.parametrize("name", packaged())
def test_the_cards_of_the_package_are_sound(name: str) -> None:
    card = find(name)
    assert card.name == name
    assert card.program.is_file()
    assert (card.directory / "README.md").is_file()


@pytest.mark.skipif(not SEED.is_dir(), reason="the shared model page is not here")
def test_the_shared_card_is_sound() -> None:
    assert read_card(SEED).title == "GPT-2 (124M)"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("title", "titel", "[model] has no field `titel`; did you mean `title`?"),
        ("[check]", "[chek]", "the card has no field `chek`; did you mean `check`?"),
        ("license", "author", "[model] has no field `author`; it has `name`, `title`, `summary`"),
        ('name = "tiny"', "", "[model] lacks the field `name`"),
        ('name = "tiny"', 'name = "Ti ny"', '`model.name` is "Ti ny", needs lower-case letters'),
        ('name = "tiny"', 'name = "../x"', '`model.name` is "../x", needs lower-case letters'),
        ('name = "tiny"', "name = 3", "`model.name` is 3, needs to be a text"),
        ('root = "Model"', "", "[source] lacks the field `root`"),
        ('root = "Model"', 'root = "M odel"', '`source.root` is "M odel", needs the name of a'),
        ('entry = "forward"', 'entry = ""', '`source.entry` is "", needs the name of an entry'),
        ('"gpt2.linnet"', '"gpt2.py"', '`source.path` is "gpt2.py", needs a path that ends in'),
        ("H = 8", "H = 8.5", "`generics.H` is 8.5, needs a size, a dtype's name or a list"),
        ("H = 8", "H = -8", "`generics.H` is -8, needs a size"),
        ("H = 8", "H = true", "`generics.H` is true, needs a size"),
        ('T = "f32"', 'T = "F 32"', '`generics.T` is "F 32", needs a size, a dtype'),
        ('["model.safetensors"]', "[]", "`weights.files` is an empty list"),
        ('["model.safetensors"]', '"model.safetensors"', "needs to be a list"),
        ('["model.safetensors"]', '["model.bin"]', "needs paths that end in .safetensors"),
        ('["model.safetensors"]', '["pytorch_model.pkl"]', "needs paths that end in .safetensors"),
        ("files", 'repo = "a/b"\nfiles', "[weights] names a `repo` without a `revision`"),
        ("files", REPO.replace('"a/b"', '"a"') + "files", "needs the form OWNER/NAME"),
        (
            "files",
            'repo = "a/b"\nrevision = "main"\nfiles',
            '`weights.revision` is "main", needs a commit: 40 hexadecimal digits',
        ),
        (
            "[check]",
            '[links]\nhome = "javascript:alert(1)"\n[check]',
            "needs an address that begins with https:// or http://",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(old: str, new: str, problem: str) -> None:
    text = changed(old, new)
    found = problems(text)
    assert len(found) == 1
    place, _, said = found[0].partition(": ")
    assert problem in said
    # The line is one of those that were changed, or the head of the table that lacks something.
    written = text.splitlines()[int(place.removeprefix("nest.toml:")) - 1]
    assert written.startswith("[") or written not in tiny.CARD.splitlines()


def test_all_mistakes_are_told_at_once_in_order() -> None:
    text = (
        changed('name = "tiny"', "name = 3").replace("H = 8", "H = 0.5").replace("B = 1", "B = []")
    )
    found = problems(text.replace("B = []", 'B = "X Y"'))
    assert [each.partition(": ")[0] for each in found] == [
        f"nest.toml:{at(line)}" for line in ('name = "tiny"', "H = 8", "B = 1")
    ]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../gpt2.linnet", "leaves the directory of the card"),
        ("a/../../gpt2.linnet", "leaves the directory of the card"),
        ("/etc/gpt2.linnet", "is absolute"),
        ("~/gpt2.linnet", "is absolute"),
        ("a//gpt2.linnet", "has an empty part"),
        ("./gpt2.linnet", "has an empty part"),
        ("..\\\\gpt2.linnet", "is no relative path"),
        ("C:gpt2.linnet", "is no relative path"),
        ("C:/gpt2.linnet", "is no relative path"),
        ("//server/share/gpt2.linnet", "is no relative path|is absolute"),
        ("gpt2.linnet:x.linnet", "is no relative path"),
        ("nul.linnet", "is no file's name on Windows"),
        ("a./gpt2.linnet", "is no file's name on Windows"),
        ("a\\u0000.linnet", "holds a control character"),
        ("a\\u001b[2J.linnet", "holds a control character"),
    ],
)
def test_a_path_out_of_the_directory_is_refused(path: str, why: str) -> None:
    (found,) = problems(changed('"gpt2.linnet"', f'"{path}"'))
    line = at('path = "gpt2.linnet"')
    assert found.startswith(f"nest.toml:{line}: `source.path` is ")
    assert any(each in found for each in why.split("|"))
    other = path.replace(".linnet", ".json")
    (found,) = problems(changed('"bindings.json"', f'"{other}"'))
    assert "`weights.bindings` is " in found


def test_paths_of_weights_on_the_hub_are_bound_too() -> None:
    text = changed("files", REPO + "files").replace("model.safetensors", "../x.safetensors")
    (found,) = problems(text)
    assert "leaves the directory of the card" in found


def test_a_link_out_of_the_directory_is_refused(tmp_path: Path) -> None:
    folder = tiny.make(tmp_path / "tiny")
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    (folder / "bindings.json").unlink()
    (folder / "bindings.json").symlink_to(secret)
    with pytest.raises(CardError, match=r"`weights.bindings` .* leads out of the directory by a"):
        read_card(folder)
    (folder / "bindings.json").unlink()
    (folder / "real.json").write_text("{}")
    (folder / "bindings.json").symlink_to("real.json")
    card = read_card(folder)
    # A link that is put there later is found when the file is used.
    (folder / "bindings.json").unlink()
    (folder / "bindings.json").symlink_to(secret)
    with pytest.raises(NestError, match="leads out of the nest"):
        _ = card.bindings


def test_a_folder_link_out_of_the_directory_is_refused(tmp_path: Path) -> None:
    folder = tiny.make(tmp_path / "tiny", changed('"gpt2.linnet"', '"src/gpt2.linnet"'))
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / "src").symlink_to(outside)
    with pytest.raises(CardError, match="leads out of the directory by a link"):
        read_card(folder)


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    folder = tiny.make(tmp_path / "tiny")
    (folder / "bindings.json").unlink()
    (folder / "bindings.json").symlink_to("bindings.json")
    with pytest.raises((CardError, NestError)):
        _ = read_card(folder).bindings


def test_a_card_that_is_a_link_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text(tiny.CARD)
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "nest.toml").symlink_to(tmp_path / "real.toml")
    with pytest.raises(NestError, match="leads out of its directory"):
        read_card(folder)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"[model\n", "nest.toml:1: "),
        (b"[model]\nname = \n", "nest.toml:2: "),
        (b'[model]\nname = "a"\nname = "b"\n', "nest.toml:3: "),
        (b"\xff\xfe", "nest.toml:1: the card is not UTF-8 text"),
        (b"a = 1\n\xff", "nest.toml:2: the card is not UTF-8 text"),
        (b"#" * 70_000, "nest.toml:1: the card is longer than 65536 bytes"),
        (b"", "nest.toml:1: the card lacks the table `model`"),
        (b"a = " + b"[" * 30_000, "nest.toml:1: "),
    ],
)
def test_a_file_that_is_no_card_is_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    (tmp_path / "nest.toml").write_bytes(data)
    with pytest.raises(CardError) as caught:
        read_card(tmp_path)
    assert caught.value.problems[0].startswith(problem)


def test_a_hash_for_no_file_is_refused() -> None:
    text = tiny.CARD + f'sha256 = {{ "other.safetensors" = "{"0" * 64}" }}\n'
    (found,) = problems(text)
    line = len(text.splitlines())
    assert found == (
        f"nest.toml:{line}: `weights.sha256` names `other.safetensors`, which is none of "
        "`weights.files`"
    )


def test_lines_are_found_in_any_way_of_writing(tmp_path: Path) -> None:
    text = (
        'model = { name = "tiny", \'title\' = """\n[x]\n""" } # [y]\n'
        'source.path = "gpt2.linnet"\nsource.root = "Model"\n\n[generics]\n"H" = [\n 1, # ]\n]\n'
    )
    card = parse_card(text, tmp_path)
    lines = {".".join(key): line for key, line in card.lines.items()}
    assert lines == {
        "model": 1,
        "model.name": 1,
        "model.title": 1,
        "source": 4,
        "source.path": 4,
        "source.root": 5,
        "generics": 7,
        "generics.H": 8,
    }


def test_the_schema_is_json_and_describes_the_card() -> None:
    schema = card_schema()
    assert json.dumps(schema)
    assert set(schema["properties"]) >= {"model", "source", "generics", "check", "weights"}
