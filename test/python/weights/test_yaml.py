"""The part of YAML that a binding file may use, and what is refused of the rest [WGT-2]."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.errors import WeightsError
from linnet.weights import read_bindings
from linnet.weights._yaml import YamlError, read_yaml

FULLER = """\
# The weights of two files.
---
sources:
  - name: main   # the first
    type: safetensors
    files: "*.safetensors"
  -
    name: other
    type: safetensors
    files: [a.safetensors, 'b  c.safetensors']
bindings:
  blocks.{i}.attn.weight: {source: main, key: "h.{i}.attn"}
  wte:
    source: main
    key: transformer.wte
  wpe: wpe.weight
"""


def test_maps_lists_and_scalars_are_read() -> None:
    assert read_yaml(FULLER) == {
        "sources": [
            {"name": "main", "type": "safetensors", "files": "*.safetensors"},
            {
                "name": "other",
                "type": "safetensors",
                "files": ["a.safetensors", "b  c.safetensors"],
            },
        ],
        "bindings": {
            "blocks.{i}.attn.weight": {"source": "main", "key": "h.{i}.attn"},
            "wte": {"source": "main", "key": "transformer.wte"},
            "wpe": "wpe.weight",
        },
    }


def test_every_scalar_is_the_text_that_stands_there() -> None:
    text = "no: yes\n1: 0x10\nnull: ~\n'it''s': \"a\\tb\\u00e9\"\na b: c#d e:f {i} # note\r\n"
    assert read_yaml(text) == {
        "no": "yes",
        "1": "0x10",
        "null": "~",
        "it's": "a\tb\xe9",
        "a b": "c#d e:f {i}",
    }


def test_a_list_may_stand_at_the_indent_of_its_key() -> None:
    assert read_yaml("a:\n- b\n- c: d\n  e: f\ng: h") == {
        "a": ["b", {"c": "d", "e": "f"}],
        "g": "h",
    }


def test_nothing_is_nothing() -> None:
    assert read_yaml("\n# only a comment\n---\n") is None


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: !tag b", 1, "a tag is not part of a binding file"),
        ("a: &x b", 1, "an anchor is not part"),
        ("a: *x", 1, "an alias is not part"),
        ("a: {b: *x}", 1, "an alias is not part"),
        ("a: |\n  b", 1, "a block scalar is not part"),
        ("<<: a", 1, "a merge is not part"),
        ("? a", 1, "a complex key is not part"),
        ("%YAML 1.2", 1, "a directive is not part"),
        ("a: b\n---\nc: d", 2, "a file holds one document"),
        ("--- a", 1, "a file holds one document"),
        ("a: - b", 1, "unexpected `- b`"),
        ("a: [b,#c]", 1, "unexpected `#c`"),
        ("a: b\n\tc: d", 2, "a tab indents this line"),
        ("a: b\na: c", 2, "`a` is given twice"),
        ("a: {b: c, b: d}", 1, "`b` is given twice"),
        ("a: b: c", 1, "unexpected `: c`"),
        ("x: y\na:", 2, "`a` has no value"),
        ("a:\nb: c", 1, "`a` has no value"),
        ("a: [b", 1, "expected `,` or `]`"),
        ("a: {b}", 1, "expected `key: value`"),
        ("a: 'b", 1, "the quote is not closed"),
        ('a: "\\x41"', 1, "has an escape that JSON lacks"),
        ("a: b\n  c: d", 2, "indented otherwise"),
        ("a: b\nc", 2, "expected `key: value`"),
        ("a: " + "[" * 60, 1, "nested too deep"),
        ("- " * 60 + "a", 1, "nested too deep"),
    ],
)
def test_what_is_not_of_the_subset_is_refused_with_its_line(
    text: str, line: int, reason: str
) -> None:
    with pytest.raises(YamlError) as raised:
        read_yaml(text)
    assert raised.value.line == line
    assert reason in raised.value.reason


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab:- \n#[]{},'\"!&*|\t", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    lines = text.count("\n") + 1
    try:
        refused = None
        read_yaml(text)
    except YamlError as error:
        refused = error
    assert refused is None or 1 <= refused.line <= lines


def test_a_yaml_binding_file_is_that_of_json(tmp_path: Path) -> None:
    for name in ("a.safetensors", "b  c.safetensors"):
        (tmp_path / name).touch()
    (tmp_path / "b.yaml").write_text(FULLER)
    bindings = read_bindings(tmp_path / "b.yaml")
    assert bindings.of("blocks.11.attn.weight") == ("main", "h.11.attn")
    assert bindings.of("wte") == ("main", "transformer.wte")
    assert bindings.of("wpe") == (None, "wpe.weight")
    assert bindings.of("else") == (None, "else")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: !x b", "b.yml:1: a tag is not part of a binding file"),
        ("- a", "b.yml is no object"),
        ("", "b.yml is no object"),
        ("a: [b]", "gives `a` no tensor name"),
    ],
)
def test_a_malformed_yaml_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "b.yml").write_text(text)
    with pytest.raises(WeightsError) as raised:
        read_bindings(tmp_path / "b.yml")
    assert said in raised.value.message


PIECES = ["a: b\n", "- a\n", "  - b\n", "a:\n", "  c: d\n", "[a, b]", "{a: b}", "'x'", '"y"']
PIECES += ["# c\n", " ", "\n", "a", "b:", ": ", "- ", "\n  ", "{i}", ".", ",", "-", "#", "&", "!"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join))
def test_what_is_read_is_the_same_in_another_reader(text: str) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    try:
        mine = read_yaml(text)
    except YamlError:
        return
    other = yaml.load(text, Loader=yaml.BaseLoader)  # Which reads every scalar as a text.
    assert mine == (other or None) or (mine in ({}, [], "") and other == mine)
