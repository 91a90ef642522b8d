"""safetensors: the library has nothing for OneFlow. A file is a header, in JSON, and the numbers."""

import json
import mmap
import os

import numpy
import oneflow

from rewriters.rule import rule

KINDS = {
    "F64": "float64", "F32": "float32", "F16": "float16", "I64": "int64", "I32": "int32", "I8": "int8", "U8": "uint8",
    "BOOL": "bool",
}  # fmt: skip


class TensorsOfFile:
    """The tensors of a file in memory, which are made when they are asked for."""

    def __init__(self, data, device="cpu"):
        self.data, self.device = data, f"cuda:{device}" if isinstance(device, int) else device
        self.start = 8 + int.from_bytes(data[:8], "little")
        self.header = json.loads(bytes(data[8 : self.start]))
        self.noted = self.header.pop("__metadata__", None)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def keys(self):
        return sorted(self.header)

    def offset_keys(self):
        return sorted(self.header, key=lambda name: self.header[name]["data_offsets"])

    def metadata(self):
        return self.noted

    def numbers(self, name):
        """As numpy has them; bfloat16 as float32."""
        told = self.header[name]
        first, end = told["data_offsets"]
        data = memoryview(self.data)[self.start + first : self.start + end]
        if told["dtype"] == "BF16":
            found = (numpy.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")
        elif told["dtype"] in KINDS:
            found = numpy.frombuffer(data, KINDS[told["dtype"]])
        else:
            raise NotImplementedError(f"OneFlow has no dtype for {told['dtype']}, of {name}; save it as another")
        return found.reshape(told["shape"])

    def tensor(self, name, numbers):
        made = oneflow.from_numpy(numpy.array(numbers))  # read from the file without being writable
        made = made.to(oneflow.bfloat16) if self.header[name]["dtype"] == "BF16" else made
        return made if str(self.device) == "cpu" else made.to(self.device)

    def get_tensor(self, name):
        return self.tensor(name, self.numbers(name))

    def get_tensors(self):
        return {name: self.get_tensor(name) for name in self.offset_keys()}

    def get_slice(self, name):
        return SliceOfFile(self, name)


class SliceOfFile:
    """One tensor of a file, of which parts are asked for."""

    def __init__(self, file, name):
        self.file, self.name = file, name

    def get_shape(self):
        return self.file.header[self.name]["shape"]

    def get_dtype(self):
        return self.file.header[self.name]["dtype"]

    def __getitem__(self, index):
        return self.file.tensor(self.name, self.file.numbers(self.name)[index])


def opened(filename, device="cpu"):
    with open(filename, "rb") as file:
        return TensorsOfFile(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), device)


def as_bytes(tensor):
    """safetensors' word for the dtype, and the numbers."""
    kinds = {getattr(oneflow, name): word for word, name in KINDS.items()}
    if tensor.dtype == oneflow.bfloat16:  # float32 with less behind the point
        return "BF16", (tensor.detach().to(oneflow.float32).cpu().numpy().view("<u4") >> 16).astype("<u2").tobytes()
    return kinds[tensor.dtype], tensor.detach().cpu().numpy().tobytes()


@rule("safetensors.torch.save")
def save_tensors(tensors, metadata=None):
    header = {} if metadata is None else {"__metadata__": metadata}
    held = {name: as_bytes(tensor) for name, tensor in tensors.items()}
    parts, end = [], 0
    for name in sorted(held, key=lambda name: (-numpy.dtype(KINDS.get(held[name][0], "float16")).itemsize, name)):
        word, data = held[name]
        header[name] = {"dtype": word, "shape": list(tensors[name].shape), "data_offsets": [end, end + len(data)]}
        end += len(data)
        parts.append(data)
    told = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    told += b" " * (-len(told) % 8)
    return b"".join([len(told).to_bytes(8, "little"), told, *parts])


@rule("safetensors.torch.save_file")
def save_file(tensors, filename, metadata=None):
    with open(filename, "wb") as file:
        file.write(save_tensors(tensors, metadata))


@rule("safetensors.torch.load")
def load_tensors(data):
    return TensorsOfFile(data).get_tensors()


@rule("safetensors.torch.load_file")
def load_file(filename, device="cpu", *, backend="mmap"):
    return opened(os.fspath(filename), device).get_tensors()


@rule("safetensors.safe_open")
def safe_open(filename, framework, device="cpu", **options):
    if framework in ("pt", "torch", "pytorch"):
        return opened(os.fspath(filename), device)
    import safetensors

    return safetensors.safe_open(filename, framework=framework, device=device, **options)
