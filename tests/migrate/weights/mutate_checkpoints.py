"""Reads and converts 2,000 seeded mutations of good checkpoints of every kind; run by test_hostile.py.

    python mutate_checkpoints.py CHECKPOINTS WORK

Each either raises Unusable with a mend, or gives tensors: those of the good one wherever the format has CRCs.
Prints how many each kind refused, and the peak of memory, as JSON.
"""

import importlib
import json
import random
import re
import resource
import shutil
import sys
from pathlib import Path

import numpy as np

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.convert import convert_checkpoint
from migrate.weights.readers.opening import open_checkpoint

checkpoints, work = map(Path, sys.argv[1:])
MEMORY = 3 << 30
EXECUTING = ("import", "exec", "pickle.", "os.system", "os.exec", "os.posix_spawn", "subprocess.", "socket.", "ctypes.")
# Kind -> the file that is mutated, what is opened, whether its values have CRCs.
KINDS = {
    "zip": ("wrapped.pt", "wrapped.pt", True),
    "module": ("modules.pt", "modules.pt", True),
    "script": ("scripted.pt", "scripted.pt", True),
    "legacy": ("legacy.pt", "legacy.pt", False),
    "safetensors": ("dtypes.safetensors", "dtypes.safetensors", False),
    "shard": ("sharded_bin/model-00002-of-00002.bin", "sharded_bin", True),
    "index": ("sharded_safetensors/model.safetensors.index.json", "sharded_safetensors", False),
    "metadata": ("dcp_two/.metadata", "dcp_two", False),
    "distributed": ("dcp_two/__1_0.distcp", "dcp_two", True),
    "gguf": ("x.gguf", "x.gguf", False),
    "npz": ("x.npz", "x.npz", True),
    "npy": ("x.npy.d/0.weight.npy", "x.npy.d", False),
}
TRIES = 2000  # of which each kind has its share


def load(path):
    with open_checkpoint(path) as checkpoint:
        found = find_state_dict(checkpoint)
        return {name: tensor.load() for name, tensor in found.tensors.items()}


def copy_all():
    """What is mutated, and the formats that torch does not write."""
    import gguf

    good = work / "good"
    shutil.copytree(
        checkpoints,
        good,
        ignore=lambda folder, names: [
            n for n in names if n.endswith((".bytes", ".json")) and not n.endswith(".index.json")
        ],
    )
    for name in ("x.npz", "x.npy.d"):
        convert_checkpoint(good / "plain.pt", good / name)
    writer = gguf.GGUFWriter(good / "x.gguf", "llama")
    writer.add_array("tokens", ["a", "b"])
    writer.add_array("numbers", [1, 2, 3])
    for name, array in load(good / "plain.pt").items():
        if array.ndim:
            writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return good


def mutated(whole, dice):
    data = bytearray(whole)
    head = max(1, min(len(data), 4096)) if dice.random() < 0.5 else len(data)  # where the tables of most kinds lie
    for _ in range(dice.choice([1, 1, 2, 8])):
        at, way = dice.randrange(min(head, len(data))), dice.random()
        if way < 0.4:
            data[at] = dice.randrange(256)
        elif way < 0.6:
            data[at] ^= 1 << dice.randrange(8)
        elif way < 0.7:
            data[at : at + 8] = dice.choice([b"\xff" * 8, b"\xff" * 7 + b"\x7f", bytes(8)])
        elif way < 0.8:
            del data[at : at + dice.randrange(1, 64)]
        elif way < 0.9:
            data[at:at] = data[at : at + dice.randrange(1, 64)]
        else:
            del data[at:]
        if not data:
            return b""
    return bytes(data)


def main():
    good = copy_all()
    arrays = {kind: load(good / opened) for kind, (_, opened, _) in KINDS.items()}
    for late in ("unicodedata", "encodings.cp437", "encodings.latin_1"):  # Python's own: of .npy headers, of zips
        importlib.import_module(late)
    dice = random.Random(0)
    refused, written = dict.fromkeys(KINDS, 0), 0
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    seen = []
    sys.addaudithook(lambda event, arguments: seen.append((event, arguments)) if event.startswith(EXECUTING) else None)
    for number in range(TRIES):
        kind = list(KINDS)[number % len(KINDS)]
        name, opened, checked = KINDS[kind]
        whole = (good / name).read_bytes()
        (good / name).write_bytes(mutated(whole, dice))
        output = work / "out.safetensors"
        try:
            read = load(good / opened)
            if number % 4 == 0:
                convert_checkpoint(good / opened, output, to="safetensors", force=True)
                written += 1
        except Unusable as error:
            refused[kind] += bool(error.mend)
        except BaseException as error:
            raise AssertionError(f"mutation {number} of {kind}") from error
        else:
            for key, array in read.items() if checked else ():
                same = arrays[kind].get(key)
                # A mutated table can rename or reshape a tensor; a checked value cannot change.
                assert same is None or np.array_equal(np.sort(array, None), np.sort(same, None)), (number, kind, key)
        finally:
            (good / name).write_bytes(whole)
        assert not seen, (number, kind, seen[:3])
        assert not list(work.glob(".*")), (number, kind)
    assert written
    print(json.dumps({"tried": TRIES, "refused": refused, "written": written, "peak_megabytes": peak_megabytes()}))


def peak_megabytes():
    """Of this program: what getrusage says counts the process that started it, too."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text()).group(1)) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


main()
