"""Descriptions of GPUs, and the client of a live one, as far as a machine without one can tell."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from linnet.artifact import Gpu, Variant, read_artifact
from linnet.backends.xla import _cuda_client as plugin
from linnet.backends.xla import (
    check_capability,
    cuda_client,
    cuda_device,
    cuda_targets,
    live_description,
    place_for,
    read_device,
    ships,
)
from linnet.backends.xla._client import Client, jaxlib
from linnet.cli._main import run
from linnet.errors import ArtifactError, CapabilityError, UsageError
from linnet.runtime import Model
from linnet.runtime._artifact import ArtifactEngine
from linnet.weights import bind_weights, open_weights, read_bindings
from oracle.toy import expected, write_toy

# As the plugin of XLA prints what it knows: other order, no zeros.
TOLD = """
device_description_str: "NVIDIA L40S"
platform_name: "CUDA"
gpu_device_info {
  cuda_compute_capability { major: 8 minor: 9 }
  memory_bandwidth: 864000000000  # bytes a second
  core_count: 142 fpus_per_core: 128 threads_per_warp: 32 threads_per_block_limit: 1024
  shared_memory_per_block: 49152
  shared_memory_per_block_optin: 101376
  device_memory_size: 48305799168
}
runtime_version: { major: 13 }
"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("LINNET_TARGETS", str(tmp_path / "targets"))
    cuda_client.cache_clear()
    yield tmp_path / "targets"
    cuda_client.cache_clear()


@pytest.fixture
def a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver's device, as if it were there."""
    (tmp_path / "nvidiactl").touch()
    monkeypatch.setattr("linnet.backends._gpu.NVIDIA_DEVICES", (tmp_path / "nvidiactl",))


@pytest.fixture
def no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.backends._gpu.NVIDIA_DEVICES", (tmp_path / "none",))


class StandIn(Client):
    """The processor's device, with what a GPU says of itself."""

    kind = "NVIDIA L40S"  # pyright: ignore[reportAssignmentType]
    capability = "8.9"  # pyright: ignore[reportAssignmentType]
    used = 0

    def deserialize(self, blob: bytes) -> object:
        self.used += 1
        return super().deserialize(blob)


def stand_in() -> StandIn:
    return StandIn(jaxlib().make_cpu_client())


def test_a_description_is_read_whatever_its_order() -> None:
    device = read_device(TOLD, "it")
    assert (device.name, device.capability) == ("NVIDIA L40S", "8.9")
    assert device.memory == 48305799168
    turned = read_device(device.config, "it")
    assert turned == device
    assert device.config.index("device_description_str") < device.config.index("gpu_device_info")


def test_what_is_zero_may_be_left_out_of_a_capability() -> None:
    assert read_device(TOLD.replace("major: 8 minor: 9", "major: 9"), "it").capability == "9.0"


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('device_description_str: "NVIDIA L40S"', "", "it has no device_description_str"),
        ("gpu_device_info {", "other {", "it has no gpu_device_info"),
        ("cuda_compute_capability {", "rocm {", "it has no cuda_compute_capability"),
        ("core_count: 142", "", "core_count is missing or no count"),
        ("core_count: 142", "core_count: 0", "core_count is missing or no count"),
        ("core_count: 142", 'core_count: "x"', "core_count is missing or no count"),
        ("core_count: 142", "core_count: 1 core_count: 2", "stands twice"),
        ("runtime_version: { major: 13 }", "runtime_version {", "it ends before a message does"),
        ("runtime_version: { major: 13 }", "runtime_version", "runtime_version has no value"),
        ("runtime_version: { major: 13 }", "}", "`}` is no name of a field"),
        ('platform_name: "CUDA"', "platform_name: }", "platform_name has no value"),
        ('platform_name: "CUDA"', 'platform_name: "CU', "is no text of protobuf"),
    ],
)
def test_what_is_no_description_is_refused_in_a_line(was: str, becomes: str, said: str) -> None:
    with pytest.raises(UsageError, match="FILE is no description of a GPU") as refusal:
        read_device(TOLD.replace(was, becomes), "FILE")
    assert said in refusal.value.message
    assert "\n" not in refusal.value.message


def test_every_shipped_description_is_read() -> None:
    for target in cuda_targets():
        device = cuda_device(target)
        assert ships(target)
        assert read_device(device.config, target).capability == device.capability


def test_target_add_describes_the_gpu_that_is_there(
    own: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("linnet.backends.xla.live_description", lambda: TOLD)
    assert run(["target", "add", "lab"]) == 0
    out = capfd.readouterr().out.splitlines()
    assert out[0] == "cuda:lab: NVIDIA L40S, compute capability 8.9, 45.0 GiB"
    assert out[1] == str(own / "lab.txtpb")
    device = cuda_device("cuda:lab")
    assert device == read_device(TOLD, "it")
    assert run(["target", "list", "--json"]) == 0
    listed = {each["name"]: each for each in json.loads(capfd.readouterr().out)["targets"]}
    assert listed["cuda:lab"]["source"] == "yours"
    assert listed["cuda:h100"]["source"] == "linnet"
    assert run(["target", "add", "lab"]) == 2
    assert "--replace writes it again" in capfd.readouterr().err
    other = TOLD.replace("142", "144")
    monkeypatch.setattr("linnet.backends.xla.live_description", lambda: other)
    assert run(["target", "add", "cuda:lab", "--replace", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["targets"][0]["capability"] == "8.9"
    assert "core_count: 144" in (own / "lab.txtpb").read_text()
    assert cuda_device("cuda:lab").sha256 != device.sha256


def test_a_description_that_does_not_fit_is_not_written(
    own: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("linnet.backends.xla.live_description", lambda: "gpu_device_info {}")
    assert run(["target", "add", "lab"]) == 2
    assert "what the GPU's plugin says is no description of a GPU" in capfd.readouterr().err
    assert not own.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["add"], "needs a name"),
        (["add", "h100"], "`cuda:h100` ships with Linnet"),
        (["add", "../lab"], "`../lab` cannot name a target"),
        (["add", "Lab"], "`Lab` cannot name a target"),
        (["list", "lab"], "`linnet target list` takes no name"),
    ],
)
def test_a_target_that_cannot_be_added_is_told(
    capfd: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run(["target", *words]) == 2
    assert said in capfd.readouterr().err


def test_the_folder_of_own_targets_follows_the_users_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LINNET_TARGETS")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    assert place_for("lab") == tmp_path / "settings" / "linnet" / "targets" / "lab.txtpb"


def test_a_description_that_was_damaged_is_told_with_its_file(own: Path) -> None:
    own.mkdir()
    (own / "lab.txtpb").write_text("gpu_device_info {")
    with pytest.raises(UsageError, match=r"lab\.txtpb is no description of a GPU: it ends before"):
        cuda_device("cuda:lab")
    assert "cuda:lab" in cuda_targets()


def test_without_a_gpu_the_refusal_says_so(no_gpu: None) -> None:
    for ask in (cuda_client, live_description):
        with pytest.raises(CapabilityError, match="this machine has no NVIDIA GPU: there is no"):
            ask()


def test_without_the_plugin_the_refusal_says_what_to_install(
    a_gpu: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugin, "_PACKAGE", "jax_plugins.none_such")
    with pytest.raises(CapabilityError, match="needs XLA's CUDA plugin") as refusal:
        cuda_client()
    assert refusal.value.hint is not None
    assert "linnet-mlir[cuda]" in refusal.value.hint


def test_a_plugin_without_its_library_is_none(
    a_gpu: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_a_plugin.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugin, "_PACKAGE", "half_a_plugin")
    with pytest.raises(CapabilityError, match="needs XLA's CUDA plugin"):
        cuda_client()


def test_what_the_plugin_says_is_the_reason(a_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("FAILED_PRECONDITION: No visible GPU devices.\nmore")

    standing = SimpleNamespace(
        pjrt_plugin_loaded=lambda name: False,
        load_pjrt_plugin_dynamically=lambda name, path: None,
        pjrt_plugin_initialized=lambda name: False,
        initialize_pjrt_plugin=lambda name: None,
        generate_pjrt_gpu_plugin_options=dict,
        make_c_api_client=fail,
    )
    monkeypatch.setattr(plugin, "jaxlib", lambda: standing)
    monkeypatch.setattr(plugin, "_plugin", lambda: Path("plugin.so"))
    with pytest.raises(CapabilityError) as refusal:
        cuda_client()
    assert refusal.value.message == (
        "XLA's CUDA plugin cannot use the GPU: FAILED_PRECONDITION: No visible GPU devices."
    )


def test_a_file_that_is_no_plugin_is_told(
    a_gpu: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugin.so").write_text("no library")
    monkeypatch.setattr(plugin, "_PLUGIN", "none_such")
    monkeypatch.setattr(plugin, "_plugin", lambda: tmp_path / "plugin.so")
    with pytest.raises(CapabilityError, match=r"cannot use the GPU: .*plugin\.so"):
        cuda_client()


def test_the_plugin_itself_finds_no_gpu_here(a_gpu: None) -> None:
    pytest.importorskip("jax_plugins.xla_cuda13.version", reason="the extra `cuda` is missing")
    if any(path.exists() for path in (Path("/dev/nvidiactl"), Path("/dev/dxg"))):
        pytest.skip("this machine has a GPU")
    with pytest.raises(CapabilityError, match=r"cannot use the GPU: .*No visible GPU devices"):
        cuda_client()


def test_what_the_plugin_makes_of_a_shipped_description_is_that_description() -> None:
    """The text that a live client would tell, of a topology without devices."""
    pytest.importorskip("jax_plugins.xla_cuda13.version", reason="the extra `cuda` is missing")
    from jaxlib import _jax  # pyright: ignore

    client = jaxlib()
    library = plugin._plugin()
    capsule = client.load_pjrt_plugin_dynamically("linnet_described", str(library))
    for target in cuda_targets():
        shipped = cuda_device(target)
        given = {"topology": "1x1x1", "target_config": shipped.config}
        topology = _jax.get_c_api_topology(capsule, "", given)  # pyright: ignore
        told = read_device(topology.target_config, target)  # pyright: ignore
        assert (told.name, told.capability) == (shipped.name, shipped.capability)
        assert told.memory == shipped.memory


def test_a_device_without_a_description_is_told() -> None:
    with pytest.raises(CapabilityError, match="has no description of this device"):
        plugin.description_of(Client(jaxlib().make_cpu_client()))


def test_a_live_client_tells_its_description(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = SimpleNamespace(
        get_topology_for_devices=lambda devices: SimpleNamespace(target_config=TOLD)
    )
    client = stand_in()
    monkeypatch.setattr(plugin, "jaxlib", lambda: standing)
    assert plugin.description_of(client) == TOLD


def test_code_for_another_gpu_is_refused() -> None:
    check_capability(stand_in(), "NVIDIA L4", "8.9")
    with pytest.raises(CapabilityError) as refusal:
        check_capability(stand_in(), "NVIDIA H100 80GB HBM3", "9.0")
    assert refusal.value.message == (
        "code for NVIDIA H100 80GB HBM3, of compute capability 9.0, does not run on this "
        "NVIDIA L40S, of 8.9"
    )


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy(tmp_path_factory.mktemp("toy"))


def as_if_for_a_gpu(toy: Path, capability: str) -> ArtifactEngine:
    """The toy's code for XLA on the processor, declared as that of a GPU."""
    artifact = read_artifact(toy)
    variant: Variant = next(v for v in artifact.manifest.variants if v.target == "xla-cpu")
    gpu = Gpu("cuda", "NVIDIA L4", capability)
    rules = read_bindings(None)
    tensors = open_weights({"scale": np.array(3.0, np.float32)}, rules)
    bound = bind_weights(artifact.manifest.parameters, tensors, rules)
    return ArtifactEngine(artifact, replace(variant, cpu=None, gpu=gpu), bound)


def test_code_for_a_gpu_runs_through_its_client(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = stand_in()
    monkeypatch.setattr("linnet.backends.xla.cuda_client", lambda: client)
    model = Model(as_if_for_a_gpu(toy, "8.9"))
    assert client.used == 3
    assert list(model.generate([1, 2, 3, 4], 5)) == expected([1, 2, 3, 4], 5)
    other = model.session()
    assert list(other.generate([5, 6], 4)) == expected([5, 6], 4)
    with pytest.raises(CapabilityError, match=r"of compute capability 9\.0, does not run on this"):
        as_if_for_a_gpu(toy, "9.0")


def test_an_artifact_for_a_gpu_is_refused_where_there_is_none(toy: Path, no_gpu: None) -> None:
    artifact = read_artifact(toy)
    gpu = Gpu("cuda", "NVIDIA L4", "8.9")
    variant = replace(artifact.manifest.variants[0], target="cuda:l4", gpu=gpu)
    manifest = replace(artifact.manifest, variants=(variant,))
    with pytest.raises(ArtifactError, match="needs a GPU, NVIDIA L4, and this machine has none"):
        replace(artifact, manifest=manifest).variant("cuda:l4")
