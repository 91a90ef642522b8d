"""What stands in the output for torch names that were not converted: the module imports, and using them raises."""

from rewriters.torch.alone import PACKAGES, SYMBOLS, WRAPPERS

ERROR = '''
class NotConvertedError(BaseException):
    """What was not converted has been reached.

    No Exception: what a program writes to catch torch's errors, `except Exception` too, must not take its other way.
    """
'''

NOWHERE = ", ".join(f'"{name}"' for name in (*SYMBOLS, *WRAPPERS, *(f"{package}." for package in PACKAGES)))
STAND_IN = (
    '''
class NotConverted:
    """Stands for a torch name that could not be converted; using it raises, naming and annotating with it does not."""

    # Classes of which no program has an object here.
    _nowhere = ({NOWHERE})
'''.replace("{NOWHERE}", NOWHERE)
    + '''

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return NotConverted(f"{self._name}.{name}")

    def __getitem__(self, key):
        return NotConverted(f"{self._name}[...]")

    def __or__(self, other):
        return self

    __ror__ = __or__

    def _fail(self, *args, **kwargs):
        raise NotConvertedError(f"{self._name} was not converted; see the comment `# migrate:` where it is used")

    __call__ = __setattr__ = __delattr__ = __setitem__ = __len__ = __iter__ = __contains__ = _fail
    __enter__ = __exit__ = _fail

    def __instancecheck__(self, value):
        return False if self._name.startswith(self._nowhere) else self._fail()

    __subclasscheck__ = __instancecheck__

    def __eq__(self, other):
        if type(other).__name__ == "NotConverted":  # of another such module, too
            return self._name == other._name
        # typing compares what stands in an annotation with its own names; compilers look all that a module has up
        # among functions of theirs
        return False if callable(other) or type(other).__module__ == "typing" else self._fail()

    def __hash__(self):
        return hash(self._name)

    def __repr__(self):
        return f"<{self._name}: not converted>"

    def __mro_entries__(self, bases):
        name = self._name

        class Base:
            def __init__(self, *args, **kwargs):
                raise NotConvertedError(f"base class {name} was not converted; see the comment `# migrate:` there")

        return (Base,)

    @property
    def _pattern(self):
        """A class to match with, which fails once something is."""
        return type("Matching", (type,), {"__instancecheck__": self._fail})("Pattern", (), {})

    @property
    def _exception(self):
        """A class to catch: nothing of it is raised."""
        return type("NotConvertedException", (BaseException,), {})

    def _made(self, *args, **kwargs):
        """An object that is handed along, and that only torch's own machinery looks at: using it raises."""
        return NotConverted(f"{self._name}(...)")

    def __bool__(self):
        return True if self._name.startswith(self._nowhere) and self._name.endswith("(...)") else self._fail()

    def _later(self, *args, **kwargs):
        """A call made while a module is loaded, which goes on: using what it gives raises."""
        warnings.warn(f"{self._name} was not converted, and is left out", stacklevel=2)
        return NotConverted(f"{self._name}(...)")

    def _store(self, name, value):
        """A setting made while a module is loaded."""
        warnings.warn(f"{self._name}.{name} was not converted, and is left out", stacklevel=2)

    def _decorate(self, function):
        """The function, to be found under its name and not to be called."""

        def fail(*args, **kwargs):
            self._fail()

        fail.__name__, fail.__doc__ = getattr(function, "__name__", "function"), function.__doc__
        return fail

    def _decorator(self, *args, **kwargs):
        return self._decorate


torch = NotConverted("torch")
torchvision = NotConverted("torchvision")
'''
)
