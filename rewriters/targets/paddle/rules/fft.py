"""Fourier transforms."""

import paddle
import torch

from rewriters.rule import Rank, family, rule


@family(
    "torch.fft.fft torch.fft.ifft torch.fft.rfft torch.fft.irfft torch.fft.hfft torch.fft.ihfft",
    "fft ifft rfft irfft hfft ihfft",
    "paddle.fft.fft paddle.fft.ifft paddle.fft.rfft paddle.fft.irfft paddle.fft.hfft paddle.fft.ihfft",
)
@rule(torch.fft.fft)
def fft(input, n=None, dim=-1, norm=None):
    return paddle.fft.fft(input, n=n, axis=dim, norm="backward" if norm is None else norm)


@rule(torch.fft.fft2)
def fft2(input, s=None, dim=(-2, -1), norm=None):
    if dim == (-2, -1):
        return paddle.fft.fft2(input, s=s, norm="backward" if norm is None else norm)
    return fftn(input, s, dim=dim, norm=norm)


@family("ifft2 rfft2 irfft2 hfft2 ihfft2", "ifftn rfftn irfftn hfftn ihfftn")
@rule(torch.fft.ifft2)
def ifft2(input, s=None, dim=(-2, -1), norm=None):
    if dim == (-2, -1):
        return paddle.fft.ifft2(input, s=s, norm="backward" if norm is None else norm)
    return ifftn(input, s, dim=dim, norm=norm)  # noqa: F821 - of the family


@family("fftn ifftn rfftn irfftn hfftn ihfftn")
@rule(torch.fft.fftn)
def fftn(input, s=None, *, dim: int, norm=None):
    return paddle.fft.fftn(
        input, s=[s] if isinstance(s, int) else s, axes=[dim], norm="backward" if norm is None else norm
    )


@family("fftn ifftn rfftn irfftn hfftn ihfftn")
@rule(torch.fft.fftn)
def fftn(input, s, dim: int, norm=None):
    return paddle.fft.fftn(
        input, s=[s] if isinstance(s, int) else s, axes=[dim], norm="backward" if norm is None else norm
    )


@family("fftn ifftn rfftn irfftn hfftn ihfftn")
@rule(torch.fft.fftn)
def fftn(input, s: int, dim=None, norm=None):
    return paddle.fft.fftn(input, s=[s], axes=dim, norm="backward" if norm is None else norm)


@family("fftn ifftn rfftn irfftn hfftn ihfftn")
@rule(torch.fft.fftn)
def fftn(input, s=None, dim=None, norm=None):
    return paddle.fft.fftn(input, s=s, axes=dim, norm="backward" if norm is None else norm)


@rule(torch.fft.fftshift)
def fftshift(input, dim: int):
    # paddle.fft.fftshift fails on one axis
    return paddle.roll(input, input.shape[dim] // 2, axis=dim)


@rule(torch.fft.fftshift)
def fftshift(input, dim=None):
    axes = list(range(input.ndim)) if dim is None else list(dim)
    return paddle.roll(input, [input.shape[axis] // 2 for axis in axes], axis=axes)


@rule(torch.fft.ifftshift)
def ifftshift(input, dim: int):
    return paddle.roll(input, -(input.shape[dim] // 2), axis=dim)


@rule(torch.fft.ifftshift)
def ifftshift(input, dim=None):
    axes = list(range(input.ndim)) if dim is None else list(dim)
    return paddle.roll(input, [-(input.shape[axis] // 2) for axis in axes], axis=axes)


@family("fftfreq rfftfreq")
@rule(torch.fft.fftfreq)
def fftfreq(n, d=1.0, *, dtype=None, layout=None, device=None, requires_grad=False):
    return paddle.fft.fftfreq(n, d, dtype=dtype)


@rule(torch.stft, torch.Tensor.stft)
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
):
    found = paddle.signal.stft(
        input,
        n_fft,
        hop_length=hop_length,
        win_length=win_length,
        window=window,
        center=center,
        pad_mode=pad_mode,
        normalized=normalized,
        onesided=True if onesided is None else onesided,
    )
    return found if return_complex else paddle.as_real(found)


@rule(torch.istft, torch.Tensor.istft)
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
    return paddle.signal.istft(
        input,
        n_fft,
        hop_length=hop_length,
        win_length=win_length,
        window=window,
        center=center,
        normalized=normalized,
        onesided=input.shape[-2] != n_fft if onesided is None else onesided,
        length=length,
        return_complex=return_complex,
    )


@rule(torch.fft.fftn, torch.fft.ifftn)
def fftn_of_one(input: Rank[0], s=None, dim=None, norm=None):
    return input * (1 + 0j)
