"""Descriptions of GPUs: texts of XLA's GpuTargetConfigProto, those that ship and the user's own.

`linnet target add` makes one of a live GPU, whose client tells it; what ships is written from the
makers' figures. A text is read into its fields, checked, and written again in one form, so that the
hash in an artifact is that of the facts.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Union, cast

from linnet.errors import UsageError, unknown_name

PREFIX = "cuda:"
_SHIPPED = Path(__file__).with_name("gpus")
_SUFFIX = ".txtpb"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TOKEN = re.compile(r'\s+|\#[^\n]*|(?P<word>[A-Za-z_]\w*|"(?:[^"\\\n]|\\.)*"|[-+.\w]+|[{}:])')
# What XLA chooses kernels by; a description without one would compile for another device.
_DEVICE = "gpu_device_info"
_NEEDED = (
    "core_count",
    "fpus_per_core",
    "threads_per_warp",
    "threads_per_block_limit",
    "shared_memory_per_block",
    "shared_memory_per_block_optin",
    "memory_bandwidth",
    "device_memory_size",
)

# A message of protobuf: each field a literal as it stands, or a message.
Fields = dict[str, Union[str, "Fields"]]


@dataclass(frozen=True, slots=True)
class Device:
    """A described device: its own name, compute capability, and the text that XLA is given."""

    name: str
    capability: str
    config: str

    @property
    def memory(self) -> int:
        """The memory of the device in bytes."""
        size = re.search(r"device_memory_size: (\d+)", self.config)
        assert size is not None
        return int(size[1])

    @property
    def sha256(self) -> str:
        """The hash of the description."""
        return hashlib.sha256(self.config.encode()).hexdigest()


def own_folder() -> Path:
    """Return where the user's own descriptions lie: `LINNET_TARGETS`, or `linnet/targets` in
    the folder of the user's settings.
    """
    given = os.environ.get("LINNET_TARGETS")
    if given:
        return Path(given)
    settings = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(settings) / "linnet" / "targets"


def cuda_targets() -> tuple[str, ...]:
    """Return the targets that are described, shipped ones and the user's own."""
    return tuple(sorted(f"{PREFIX}{name}" for name in _files()))


def ships(target: str) -> bool:
    """Whether a target's description is one that ships."""
    return _files().get(target.removeprefix(PREFIX), own_folder()).parent == _SHIPPED


def cuda_device(target: str) -> Device:
    """Return the device of a target; UsageError for one that is not described, or badly."""
    path = _files().get(target.removeprefix(PREFIX)) if target.startswith(PREFIX) else None
    if path is None:
        raise unknown_name("no target", target, cuda_targets(), "GPUs")
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}", "remove the file") from None
    found = read_device(text, str(path))
    # A shipped text is given to XLA, and hashed, as it stands.
    return found if path.parent != _SHIPPED else Device(found.name, found.capability, text)


def place_for(name: str) -> Path:
    """Return where the description of a new target `cuda:NAME` is to be written.

    UsageError for what is no name, or is the name of one that ships.
    """
    name = name.removeprefix(PREFIX)
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"`{name[:40]}` cannot name a target",
            "small letters, digits, `-` and `_`, as in `h100-pcie`",
        )
    if (_SHIPPED / f"{name}{_SUFFIX}").exists():
        raise UsageError(f"`{PREFIX}{name}` ships with Linnet", "choose another name")
    return own_folder() / f"{name}{_SUFFIX}"


def read_device(text: str, where: str) -> Device:
    """Return the device that a description tells of, with its text in one form.

    UsageError names what is missing or malformed; `where` says in which text.
    """

    def refuse(what: str) -> UsageError:
        return UsageError(f"{where} is no description of a GPU: {what}", "`linnet target add`")

    try:
        fields = _read(_tokens(text))
    except ValueError as error:
        raise refuse(str(error)) from None
    name, device = fields.get("device_description_str"), fields.get(_DEVICE)
    if not isinstance(name, str) or not name.strip('"'):
        raise refuse("it has no device_description_str")
    if not isinstance(device, dict):
        raise refuse(f"it has no {_DEVICE}")
    version = device.get("cuda_compute_capability")
    major = version.get("major") if isinstance(version, dict) else None
    if not isinstance(version, dict) or not isinstance(major, str) or not major.isdigit():
        raise refuse("it has no cuda_compute_capability")
    minor = version.setdefault("minor", "0")  # Protobuf leaves out what is 0.
    for field in _NEEDED:
        number = device.get(field)
        if not isinstance(number, str) or not number.isdigit() or int(number) == 0:
            raise refuse(f"{field} is missing or no count")
    return Device(name.strip('"'), f"{major}.{minor}", "".join(_lines(fields, 0)))


def _files() -> dict[str, Path]:
    """The files of descriptions by name; one that ships cannot be replaced."""
    found: dict[str, Path] = {}
    for folder in (own_folder(), _SHIPPED):
        try:
            names = [path for path in folder.glob(f"*{_SUFFIX}") if _NAME.fullmatch(path.stem)]
        except OSError:
            continue
        found |= {path.stem: path for path in names}
    return found


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"`{text[at : at + 20].splitlines()[0]}` is no text of protobuf")
        if found["word"] is not None:
            yield found["word"]
        at = found.end()


def _read(tokens: Iterator[str], inner: bool = False) -> Fields:
    fields: Fields = {}
    for name in tokens:
        if name == "}" and inner:
            return fields
        if not name.isidentifier() or name in fields:
            raise ValueError(f"`{name}` is no name of a field, or stands twice")
        sign = next(tokens, "")
        if sign == ":":
            sign = next(tokens, "")
            if sign != "{":
                if not sign or sign in "}:":
                    raise ValueError(f"{name} has no value")
                fields[name] = sign
                continue
        if sign != "{":
            raise ValueError(f"{name} has no value")
        fields[name] = _read(tokens, True)
    if inner:
        raise ValueError("it ends before a message does")
    return fields


def _lines(fields: Mapping[str, object], depth: int) -> Iterator[str]:
    """The fields in the order of their names, a line each."""
    for name, value in sorted(fields.items()):
        indent = "  " * depth
        if isinstance(value, dict):
            yield f"{indent}{name} {{\n"
            yield from _lines(cast(Fields, value), depth + 1)
            yield f"{indent}}}\n"
        else:
            yield f"{indent}{name}: {value}\n"
