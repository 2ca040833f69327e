"""An artifact round-trips, and whatever is wrong with one is said in one line."""

import json
from pathlib import Path

import jsonschema
import pytest

from linnet.artifact import Draft, Held, read_artifact, schema, write_artifact
from linnet.artifact._manifest import digest
from linnet.backends import Cpu, Module, this_cpu
from linnet.errors import ArtifactError, UsageError
from linnet.signature import Member, Signature, Value

SIGNATURE = Signature(
    "step",
    "m::Model",
    {"S": 8},
    {"H": 4, "T": "f32"},
    (Value("x", "f32", (8,)),),
    (Member("layer.0.w", "param", "bf16", (4, 2), True),),
    (Member("cache", "state", "f32", ()),),
    (Value("result", "bool", (8,)),),
)
MODULES = [Module("step", SIGNATURE, b"portable")]


def draft(versions: dict[str, str], cpu: Cpu) -> Draft:
    return Draft("cpu", "iree-vmfb", versions, cpu, [("module.vmfb", b"code", ["step"])])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    source = tmp_path / "m.linnet"
    source.write_text("module m\n")
    write_artifact(tmp_path / "m.lna", source, MODULES, [draft({}, this_cpu())], "0.1.0")
    return tmp_path / "m.lna"


def edit(path: Path, change: dict[str, object], seal: bool = True) -> None:
    file = path / "manifest.json"
    data = {**json.loads(file.read_text()), **change}
    if seal:
        data["digest"] = digest(data)
    file.write_text(json.dumps(data))


def message(path: Path) -> str:
    with pytest.raises(ArtifactError) as caught:
        read_artifact(path).variant()
    assert "\n" not in str(caught.value)
    assert caught.value.hint is not None
    return caught.value.message


def test_what_was_written_is_read(path: Path):
    artifact = read_artifact(path)
    assert artifact.manifest.entries[0].signature == SIGNATURE
    variant = artifact.variant("cpu")
    (code,) = variant.files
    assert code.functions == (Held("step"),)
    assert artifact.file(code.file).read_bytes() == b"code"
    assert sorted(p.name for p in path.parent.iterdir()) == ["m.linnet", "m.lna"]


def test_the_schema_is_one_and_accepts_the_manifest(path: Path):
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(json.loads((path / "manifest.json").read_text()), schema())


def test_an_artifact_is_replaced_and_another_folder_is_not(path: Path):
    source = path.parent / "m.linnet"
    other = draft({}, Cpu("vax", ()))
    write_artifact(path, source, MODULES, [other], "0.1.0")
    assert read_artifact(path).manifest.variants[0].cpu == Cpu("vax", ())
    precious = path.parent / "precious"
    precious.mkdir()
    with pytest.raises(UsageError, match="is no artifact"):
        write_artifact(precious, source, MODULES, [other], "0.1.0")


@pytest.mark.parametrize("name", ["variants/cpu/module.vmfb", "stablehlo/step.mlirbc"])
def test_a_changed_byte_is_named(path: Path, name: str):
    data = bytearray((path / name).read_bytes())
    data[1] ^= 1
    (path / name).write_bytes(data)
    assert f"{name} was changed" in message(path)


def test_a_changed_manifest_is_named(path: Path):
    edit(path, {"root": "m::Other"}, seal=False)
    assert "manifest.json was changed" in message(path)


def test_a_missing_file_is_named(path: Path):
    (path / "stablehlo/step.mlirbc").unlink()
    assert "stablehlo/step.mlirbc is missing" in message(path)


def test_another_format_is_named(path: Path):
    edit(path, {"format": 1})
    assert "has format 1, this version of Linnet reads 2" in message(path)


def test_a_manifest_against_the_schema_is_named(path: Path):
    edit(path, {"entries": []})
    assert "entries" in message(path)


def test_no_json_and_no_artifact_are_told_apart(path: Path, tmp_path: Path):
    (path / "manifest.json").write_text("{")
    assert "is no JSON" in message(path)
    (path / "manifest.json").write_text("[" * 100_000)
    assert "is nested too deep" in message(path)
    assert "is a file, no artifact" in message(path / "manifest.json")
    assert "does not exist" in message(tmp_path / "none.lna")
    assert "has no manifest.json" in message(tmp_path)


def rewrite(path: Path, versions: dict[str, str], cpu: Cpu) -> None:
    source = path.parent / "m.linnet"
    write_artifact(path, source, MODULES, [draft(versions, cpu)], "0.1.0")


def test_another_target_is_named(path: Path):
    with pytest.raises(ArtifactError, match="no code for target `xla-cpu`, only for `cpu`"):
        read_artifact(path).variant("xla-cpu")


def test_another_version_of_a_backend_is_named(path: Path):
    rewrite(path, {"numpy": "0.0.1"}, this_cpu())
    assert "was built for numpy 0.0.1, but" in message(path)
    rewrite(path, {"no-such-package": "1"}, this_cpu())
    assert "needs no-such-package 1, which is not installed" in message(path)


def test_another_processor_is_named(path: Path):
    rewrite(path, {}, Cpu(this_cpu().arch, ("avx99",)))
    assert "needs a processor with avx99" in message(path)
    rewrite(path, {}, Cpu("vax", ()))
    assert "needs a processor with vax" in message(path)


def test_a_file_that_cannot_be_read_is_named(path: Path, monkeypatch: pytest.MonkeyPatch):
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("hashlib.file_digest", denied)
    said = message(path)
    assert said.startswith(f"cannot read {path}/")
    assert said.endswith(": permission denied")
