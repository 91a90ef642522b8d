"""What a measurement was made on."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any


def describe(threads: int) -> dict[str, Any]:
    """The processor, how much of it there is, and how busy it was before the measurement."""
    cpuinfo = Path("/proc/cpuinfo")
    text = cpuinfo.read_text(encoding="utf-8") if cpuinfo.is_file() else ""
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    pairs = set(re.findall(r"^physical id\s*:\s*(\d+)\n(?:.+\n)*?core id\s*:\s*(\d+)$", text, re.MULTILINE))
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cpu": model.group(1).strip() if model else platform.processor() or platform.machine(),
        "cores": len(pairs) or None,
        "processors": allowed,
        "threads": threads,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.release()}",
    }


def sentence(found: dict[str, Any], of_instance: int | None = None) -> str:
    """One line of it; of_instance: threads of an instance of a server, in place of a framework's."""
    threads = f"{of_instance} threads an instance" if of_instance else f"{found['threads']} threads a framework"
    cores = f"{found['cores']} cores, " if found["cores"] else ""
    line = f"{found['cpu']}: {cores}{found['processors']} processors; {threads}"
    return line + (f"; load {found['load']} before" if found["load"] is not None else "")
