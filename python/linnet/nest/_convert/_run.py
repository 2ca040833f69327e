"""`convert`: from a `transformers` directory, or a GGUF file, to a nest directory."""

import math
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, cast

import numpy as np

from linnet.errors import ConversionError, UsageError, unknown_name
from linnet.nest._convert._card import bindings, card, model_name, readme
from linnet.nest._convert._checkpoint import Checkpoint, open_checkpoint
from linnet.nest._convert._config import Config, read_config
from linnet.nest._convert._decoders import DECODERS
from linnet.nest._convert._encoders import ENCODERS
from linnet.nest._convert._facts import Architecture, Facts, Family
from linnet.nest._convert._folder import scratch_folder, whole_folder
from linnet.nest._convert._gguf import DTYPES, published_from_gguf
from linnet.nest._convert._gpt2 import GPT2
from linnet.nest._convert._names import published_name
from linnet.nest._convert._source import packaged_source, with_constants
from linnet.signature import Member

FAMILIES: Final[Mapping[str, Family]] = {"gpt2": GPT2, **DECODERS, **ENCODERS}

# What lies beside the weights and goes along: it says how text becomes tokens, or back.
PASSED_ON: Final = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "preprocessor_config.json",
    "LICENSE",
    "LICENSE.txt",
)
_LONGEST_CACHE: Final = 4096  # Positions; the card's `MaxSeq` can be set to any number.
_FLOATS: Final = ("f16", "bf16", "f32", "f64")


@dataclass(frozen=True, slots=True)
class Converted:
    """What `convert` wrote: the nest directory, its family, class, generics and parameter count."""

    path: Path
    family: str
    architecture: str
    generics: Mapping[str, int | str]
    parameters: int
    files: tuple[str, ...]


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    link: bool = False,
    ignore: Iterable[str] = (),
    dtype: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Converted:
    """Write the nest directory `target` from a directory that `transformers` loads, or from GGUF.

    `source` holds `config.json` and safetensors, one file or shards with an index. Weights are
    copied, or with `link` are hard links of the same files; no byte of them changes. `ignore` are
    keys of `config.json` that change no result. `progress` is called with bytes done and in all.

    A `source` that is a file is GGUF, of the architectures llama and gpt2. Its tensors become
    floating, in `dtype` (f32, f16 or bf16), else in that of its matrices if it holds all numbers of
    the file, else in f32; they get their published names and layout. `ignore` are its pairs.

    ConversionError names what is not known or does not agree (the class, a key of the
    configuration, a tensor); WeightsError a cut or malformed file; UsageError a path. The target
    appears whole or not at all.
    """
    folder, made = Path(source), Path(target)
    if not folder.is_file():
        if dtype is not None:
            raise UsageError(
                "a dtype is for GGUF files; other weights stay as they are",
                'give it when the nest is loaded: nest.load(..., dtype="f32")',
            )
        return _nest(folder, made, link, tuple(ignore), progress, "safetensors")
    if link:
        raise UsageError(f"{folder} is converted, and cannot be linked", "leave out --link")
    if dtype not in (None, *DTYPES):
        raise unknown_name("no dtype", dtype, DTYPES, "dtypes")
    with scratch_folder(made) as place:
        published_from_gguf(folder, place, dtype, ignore, progress)
        return _nest(place, made, True, tuple(ignore), None, "GGUF")


def _nest(
    folder: Path,
    made: Path,
    link: bool,
    ignore: tuple[str, ...],
    progress: Callable[[int, int], None] | None,
    origin: str,
) -> Converted:
    """Write a nest from a folder of the published form; `origin` is what that was made of."""
    config = read_config(folder)
    family, architecture = choose_family(config, ignore)
    facts = family.read(config, architecture)
    config.refuse_rest(family.name, ignore)
    checkpoint = open_checkpoint(folder)
    shape = family.architectures[architecture]
    text = with_constants(packaged_source(family.name).read_text(encoding="utf-8"), facts.constants)
    dtype = _dtype(checkpoint)
    generics: dict[str, int | str] = dict(facts.generics)
    if family.has_cache:
        positions = facts.positions or _LONGEST_CACHE
        generics |= {"Batch": 1, "MaxSeq": min(positions, _LONGEST_CACHE)}
    generics["T"] = dtype
    with whole_folder(made) as place:
        program = place / f"{family.name}.linnet"
        program.write_text(text, encoding="utf-8")
        members = members_of(program, shape.root, generics)
        names = _match(family, shape, facts, members, checkpoint)
        parameters = sum(math.prod(checkpoint.tensors[n].shape) for n in set(names.values()))
        name = model_name(made.resolve().name)
        tables = _tables(family, architecture, name, shape.root, generics, checkpoint, origin)
        left = sorted(checkpoint.tensors.keys() - set(names.values()))
        if left:
            tables["weights"]["ignore"] = left
        if (folder / "tokenizer.json").is_file():
            tables["tokenizer"] = {"file": "tokenizer.json", "stop": _stops(config)}
        (place / "nest.toml").write_text(card(tables), encoding="utf-8")
        (place / "bindings.json").write_text(bindings(names), encoding="utf-8")
        page = readme(family, name, architecture, generics, facts.constants, parameters, origin)
        (place / "README.md").write_text(page, encoding="utf-8")
        for passed in PASSED_ON:
            if (folder / passed).is_file():
                shutil.copyfile(folder / passed, place / passed)
        carry(checkpoint.files, place, link, progress)
    return Converted(
        made,
        family.name,
        architecture,
        generics,
        parameters,
        tuple(file.name for file in checkpoint.files),
    )


def _stops(config: Config) -> list[int]:
    """The tokens that end a text, which a configuration gives as one or several."""
    given = config.get("eos_token_id")
    each = cast(list[object], given) if isinstance(given, list) else [given]
    return [n for n in each if isinstance(n, int) and not isinstance(n, bool) and n >= 0]


def choose_family(config: Config, ignore: Iterable[str] = ()) -> tuple[Family, str]:
    """Return the family of a configuration and its class; ConversionError for others."""
    if config.get("quantization_config") is not None:
        raise ConversionError(
            f"{config.name} has a `quantization_config`, which is not known",
            "convert the weights that were quantised",
        )
    if config.get("auto_map") is not None and "auto_map" not in set(ignore):
        raise ConversionError(
            f"{config.name} names code of its own (`auto_map`), which is never run",
            "--ignore auto_map converts it as the class of `transformers` that it names",
        )
    classes = config.texts("architectures")
    kind = config.text("model_type")
    known = {name for family in FAMILIES.values() for name in family.architectures}
    if len(classes) != 1:
        raise ConversionError(
            f"{config.name} names {len(classes) or 'no'} architectures, not one",
            f"known: {', '.join(sorted(known))}",
        )
    family = FAMILIES.get(kind)
    if family is None or classes[0] not in family.architectures:
        of = [] if family is None else sorted(family.architectures)
        raise ConversionError(
            f"architecture `{classes[0]}` (model type `{kind}`) is not known",
            f"known{f' of {kind}' if of else ''}: {', '.join(of or sorted(known))}",
        )
    return family, classes[0]


def members_of(program: Path, root: str, generics: Mapping[str, int | str]) -> tuple[Member, ...]:
    """Return the params of a program's root at these generics, optional ones too.

    ProgramError for sizes that the program's constraints refuse.
    """
    from linnet.compiler import Request, check_path, declared_entries, members

    checked = check_path(program)
    emitted = checked.accepted()
    entries = [e for e in declared_entries(emitted.module) if (e.root or "").endswith(f"::{root}")]
    if not entries:
        raise unknown_name("there is no root", root, (), "roots")
    request = Request(root, (entries[0].name,), generics, open=True)
    return members(emitted, request, checked.sources)


def _dtype(checkpoint: Checkpoint) -> str:
    counts: dict[str, int] = {}
    for tensor in checkpoint.tensors.values():
        counts[tensor.dtype] = counts.get(tensor.dtype, 0) + 1
    floats = [dtype for dtype in counts if dtype in _FLOATS]
    if not floats:
        found = ", ".join(sorted(counts)) or "nothing"
        raise ConversionError(f"the weights hold {found}, and no floating tensor")
    return max(floats, key=lambda dtype: counts[dtype])


def _match(
    family: Family,
    shape: Architecture,
    facts: Facts,
    members: Sequence[Member],
    checkpoint: Checkpoint,
) -> dict[str, str]:
    """Return the published name of each path that the configuration calls for.

    ConversionError for the first tensor that is missing, has another shape or dtype, or has no
    place in the program.
    """
    prefix = _prefix(family, shape, members, checkpoint)
    every = {member.path: prefix + published_name(family.names, member.path) for member in members}
    patterns = [*facts.present]
    for pattern in facts.either:
        if any(name in checkpoint.tensors for p, name in every.items() if fnmatchcase(p, pattern)):
            patterns.append(pattern)
    wanted = [
        member
        for member in members
        if not member.optional or any(fnmatchcase(member.path, p) for p in patterns)
    ]
    names = {member.path: every[member.path] for member in wanted}
    for member in wanted:
        name = names[member.path]
        tensor = checkpoint.tensors.get(name)
        if tensor is None:
            raise ConversionError(
                f"the weights have no `{name}`, which config.json calls for",
                "download the weights again, or correct config.json",
            )
        if tensor.shape != member.shape:
            raise ConversionError(
                f"`{name}` has shape {list(tensor.shape)}, config.json calls for "
                f"{list(member.shape)}"
            )
        if tensor.dtype != member.dtype:
            raise ConversionError(
                f"`{name}` is {tensor.dtype}, other weights are {member.dtype}",
                "save the model in one dtype",
            )
    taken = set(names.values())
    for name in checkpoint.tensors:
        if name not in taken and not _is_inert(family, prefix, name, checkpoint, names):
            raise ConversionError(
                f"the weights hold `{name}`, which has no place in {family.name}",
                "config.json and the weights are not of one model",
            )
    return names


def _prefix(
    family: Family, shape: Architecture, members: Sequence[Member], checkpoint: Checkpoint
) -> str:
    first = published_name(family.names, members[0].path)
    for prefix in shape.prefixes:
        if prefix + first in checkpoint.tensors:
            return prefix
    return shape.prefixes[0]


def _is_inert(
    family: Family, prefix: str, name: str, checkpoint: Checkpoint, names: Mapping[str, str]
) -> bool:
    """Whether a tensor that no path takes says nothing: a table, or a copy of a tied one."""
    bare = name.removeprefix(prefix)
    if any(fnmatchcase(bare, pattern) for pattern in family.inert):
        return True
    if name != "lm_head.weight" or family.tied is None:
        return False
    twin = checkpoint.tensors.get(names.get(family.tied, ""))
    copy = checkpoint.tensors[name]
    if twin is None or twin.array is None or copy.array is None:
        return False
    same = twin.dtype == copy.dtype and twin.shape == copy.shape
    if same and np.array_equal(twin.array.view(np.uint8), copy.array.view(np.uint8)):
        return True
    raise ConversionError(
        f"config.json ties the head to the embedding, but `{name}` is not the same",
        "correct `tie_word_embeddings` in config.json",
    )


def _tables(
    family: Family,
    architecture: str,
    name: str,
    root: str,
    generics: Mapping[str, int | str],
    checkpoint: Checkpoint,
    origin: str,
) -> dict[str, dict[str, object]]:
    return {
        "model": {
            "name": name,
            "title": name,
            "summary": f"A {family.title} model ({architecture}), converted from {origin}.",
            "family": family.name,
            "tags": list(family.tags),
        },
        "source": {"path": f"{family.name}.linnet", "root": root, "entry": family.entry},
        "generics": dict(generics),
        "check": dict(family.check),
        "weights": {
            "files": [file.name for file in checkpoint.files],
            "bindings": "bindings.json",
        },
    }


def carry(
    files: Sequence[Path],
    place: Path,
    link: bool,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Copy files to a folder, or link them there; UsageError says why that is impossible."""
    total = sum(file.stat().st_size for file in files)
    done = 0
    for file in files:
        try:
            if link:
                os.link(os.path.realpath(file), place / file.name)
                done += file.stat().st_size
            else:
                with open(file, "rb") as source, open(place / file.name, "wb") as out:
                    while block := source.read(16 << 20):
                        out.write(block)
                        done += len(block)
                        if progress is not None:
                            progress(done, total)
                    out.flush()
                    os.fsync(out.fileno())
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            what = "link" if link else "copy"
            raise UsageError(
                f"cannot {what} {file}: {reason}",
                "leave out --link" if link else "name another place",
            ) from None
        if progress is not None:
            progress(done, total)
