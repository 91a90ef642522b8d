"""The networks as they are written in Flax NNX: channels last."""

from pathlib import Path

import jax.numpy as jnp
import safetensors.flax
from flax import nnx
from run import main


def fresh():
    return nnx.Rngs(0)


def last(x):
    """Channels from the second axis to the last."""
    return jnp.moveaxis(jnp.asarray(x), 1, -1)


def second(x):
    return jnp.moveaxis(x, -1, 1)


class Convolutions(nnx.Module):
    def __init__(self):
        self.one = nnx.Conv(4, 4, (4,), feature_group_count=2, padding="VALID", rngs=fresh())
        self.two = nnx.Conv(4, 4, (4, 4), strides=2, padding=1, feature_group_count=2, rngs=fresh())
        self.three = nnx.Conv(2, 3, (2, 3, 2), use_bias=False, padding="VALID", rngs=fresh())
        self.dilated = nnx.Conv(3, 5, (3, 2), kernel_dilation=2, padding="VALID", rngs=fresh())
        self.depthwise = nnx.Conv(4, 4, (3, 3), feature_group_count=4, padding="VALID", rngs=fresh())

    def __call__(self, x1, x2, x3, rgb):
        two = self.two(last(x2))
        found = {"one": self.one(last(x1)), "two": two, "three": self.three(last(x3))}
        found |= {"dilated": self.dilated(last(rgb)), "depthwise": self.depthwise(two)}
        return {name: second(y) for name, y in found.items()}


class Transposed(nnx.Module):
    def __init__(self):
        def transposed(inputs, outputs, size, **more):
            return nnx.ConvTranspose(
                inputs, outputs, size, padding="VALID", transpose_kernel=True, rngs=fresh(), **more
            )

        self.one = transposed(3, 4, (4,))
        self.two = transposed(4, 4, (4, 4), strides=(2, 2))
        self.three = transposed(3, 2, (2, 3, 2), use_bias=False)

    def __call__(self, x1, x2, x3):
        found = {"one": self.one(last(x1)), "two": self.two(last(x2)), "three": self.three(last(x3))}
        return {name: second(y) for name, y in found.items()}


class Buffer(nnx.Variable):
    pass


class Block(nnx.Module):
    def __init__(self):
        self.square = nnx.Linear(6, 6, rngs=fresh())
        self.scale, self.offset = nnx.Param(jnp.zeros(6)), nnx.Param(jnp.zeros(6))
        self.shift = Buffer(jnp.zeros(6))

    def __call__(self, x):
        return self.square(x) * self.scale[...] + self.offset[...] - self.shift[...]


class Dense(nnx.Module):
    def __init__(self):
        self.embed = nnx.Embed(6, 6, rngs=fresh())
        self.stack = nnx.Sequential(
            nnx.Linear(6, 6, rngs=fresh()), nnx.relu, nnx.Linear(6, 6, use_bias=False, rngs=fresh())
        )
        self.blocks = nnx.List([Block(), Block()])
        self.norm = nnx.LayerNorm(6, epsilon=1e-3, rngs=fresh())
        self.mix = nnx.Param(jnp.zeros((6, 6)))
        self.zoom = nnx.Linear(6, 5, rngs=fresh())

    def __call__(self, ids):
        x = self.stack(self.embed(jnp.asarray(ids)))
        for block in self.blocks:
            x = block(x)
        x = self.norm(x) @ self.mix[...]
        return {"features": x, "zoom": self.zoom(x)}


class Norms(nnx.Module):
    def __init__(self):
        self.one = nnx.BatchNorm(4, use_running_average=True, rngs=fresh())
        self.two = nnx.BatchNorm(4, epsilon=1e-3, use_running_average=True, rngs=fresh())
        self.three = nnx.BatchNorm(4, use_running_average=True, rngs=fresh())
        self.plain = nnx.BatchNorm(4, use_bias=False, use_scale=False, use_running_average=True, rngs=fresh())
        self.group = nnx.GroupNorm(4, num_groups=2, epsilon=1e-5, rngs=fresh())
        self.layer = nnx.LayerNorm(12, epsilon=1e-5, rngs=fresh())

    def __call__(self, x1, x2, x3, x):
        found = {"two": self.two(last(x2)), "three": self.three(last(x3))}
        found |= {"plain": self.plain(last(x2)), "group": self.group(last(x2))}
        found = {name: second(y) for name, y in found.items()}
        layer = self.layer(jnp.asarray(x).reshape(2, 12)).reshape(2, 4, 3)
        return found | {"one": self.one(jnp.asarray(x1)), "layer": layer}


def make(cls, path, inputs):
    model = nnx.jit(lambda: cls())()  # compiled as one: each operation by itself takes longer
    own = {".".join(map(str, key)): value for key, value in nnx.to_flat_state(nnx.state(model, nnx.Not(nnx.RngState)))}
    shapes = {name: value.shape for name, value in own.items()}
    told = {"safetensors": safetensors, "nnx": nnx, "model": model}
    exec(Path(f"{path}.load").read_text(), told)  # noqa: S102 what the command printed
    weights = told["weights"]
    assert set(own) == set(weights), set(own) ^ set(weights)  # nothing is left as it was initialised
    assert {name: shapes[name] for name in weights} == {name: value.shape for name, value in weights.items()}
    model.eval()
    return lambda **inputs: nnx.jit(lambda model, inputs: model(**inputs))(model, inputs)


if __name__ == "__main__":
    main([Convolutions, Transposed, Dense, Norms], make)
