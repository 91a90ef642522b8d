"""Keeps what is tried off the network: a project's function may download weights, or ask a hub."""

from __future__ import annotations

import os
import sys
from typing import Any

FETCHING = {"wget", "curl", "git", "pip", "pip3", "gdown", "aria2c", "huggingface-cli", "apt-get", "conda"}
"""Programs that reach for it."""

SETTINGS = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "WANDB_MODE": "disabled"}
"""What well-known libraries look at, so that they say what is missing instead of trying."""


class Offline(OSError):
    """Something reached for the network."""


def refuse() -> None:
    """From now on raise Offline where this process looks up a host, connects, or starts a program that would."""
    os.environ.update(SETTINGS)
    sys.addaudithook(_audit)


def _audit(event: str, arguments: Any) -> None:
    if event == "socket.getaddrinfo" and arguments[0] not in (None, "", "localhost", "127.0.0.1", "::1"):
        raise Offline(f"reaches for the network ({_text(arguments[0])}), which nothing does here")
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in ("127.0.0.1", "::1"):
        raise Offline(f"reaches for the network ({arguments[1][0]}), which nothing does here")
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        words = {os.path.basename(word) for part in arguments[:2] for word in _words(part)}
        if words & FETCHING:
            raise Offline(f"starts {min(words & FETCHING)}, which reaches for the network")


def _words(part: Any) -> list[str]:
    if isinstance(part, (list, tuple)):
        return [word for item in part for word in _words(item)]
    return _text(part).split() if isinstance(part, (str, bytes, os.PathLike)) else []


def _text(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)
