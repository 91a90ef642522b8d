"""Definitions of ours that helper modules begin with, as far as what follows needs them."""

from __future__ import annotations

OF_KIND = '''
class _OfKind(type):
    """Whether something is a tensor with one of the class's dtypes."""

    def __instancecheck__(cls, value):
        return isinstance(value, torch.Tensor) and str(value.dtype).rpartition(".")[2].startswith(cls.dtypes)
'''
OF_RANK = '''
class _OfRank(type):
    """Whether something is a tensor of so many axes."""

    def __instancecheck__(cls, value):
        return isinstance(value, torch.Tensor) and value.ndim == cls.ndim


class Rank:
    def __class_getitem__(cls, ndim):
        return _OfRank("Rank", (), {"ndim": ndim})
'''
IS_TEXT = '''
class _IsText(type):
    """Whether something is this text."""

    def __instancecheck__(cls, value):
        return isinstance(value, str) and value == cls.text


class Literal:
    def __class_getitem__(cls, text):
        return _IsText("Literal", (), {"text": text})
'''
IS_FOREIGN = '''
class _HoldsForeign(type):
    """Whether something is a list or tuple with tensors or numpy's numbers in it, or another sequence."""

    def __instancecheck__(cls, value):
        if type(value).__name__ in ("deque", "range"):
            return True
        return isinstance(value, (list, tuple)) and any(hasattr(v, "dtype") or isinstance(v, cls) for v in value)


class Foreign(metaclass=_HoldsForeign):
    pass
'''
DTYPES = {
    "BoolTensor": ("bool",),
    "IntTensor": ("int", "uint"),
    "FloatTensor": ("float", "bfloat"),
    "ComplexTensor": ("complex",),
}


def kind_class(name: str) -> str:
    return f"class {name}(metaclass=_OfKind):\n    dtypes = {DTYPES[name]!r}".replace("'", '"')


TORCH_FUNCTION = '''
def torch_function(**unsaid):
    """The function takes these arguments of torch's too, as long as they say what torch does without them."""

    def takes_more(function):
        @functools.wraps(function)
        def called(*args, **kwargs):
            for name, default in unsaid.items():
                if kwargs.pop(name, default) is not default:
                    raise NotConvertedError(f"{function.__name__}: what {name} asks for was not converted")
            return function(*args, **kwargs)

        return called

    return takes_more
'''
DIFFERS = '''
class Differs(UserWarning):
    """What follows is not what torch gives."""


def differs(reason):
    warnings.warn(reason, Differs, stacklevel=3)
'''

VALUES = 'Values = namedtuple("Values", ["values", "indices"])'

# Paddle traces no return or break inside a loop, and a return in a handler wrong.
FITTING = '''
def _fitting(functions, args, kwargs):
    """The first of the functions whose parameters and their annotations admit the arguments."""
    found = next((function for function in functions if _admits(function, args, kwargs)), None)
    if found is None:
        raise TypeError(f"no form of {functions[0].__name__} takes these arguments: {args!r}, {kwargs!r}")
    return found


def _admits(function, args, kwargs):
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **kwargs).arguments.items()
    except TypeError:
        given = None
    return given is not None and all(_is_of(signature.parameters[name], value) for name, value in given)


def _is_of(parameter, value):
    kind = type(None) if parameter.annotation is None else parameter.annotation
    values = value if parameter.kind is parameter.VAR_POSITIONAL else [value]
    return kind is parameter.empty or all(isinstance(_of_python(v), kind) for v in values)


def _of_python(value):
    """A number of numpy's as Python's."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () else value
'''

# Where parameters are held by objects: what is given as one is taken as the array in it, where no form takes it so.
OF_HELD = """
    if found is None:
        arrays = [{array_of}(value) for value in args]
        if any(new is not old for new, old in zip(arrays, args)):
            return lambda *_, **kwargs: _fitting(functions, arrays, kwargs)(*arrays, **kwargs)
"""


def fitting(array_of: str) -> str:
    """array_of: the function that gives the array out of what holds one; "" where parameters are arrays."""
    before, raised, rest = FITTING.partition("    if found is None:\n")
    return before + OF_HELD.format(array_of=array_of).lstrip("\n") + raised + rest if array_of else FITTING
