"""Functions that a generated file carries along where its text needs them."""

from collections.abc import Mapping

SUPPORT: Mapping[str, str] = {
    "_divide": '''
def _divide(a: ArrayLike, b: ArrayLike) -> Array:
    """Divides whole numbers towards zero; a division by zero gives some number."""
    return lax.div(*jnp.broadcast_arrays(*_alike(a, b)))
''',
    "_remainder": '''
def _remainder(a: ArrayLike, b: ArrayLike) -> Array:
    """The rest of a division towards zero."""
    return lax.rem(*jnp.broadcast_arrays(*_alike(a, b)))
''',
    "_alike": '''
def _alike(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    """Both as arrays; a number takes the dtype of the other one."""
    dtype = jnp.result_type(a, b)
    return jnp.asarray(a, dtype), jnp.asarray(b, dtype)
''',
    "_to_integer": '''
def _to_integer(x: Array, dtype: DTypeLike) -> Array:
    """Floats to whole numbers, towards zero; what is too large stops at the ends, NaN is 0."""
    limits = jnp.iinfo(dtype)
    wide = x if x.dtype == jnp.float64 else x.astype(jnp.float32)
    whole = jnp.where(jnp.isnan(wide), 0, wide).astype(dtype)
    least, most = jnp.asarray(limits.min, dtype), jnp.asarray(limits.max, dtype)
    whole = jnp.where(wide >= float(limits.max), most, whole)
    return jnp.where(wide <= float(limits.min), least, whole)
''',
    "_write": '''
def _write(target: Array, value: Array, *starts: ArrayLike) -> Array:
    """Writes `value` into `target`, from `starts` on; these move so that it fits."""
    room = [size - span for size, span in zip(target.shape, value.shape, strict=True)]
    places = [jnp.clip(at, 0, most) for at, most in zip(starts, room, strict=True)]
    return lax.dynamic_update_slice(target, value, [place.astype(jnp.int32) for place in places])
''',
    "Module": '''
class Module:
    """A pytree: arrays, modules and lists of modules are its children, all else is static."""

    def __init_subclass__(cls) -> None:
        jax.tree_util.register_pytree_with_keys(cls, cls._flatten, cls._unflatten)

    def _flatten(self) -> tuple[list[tuple[jax.tree_util.GetAttrKey, Any]], tuple[Any, ...]]:
        fields = vars(self)
        static = {name: value for name, value in fields.items() if isinstance(value, int)}
        names = [name for name in fields if name not in static]
        children = [(jax.tree_util.GetAttrKey(name), fields[name]) for name in names]
        return children, (tuple(names), tuple(static.items()))

    @classmethod
    def _unflatten(cls, static: tuple[Any, ...], children: Iterable[Any]) -> "Module":
        module = object.__new__(cls)
        vars(module).update(zip(static[0], children, strict=True))
        vars(module).update(static[1])
        return module
''',
}
# What each of them calls.
NEEDS: Mapping[str, tuple[str, ...]] = {"_divide": ("_alike",), "_remainder": ("_alike",)}


def support_for(text: str) -> list[str]:
    """The functions that a text calls, and those that they call, each before its callers."""
    wanted = {name for name in SUPPORT if f"{name}(" in text or f"({name})" in text}
    for name in list(wanted):
        wanted |= set(NEEDS.get(name, ()))
    order = ["_alike", *SUPPORT]
    return [SUPPORT[name].strip("\n") for name in dict.fromkeys(order) if name in wanted]
