"""The text that GPT-2 writes at the true 124M shapes with the seeded weights of `oracle.weights`.

The prompt is `numpy.random.default_rng(6).integers(0, 50257, PROMPT)`.
"""

PROMPT = 8
NEW = 96

# The greedy tokens after the prompt, each ahead of the second best by more than 0.005; a test
# checks them with the oracle, which would need half a minute to find them.
# fmt: off
GREEDY: tuple[int, ...] = (
    28540, 28540, 46470, 46470, 46470, 46470, 40280, 46470, 46470, 46470, 40280, 46470,
    46470, 40280, 28910, 31544, 24095, 28910, 31544, 46470, 31544, 17491, 23920, 17491,
    9747, 17491, 23920, 255, 28910, 31544, 28910, 28910, 31544, 28910, 21179, 28910,
    28910, 17491, 31544, 48136, 28910, 28910, 46470, 28910, 41499, 46470, 23889, 28280,
    41499, 46470, 31544, 21179, 13431, 13431, 3085, 28910, 13431, 13431, 23221, 28910,
    13431, 23221, 28910, 31544, 36411, 39389, 28910, 46470, 21179, 39389, 28910, 46470,
    31544, 21179, 28910, 43219, 46470, 41499, 41499, 41499, 21179, 28910, 23221, 28910,
    6145, 41499, 41499, 28647, 43219, 46470, 28910, 6145, 21179, 32371, 24107, 28910,
)
# fmt: on
