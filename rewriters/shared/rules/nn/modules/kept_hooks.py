"""Hooks of modules: what they are kept under, and what those of gradients are shown."""


class Handle:
    """What a hook is kept under, and taken away by."""

    def __init__(self, hooks, hook, prepend=False):
        self.hooks = hooks
        hooks[self] = hook
        if prepend:
            hooks.move_to_end(self, last=False)

    def remove(self):
        self.hooks.pop(self, None)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.remove()


class NotAtHand(tuple):
    """Gradients of what goes into a module, which come later than those of what it gives."""

    def refuse(self, *args):
        raise NotImplementedError("a hook sees gradients of what a module gives: hook the one whose results go in")

    __getitem__ = __iter__ = __len__ = refuse


def shown(module, before, after, gradients):
    """The gradients of what a module gives, as the hooks ``before`` leave them; those ``after`` see them."""
    for hook in [*before.values()]:
        found = hook(module, gradients)
        if found is not None:
            gradients = found if isinstance(found, tuple) else (found,)
    for hook in [*after.values()]:
        if hook(module, NotAtHand(), gradients) is not None:
            raise NotImplementedError("a hook gives gradients of what goes in: change those of what the module gives")
    return gradients
