"""The compile cache: what a compiler made of the same input is not made again."""

from linnet.cache._cached import CacheNotice, bypassed, cached, key_of
from linnet.cache._place import Place, place, read_size, show_size
from linnet.cache._store import Kept, Store

__all__ = [
    "CacheNotice",
    "Kept",
    "Place",
    "Store",
    "bypassed",
    "cached",
    "key_of",
    "place",
    "read_size",
    "show_size",
]
