"""What a backend of `nest.load` provides, and what it is given.

A backend is a module `linnet.backends.NAME` with a function `build` (see `Build`). It returns a
`Built`: the entries of one root with their weights and one set of states. `nest` does the rest, the
same for all: it finds the model, matches the weights, checks the arguments of every call, makes
methods of the entries, and generates token by token.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from numpy.typing import NDArray

from linnet.signature import Signature

if TYPE_CHECKING:
    from linnet.compiler import Checked, Request

# `exact`: bodies as they are written. `equivalent`: kept ops are the framework's own kernels, which
# compute the same with other rounding. `fast`: also accumulation in lower precision.
Numerics = Literal["exact", "equivalent", "fast"]
# How a framework compiles what it was given; None: not, or as it always does (`jax`).
Compile = Literal["inductor", "cudagraphs"]

Weights = Mapping[str, NDArray[Any]]


class Built(Protocol):
    """Entries with their weights, and states that they keep between calls [STA-1]."""

    @property
    def signatures(self) -> Mapping[str, Signature]:
        """Each entry by name; sizes that a call decides are symbols (`Signature.symbols`)."""
        ...

    @property
    def native(self) -> object:
        """What the framework itself knows: a `torch.nn.Module`, a function, sessions."""
        ...

    def call(self, entry: str, inputs: Sequence[object]) -> object:
        """Run an entry on all its inputs, in the signature's order.

        An input is a NumPy array or the framework's own; its shape and dtype were checked, and
        sizes fulfil the signature's constraints. Gives the framework's array, a tuple of them, or
        None where there is no result. Sizes that the signature leaves open are served at whatever
        they are here: a backend with static shapes compiles at the first call of each size.
        """
        ...

    def numpy(self, value: Any) -> NDArray[Any]:
        """Return one of its arrays as NumPy's, of the same dtype (`ml_dtypes` for bf16)."""
        ...

    def states(self) -> Mapping[str, NDArray[Any]]:
        """Return copies of the states by path."""
        ...

    def reset(self) -> None:
        """Set every state to zeros."""
        ...


class Build(Protocol):
    """The function `build` of a backend."""

    def __call__(
        self,
        program: "Checked",
        request: "Request",
        weights: Weights,
        *,
        numerics: Numerics = "exact",
        compile: Compile | None = None,
    ) -> Built:
        """Build the entries that `request` names, of a checked program.

        `request` has the root, its generics, the optional members that the weights hold, and
        `open`: what it leaves out stays a symbol. The backend lowers it itself, with `keep` or
        without. `weights` holds an array of exactly the member's dtype and shape for each param
        and buffer by path; they may be read-only views of a mapped file. Options of the backend's
        own are further keywords, listed in `nest.BACKENDS`.

        CapabilityError for what the framework cannot do, UsageError for an unknown option.
        """
        ...
