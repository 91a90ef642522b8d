"""torch.fft, and spectra of torch. Of integers torch's are complex64."""

import jax.numpy as jnp
import torch

from rewriters.rule import family, rule
from rewriters.targets.jax.rules.promoted_dtypes import inexact


@family(
    "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft", "fft_fft fft_ifft fft_rfft fft_irfft fft_hfft fft_ihfft"
)
@rule(torch.fft.fft)
def fft_fft(input, n=None, dim=-1, norm=None):
    return jnp.fft.fft(inexact(input), n, dim, norm)


@family("fft2 ifft2 rfft2 irfft2", "fftn ifftn rfftn irfftn")
@rule(torch.fft.fft2)
def fft2(input, s=None, dim=(-2, -1), norm=None):
    return jnp.fft.fftn(inexact(input), s, dim, norm)


@family("fftn ifftn rfftn irfftn")
@rule(torch.fft.fftn)
def fftn(input, s=None, dim=None, norm=None):
    dim = (dim,) if isinstance(dim, int) else dim
    if dim is None and s is not None:
        dim = tuple(range(-len(s), 0))
    return jnp.fft.fftn(inexact(input), s, dim, norm)


OPPOSITE = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


@rule(torch.fft.hfftn)
def hfftn(input, s=None, dim=None, norm=None):
    return hermitian(input, s, dim, norm)


@rule(torch.fft.hfft2)
def hfft2(input, s=None, dim=(-2, -1), norm=None):
    return hermitian(input, s, dim, norm)


@rule(torch.fft.ihfftn)
def ihfftn(input, s=None, dim=None, norm=None):
    return inverse_hermitian(input, s, dim, norm)


@rule(torch.fft.ihfft2)
def ihfft2(input, s=None, dim=(-2, -1), norm=None):
    return inverse_hermitian(input, s, dim, norm)


def hermitian(x, s, dim, norm):
    dim = tuple(range(-len(s), 0)) if dim is None and s is not None else dim
    axes = tuple(range(x.ndim)) if dim is None else (dim,) if isinstance(dim, int) else dim
    return jnp.fft.irfftn(jnp.conj(inexact(x)), s, axes, OPPOSITE[norm])


def inverse_hermitian(x, s, dim, norm):
    dim = tuple(range(-len(s), 0)) if dim is None and s is not None else dim
    axes = tuple(range(x.ndim)) if dim is None else (dim,) if isinstance(dim, int) else dim
    return jnp.conj(jnp.fft.rfftn(inexact(x), s, axes, OPPOSITE[norm]))


@family("fftfreq rfftfreq")
@rule(torch.fft.fftfreq)
def fftfreq(n, d=1.0, *, dtype=None, layout=None, device=None, requires_grad=False):
    return jnp.fft.fftfreq(n, d).astype(jnp.float32 if dtype is None else dtype)


@family("fftshift ifftshift")
@rule(torch.fft.fftshift)
def fftshift(input, dim=None):
    return jnp.fft.fftshift(input, dim)


@rule(torch.stft, torch.Tensor.stft, torch.functional.stft)
def stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
    align_to_window=None,
):
    if align_to_window:
        raise NotImplementedError("cut the input to the window instead of passing align_to_window=True")
    hop = n_fft // 4 if hop_length is None else hop_length
    window = centered(window, n_fft if win_length is None else win_length, n_fft, input.dtype)
    rows = input if input.ndim == 2 else input[None]
    if center:
        rows = jnp.pad(
            rows, ((0, 0), (n_fft // 2, n_fft // 2)), mode="constant" if pad_mode == "constant" else pad_mode
        )
    starts = jnp.arange(0, rows.shape[-1] - n_fft + 1, hop)
    pieces = rows[:, starts[:, None] + jnp.arange(n_fft)] * window
    half = not jnp.iscomplexobj(pieces) if onesided is None else onesided
    found = (jnp.fft.rfft if half else jnp.fft.fft)(pieces, axis=-1, norm="ortho" if normalized else None)
    found = jnp.swapaxes(found, -2, -1)
    found = found if input.ndim == 2 else found[0]
    return found if return_complex is None or return_complex else jnp.stack([found.real, found.imag], -1)


def centered(window, length, n_fft, dtype):
    """The window, between zeros where it is shorter than what is transformed."""
    window = jnp.ones(length, dtype) if window is None else window
    before = (n_fft - length) // 2
    return jnp.pad(window, (before, n_fft - length - before))


@rule(torch.istft, torch.Tensor.istft, torch.functional.istft)
def istft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    normalized=False,
    onesided=None,
    length=None,
    return_complex=False,
):
    hop = n_fft // 4 if hop_length is None else hop_length
    real = jnp.real(input).dtype
    window = centered(window, n_fft if win_length is None else win_length, n_fft, real)
    rows = jnp.swapaxes(input if input.ndim == 3 else input[None], -2, -1)
    half = rows.shape[-1] == n_fft // 2 + 1 if onesided is None else onesided
    norm = "ortho" if normalized else None
    pieces = jnp.fft.irfft(rows, n_fft, norm=norm) if half else jnp.fft.ifft(rows, n_fft, norm=norm)
    pieces = pieces if return_complex else pieces.real
    places = jnp.arange(rows.shape[-2])[:, None] * hop + jnp.arange(n_fft)
    size = n_fft + hop * (rows.shape[-2] - 1)
    summed = jnp.zeros((rows.shape[0], size), pieces.dtype).at[:, places].add(pieces * window)
    weight = jnp.zeros(size, real).at[places].add(jnp.broadcast_to(window**2, places.shape))
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else size - start
    found = (summed / jnp.where(weight > 1e-11, weight, 1))[:, start:end]
    if length is not None and found.shape[-1] < length:
        found = jnp.pad(found, ((0, 0), (0, length - found.shape[-1])))
    return found if input.ndim == 3 else found[0]
