"""Gradients that are held while they are cleared."""


def kept(a0_: "float32[2,3]"):
    a0_.requires_grad_()
    (a0_ * a0_).sum().backward()
    held = a0_.grad
    a0_.grad = None
    (a0_ * 3).sum().backward()
    return held, a0_.grad


def set_by_hand(a0_: "float32[2,3]"):
    a0_.requires_grad_()
    (a0_ * a0_).sum().backward()
    held = a0_.grad
    a0_.grad = held * 2
    (a0_ * 3).sum().backward()
    return held, a0_.grad
