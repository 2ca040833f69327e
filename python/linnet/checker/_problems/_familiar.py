"""What the names of other tensor libraries and languages are here.

A text is a help line. One that begins with "write" and a name is an edit of the name alone.
"""

from typing import Final

_RESHAPE: Final = "another shape of the same elements is `reshape(x, [N, M])`"
_PERMUTE: Final = "axes are reordered by `permute(x, [1, 0])`"
_FILL: Final = "a tensor of one value is `fill<f32>([N], 0.0)`"
_CAST: Final = "a dtype is converted by `cast<f32>(x)`"
_CONCAT: Final = "tensors are joined by `concat(a, b, axis = 0)`"
_POWER: Final = "there are no powers: write `x * x`, or `exp(y * log(x))`"
_CLAMP: Final = "values are clamped by `min(max(x, low), high)`"
_GATHER: Final = "rows are looked up with computed indices: `let y[n, h] = table[ids[n], h]`"
_EINSUM: Final = "products are written with indices: `let c[i, j] = sum[k] a[i, k] * b[k, j]`"
_SIZE: Final = "a size is a generic: of `x: Tensor[N, M; f32]` the sizes are `N` and `M`"
_REPEAT: Final = "axes of size 1 are repeated by `broadcast_to(x, [N, M])`"
_SELECT: Final = "elements are chosen by `select(c, a, b)`"
_MODULES: Final = "functions are imported by name, such as `use std.nn.softmax::{softmax}`"
_ITSELF: Final = "members of a block are bare names, without `self.`"
_RANDOM: Final = "`std.random` makes random numbers from a key that it is given"
_MEAN: Final = "a mean is a sum divided by the size: `(sum[i] x[i]) / N`"


def _reduction(op: str) -> str:
    return f"a reduction names its indices: `{op}[i] x[i]`"


_FUNCTIONS: Final = {
    **dict.fromkeys(("view", "flatten", "ravel", "squeeze", "unsqueeze", "expand_dims"), _RESHAPE),
    **dict.fromkeys(("swapaxes", "movedim", "moveaxis", "rearrange"), _PERMUTE),
    **dict.fromkeys(("zeros", "ones", "full", "empty", "constant"), _FILL),
    **dict.fromkeys(("zeros_like", "ones_like", "full_like"), _FILL),
    **dict.fromkeys(("astype", "to", "float", "int", "asarray", "array"), _CAST),
    **dict.fromkeys(("cat", "concatenate", "hstack", "vstack", "stack"), _CONCAT),
    **dict.fromkeys(("pow", "power", "square"), _POWER),
    **dict.fromkeys(("clamp", "clip"), _CLAMP),
    **dict.fromkeys(("index_select", "take", "lookup"), _GATHER),
    **dict.fromkeys(("einsum", "tensordot", "dot_general", "contract", "mm"), _EINSUM),
    **dict.fromkeys(("len", "size", "shape", "ndim", "numel"), _SIZE),
    **dict.fromkeys(("expand", "tile", "repeat"), _REPEAT),
    **dict.fromkeys(("rand", "randn", "randint", "dropout"), _RANDOM),
    **dict.fromkeys(("mean", "average"), _MEAN),
    **{op: _reduction(op) for op in ("sum", "prod", "any", "all")},
    "amax": _reduction("max"),
    "amin": _reduction("min"),
    "bmm": "`use std.linalg::{batched_matmul}` multiplies stacks of matrices",
    "maximum": "write `max`",
    "minimum": "write `min`",
    "arange": "the numbers from 0 are `iota(N)`",
    "range": "the numbers from 0 are `iota(N)`; `static for i in 0..N` repeats statements",
    "enumerate": "`static for i in 0..N` repeats statements",
    "tril": "`causal_mask<Q, K>()` of `std.nn.attention` is true up to the diagonal",
    "triu": "`causal_mask<Q, K>()` of `std.nn.attention` is true up to the diagonal",
    "tan": "write it with the others: `sin(x) / cos(x)`",
    "log2": "divide: `log(x) / 0.6931471805599453`",
    "log10": "divide: `log(x) / 2.302585092994046`",
    "sign": "write `select(x > 0.0, 1.0, select(x < 0.0, -1.0, 0.0))`",
    "print": "nothing is printed from a program; return the value from an `entry`",
    "assert": "what sizes must satisfy is stated by a `where` clause",
}
_VALUES: Final = {
    "True": "write `true`",
    "False": "write `false`",
    **dict.fromkeys(("None", "null", "nil", "NULL", "nullptr"), "write `none`"),
    **dict.fromkeys(("this", "cls"), _ITSELF),
    **dict.fromkeys(("torch", "np", "numpy", "jnp", "jax", "nn", "F", "tf", "math"), _MODULES),
}
_DTYPES: Final = {
    "float": "write `f32`",
    "double": "write `f64`",
    "half": "write `f16`",
    "boolean": "write `bool`",
    "bfloat16": "write `bf16`",
    "byte": "write `u8`",
    "int": "write `i32` or `i64`",
    "long": "write `i64`",
    "short": "write `i16`",
    "usize": "write `i64`",
    "uint": "write `u32`",
    **{f"float{bits}": f"write `f{bits}`" for bits in (16, 32, 64)},
    **{f"int{bits}": f"write `i{bits}`" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"write `u{bits}`" for bits in (8, 16, 32, 64)},
}
_TYPES: Final = {
    **_DTYPES,
    **dict.fromkeys(
        ("tensor", "Array", "array", "ndarray", "Matrix", "Vector", "Vec", "list", "List"),
        "a tensor type is written `Tensor[N, M; f32]`",
    ),
    **dict.fromkeys(("tuple", "Tuple"), "a tuple type is written `(f32, f32)`"),
    **dict.fromkeys(("Optional", "Option", "Maybe"), "an optional type is written `f32?`"),
    **dict.fromkeys(("str", "String", "string", "char"), "no type holds text"),
    **dict.fromkeys(("void", "unit", "None"), "a function without a result has no `->`"),
}
_MEMBERS: Final = {
    **dict.fromkeys(("shape", "ndim", "rank", "size", "numel", "dim", "sizes", "nelement"), _SIZE),
    **dict.fromkeys(("T", "mT", "t", "transpose"), _PERMUTE),
    **dict.fromkeys(("dtype", "type"), "a dtype is a generic: of `x: Tensor[N; T]` it is `T`"),
    **dict.fromkeys(("float", "half", "double", "bfloat16", "long", "type_as", "bool"), _CAST),
    **dict.fromkeys(("contiguous", "clone", "copy", "detach", "item"), "write the value alone"),
    **{name: _reduction(name) for name in ("max", "min")},
    **dict.fromkeys(("masked_fill", "masked_fill_", "where"), _SELECT),
    **dict.fromkeys(("pow", "square"), _POWER),
}
_RESERVED: Final = {
    "pad": "zeros are joined on: `concat(x, fill<f32>([P], 0.0), axis = 0)`",
    "gather": _GATHER,
    "scatter": "rows are written by comparing positions: `select(iota(N) == at, v, x)`",
}
_METHODS: Final = {
    *("exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "abs"),
    *("reshape", "permute", "broadcast_to", "cast"),
    *("softmax", "relu", "gelu", "silu", "sigmoid", "matmul", "dot"),
}


def instead_of(reserved: str) -> str | None:
    """How to do without a function whose name is kept for later [PRE-13]."""
    return _RESERVED.get(reserved)


def familiar_function(name: str) -> str | None:
    """What a function of another library is here."""
    return _FUNCTIONS.get(name) or _VALUES.get(name)


def familiar_value(name: str) -> str | None:
    """What a value or module of another language is here."""
    return _VALUES.get(name)


def familiar_type(name: str) -> str | None:
    """What a type of another language is here."""
    return _TYPES.get(name)


def familiar_dtype(name: str) -> str | None:
    """What a dtype of another library is here."""
    return _DTYPES.get(name)


def familiar_member(name: str) -> str | None:
    """What an attribute or method of a tensor of another library is here."""
    if name in _METHODS:
        return f"`{name}` is a function, not a method: `{name}(x)`"
    return _MEMBERS.get(name) or _FUNCTIONS.get(name)
