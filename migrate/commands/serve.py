"""``migrate serve``: what was exported, answering requests on this machine."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

Folder = Annotated[
    Path, typer.Argument(help="A model repository: `migrate export ... --format triton` wrote it.", metavar="DIR")
]
Port = Annotated[int, typer.Option(help="Of HTTP, on the loopback; 0 for a free one.", min=0, max=65535)]
Timeout = Annotated[float, typer.Option(help="Seconds that loading the model may take.", min=1)]


def command(folder: Folder, port: Port = 8000, timeout: Timeout = 180) -> None:
    """Serve an exported model by Triton on this machine, until it is interrupted.

    It listens on the loopback alone, and speaks KServe's v2 protocol over HTTP. It is for trying and measuring;
    elsewhere the same folder is served by any Triton: tritonserver --model-repository=DIR. The server comes from
    NVIDIA's wheel, whose Python back end runs the model: `migrate env triton`.

    Exit status: 0 when interrupted, 2 could not be served.

    Example:

        migrate export resnet50-onnx --format triton -o resnet50-served

        migrate serve resnet50-served &

        python resnet50-served/client.py
    """
    # Not above: --help needs none of it.
    from migrate.serving.server import running

    asked = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: asked.set())
    status = Console(stderr=True).status("starting")
    with status, running(folder, port=port, timeout=timeout, on_stage=status.update) as server:
        status.stop()
        print(f"{server.model} is served at {server.url}; interrupt to end", flush=True)
        while not asked.wait(0.5):
            server.check()
