"""In-place arithmetic with a tensor of another dtype: Paddle's gives the tensor that dtype, and writes it into a view's
memory as it stands.
"""

import paddle

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.arithmetic import fmod, igamma, igammac, times_log  # noqa: F401 - of a family
from rewriters.targets.paddle.rules.promotion import promoted_addcdiv, promoted_addcmul


@rule("torch.Tensor.add_:mixed")
def promoted_add_(self, other: paddle.Tensor, *, alpha=1):
    return self.add_(other.astype(self.dtype), alpha=alpha)


@rule("torch.Tensor.sub_:mixed", "torch.Tensor.subtract_:mixed")
def promoted_sub_(self, other: paddle.Tensor, *, alpha=1):
    return self.subtract_(other.astype(self.dtype), alpha=alpha)


@rule("torch.Tensor.mul_:mixed", "torch.Tensor.multiply_:mixed")
def promoted_mul_(self, other: paddle.Tensor):
    return self.multiply_(other.astype(self.dtype))


@rule("torch.Tensor.div_:mixed", "torch.Tensor.divide_:mixed")
def promoted_div_(self, other: paddle.Tensor, *, rounding_mode=None):
    return self.divide_(other.astype(self.dtype), rounding_mode=rounding_mode)


@family("iadd isub imul itruediv", "add subtract multiply divide")
@rule("torch.Tensor.__iadd__:mixed")
def promoted_iadd(self, other: paddle.Tensor):
    return self.add_(other.astype(self.dtype))


@family("copysign nextafter")
@rule("torch.Tensor.copysign_:mixed")
def promoted_copysign_(self, other):
    return paddle.assign(paddle.copysign(self, other.astype(self.dtype)), self)


@family("and or xor")
@rule("torch.Tensor.logical_and_:mixed")
def promoted_logical_and_(self, other):
    return paddle.assign(paddle.logical_and(self.astype("bool"), other.astype("bool")).astype(self.dtype), self)


@rule("torch.Tensor.floor_divide_:mixed", "torch.Tensor.__ifloordiv__:mixed")
def promoted_floor_divide_(self, other):
    return paddle.assign(self.clone() // other.astype(self.dtype), self)


@rule("torch.Tensor.remainder_:mixed", "torch.Tensor.__imod__:mixed")
def promoted_remainder_(self, other):
    return paddle.assign(self.clone() % other.astype(self.dtype), self)


@rule("torch.Tensor.pow_:mixed", "torch.Tensor.__ipow__:mixed")
def promoted_pow_(self, exponent):
    return paddle.assign(self.clone() ** exponent.astype(self.dtype), self)


@rule("torch.Tensor.addcmul_:mixed")
def promoted_addcmul_(self, tensor1, tensor2, *, value=1):
    return paddle.assign(promoted_addcmul(self, tensor1, tensor2, value=value).astype(self.dtype), self)


@rule("torch.Tensor.addcdiv_:mixed")
def promoted_addcdiv_(self, tensor1, tensor2, *, value=1):
    return paddle.assign(promoted_addcdiv(self, tensor1, tensor2, value=value).astype(self.dtype), self)


@rule("torch.Tensor.addr_:mixed")
def promoted_addr_(self, vec1, vec2, *, beta=1, alpha=1):
    product = paddle.outer(vec1.astype(self.dtype), vec2.astype(self.dtype))
    return paddle.assign(beta * self + alpha * product, self)


@rule("torch.Tensor.atan2_:mixed", "torch.Tensor.arctan2_:mixed")
def promoted_atan2_(self, other):
    return paddle.assign(paddle.atan2(self.clone(), other.astype(self.dtype)), self)


@rule("torch.Tensor.ldexp_:mixed", "torch.ldexp_:mixed")
def promoted_ldexp_(self, other):
    return paddle.assign(self.clone() * 2.0 ** other.astype(self.dtype), self)


@family("min max", "maximum minimum")
@rule("torch.Tensor.clamp_min_:mixed", "torch.clamp_min_:mixed")
def promoted_clamp_min_(input, min):
    return paddle.assign(paddle.maximum(input.clone(), min.astype(input.dtype)), input)


@rule("torch.Tensor.fmod_:mixed")
def promoted_fmod_(self, other):
    return paddle.assign(fmod(self.clone(), other.astype(self.dtype)), self)


@family("igamma igammac")
@rule("torch.Tensor.igamma_:mixed")
def promoted_igamma_(self, other):
    return paddle.assign(igamma(self.clone(), other.astype(self.dtype)), self)


@rule("torch.Tensor.true_divide_:mixed")
def promoted_true_divide_(self, other):
    return paddle.assign(self.clone() / other.astype(self.dtype), self)


@rule("torch.Tensor.xlogy_:mixed", "torch.xlogy_:mixed")
def promoted_xlogy_(input, other):
    return paddle.assign(times_log(input.clone(), other.astype(input.dtype), paddle.log), input)


@rule("torch.Tensor.lerp_:mixed")
def promoted_lerp_(self, end, weight):
    weight = weight.astype(self.dtype) if isinstance(weight, paddle.Tensor) else weight
    return paddle.assign(self + weight * (end - self), self)


@rule("torch.Tensor.hypot_:mixed")
def promoted_hypot_(self, other):
    return paddle.assign(paddle.hypot(self.clone(), other.astype(self.dtype)), self)
