"""A client of a served model, over HTTP, by KServe's v2 protocol: Triton speaks it, and other servers do.

    python client.py                                   # is it there, and does it answer the example as it should?
    python client.py --url http://HOST:PORT --health   # only whether it is ready
    python client.py --input x=images.npy --out answer.npz

It needs Python 3.8, numpy, and nothing else. In a program:

    from client import Client
    with Client("http://127.0.0.1:8000") as client:
        outputs = client.infer("resnet50", {"x": array})

Arrays travel as raw bytes where the server knows Triton's extension for that, else as JSON.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sys
import urllib.parse
from typing import Any, Dict

import numpy as np

TYPES = {
    "bool": "BOOL", "uint8": "UINT8", "uint16": "UINT16", "uint32": "UINT32", "uint64": "UINT64", "int8": "INT8",
    "int16": "INT16", "int32": "INT32", "int64": "INT64", "float16": "FP16", "float32": "FP32", "float64": "FP64",
}  # fmt: skip
"""The protocol's names of numpy's types."""
KINDS = {told: name for name, told in TYPES.items()}
BINARY = "binary_tensor_data"
LENGTH = "Inference-Header-Content-Length"
FAR = 1e-3
"""Distance from the example's outputs, rms over rms, that other kernels and another processor do not explain."""

Arrays = Dict[str, Any]


class ServerError(Exception):
    """``status``: of HTTP, 0 where nothing answered."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.message, self.status = message, status


class WrongInput(ServerError):
    """Inputs that are not the model's; nothing was sent."""


class Client:
    """One connection, for one thread. To be used in ``with``, or closed."""

    def __init__(self, url: str, timeout: float = 60.0) -> None:
        parts = urllib.parse.urlsplit(url if "//" in url else "//" + url, scheme="http")
        try:
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if parts.scheme not in ("http", "https") or not host:
            raise ServerError(f"{url}: is no address of a server, such as http://127.0.0.1:8000")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.root = parts.path.rstrip("/")
        self.connection = kind(host, port, timeout=timeout)
        self.known: dict[str, Any] = {}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def send(self, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Any:
        """(status, headers, bytes) of an answer. Raises ServerError where there is none."""
        for again in (True, False):
            fresh = self.connection.sock is None
            try:
                self.connection.request("GET" if body is None else "POST", self.root + path, body, headers or {})
                answer = self.connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (OSError, http.client.HTTPException) as error:
                self.connection.close()
                if fresh or not again or isinstance(error, TimeoutError):
                    said = str(error) or type(error).__name__
                    raise ServerError(f"{self.url}: no server answers: {said}") from None
        raise AssertionError("unreachable")

    def ask(self, path: str, body: bytes | None = None) -> Any:
        """The JSON of an answer. Raises ServerError."""
        status, _, answer = self.send(path, body, {"Content-Type": "application/json"})
        if status != 200:
            raise ServerError(f"{self.url}{path}: {reason(status, answer)}", status)
        try:
            return json.loads(answer)
        except ValueError:
            raise ServerError(f"{self.url}{path}: answers no JSON; is this a KServe v2 server?", status) from None

    def ready(self) -> bool:
        """Whether the server is. Raises ServerError where there is none."""
        return bool(self.send("/v2/health/ready")[0] == 200)

    def model_ready(self, model: str) -> bool:
        """Whether a model is."""
        return bool(self.send(f"/v2/models/{urllib.parse.quote(model)}/ready")[0] == 200)

    def server(self) -> Any:
        """Name, version and extensions of the server."""
        if "" not in self.known:
            self.known[""] = self.ask("/v2")
        return self.known[""]

    def model(self, name: str) -> Any:
        """Inputs and outputs of a model, with datatypes and shapes (-1: any size)."""
        if name not in self.known:
            if not self.model_ready(name):
                raise ServerError(f"{self.url}: the model {name!r} is not there, or not ready", 400)
            self.known[name] = self.ask(f"/v2/models/{urllib.parse.quote(name)}")
        return self.known[name]

    def statistics(self, name: str) -> Any:
        """What Triton counts of a model, None where the server does not."""
        if "statistics" not in self.server().get("extensions", ()):
            return None
        return self.ask(f"/v2/models/{urllib.parse.quote(name)}/stats")["model_stats"][0]

    def infer(self, name: str, inputs: Arrays) -> Arrays:
        """The model's outputs. Raises WrongInput, ServerError."""
        head, body = self.request(name, inputs)
        return self.outputs(self.answer(name, head, body))

    def request(self, name: str, inputs: Arrays) -> Any:
        """(headers, body) of a request. Raises WrongInput."""
        checked(self.model(name), inputs)
        binary = BINARY in self.server().get("extensions", ())
        told, raw = [], []
        for key, value in inputs.items():
            item: dict[str, Any] = {"name": key, "shape": list(value.shape), "datatype": TYPES[str(value.dtype)]}
            if binary:
                raw.append(np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes())
                item["parameters"] = {"binary_data_size": len(raw[-1])}
            else:
                item["data"] = value.ravel().tolist()
            told.append(item)
        asked: dict[str, Any] = {"inputs": told}
        if not binary:
            return {"Content-Type": "application/json"}, json.dumps(asked).encode()
        asked["parameters"] = {"binary_data_output": True}
        text = json.dumps(asked).encode()
        return {"Content-Type": "application/octet-stream", LENGTH: str(len(text))}, b"".join([text, *raw])

    def answer(self, name: str, headers: dict[str, str], body: bytes) -> Any:
        """(headers, bytes) of the answer to such a request. Raises ServerError."""
        path = f"/v2/models/{urllib.parse.quote(name)}/infer"
        status, told, answer = self.send(path, body, headers)
        if status != 200:
            raise ServerError(f"{name}: {reason(status, answer)}", status)
        return told, answer

    @staticmethod
    def outputs(answered: Any) -> Arrays:
        """Name -> array, of an answer."""
        headers, body = answered
        length = int(headers.get(LENGTH) or len(body))
        text, place, found = json.loads(body[:length]), length, {}
        for item in text["outputs"]:
            if item["datatype"] not in KINDS:
                raise ServerError(f"the output {item['name']} is {item['datatype']}, which numpy does not have")
            kind = np.dtype(KINDS[item["datatype"]])
            size = item.get("parameters", {}).get("binary_data_size")
            if size is None:
                flat = np.array(item["data"], kind)
            else:
                flat = np.frombuffer(body[place : place + size], kind.newbyteorder("<")).astype(kind)
                place += size
            if flat.size != int(np.prod(item["shape"], dtype=np.int64)):
                raise ServerError(f"the output {item['name']} has {flat.size} elements, not {item['shape']}")
            found[item["name"]] = flat.reshape(item["shape"])
        return found


def checked(model: Any, inputs: Arrays) -> None:
    """Raises WrongInput unless the inputs have the model's names, types and shapes."""
    told = {item["name"]: item for item in model["inputs"]}
    for name in [*told, *inputs]:
        if name not in inputs or name not in told:
            said = "is lacking" if name in told else "is none of its"
            raise WrongInput(
                f"{model['name']}: {name} {said}; the inputs are {', '.join(map(described, told.values()))}"
            )
    for name, wanted in told.items():
        value = inputs[name]
        kind = TYPES.get(str(value.dtype), str(value.dtype))
        if kind != wanted["datatype"]:
            raise WrongInput(
                f"{model['name']}: {name} is {kind}, the model takes {described(wanted)}; "
                f"convert it: .astype('{KINDS.get(wanted['datatype'], wanted['datatype'])}')"
            )
        sizes = wanted["shape"]
        if len(sizes) != value.ndim or any(one not in (-1, other) for one, other in zip(sizes, value.shape)):
            raise WrongInput(
                f"{model['name']}: {name} has shape {list(value.shape)}, the model takes {described(wanted)}"
            )


def described(item: Any) -> str:
    """``x: FP32[?,3,224,224]``."""
    return f"{item['name']}: {item['datatype']}[{','.join('?' if size == -1 else str(size) for size in item['shape'])}]"


def reason(status: int, answer: bytes) -> str:
    """What a server says of a request that it refuses."""
    try:
        told = json.loads(answer)
        return str(told["error"] if isinstance(told, dict) and "error" in told else told)
    except ValueError:
        return f"HTTP {status}: {answer[:200].decode(errors='replace')}"


def apart(found: Any, told: Any) -> float:
    """Distance of two arrays of one shape, rms over rms; 0 where both are equal."""
    if found.shape != told.shape or found.dtype != told.dtype:
        return float("inf")
    if told.dtype.kind in "biu":
        return 0.0 if np.array_equal(found, told) else float("inf")
    one, two = found.astype("float64"), told.astype("float64")
    if np.array_equal(one, two, equal_nan=True):
        return 0.0
    scale = float(np.sqrt(np.mean(two**2))) or 1.0
    distance = float(np.sqrt(np.mean((one - two) ** 2))) / scale
    return distance if np.isfinite(distance) else float("inf")


def example() -> Any:
    """(inputs, outputs) of example.npz, beside this file."""
    with np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "example.npz")) as held:
        parts: Any = {"inputs": {}, "outputs": {}}
        for key in held.files:
            kind, _, name = key.partition("/")
            parts[kind][name] = held[key]
    return parts["inputs"], parts["outputs"]


def usual_model() -> str | None:
    """The name in export.json, beside this file."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "export.json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return str(json.load(file)["serving"]["model"])


def run(given: Any) -> int:
    """What was asked for; the exit status."""
    model = given.model or usual_model()
    with Client(given.url, given.timeout) as client:
        if not client.ready():
            raise ServerError(f"{client.url}: the server is not ready", 400)
        if model is None:
            raise ServerError("no model was named: --model NAME")
        told = client.model(model)
        server = client.server()
        print(f"{client.url}: {server.get('name')} {server.get('version')}, {model} is ready")
        if given.health:
            return 0
        for side in ("inputs", "outputs"):
            for item in told[side]:
                print(f"{side[:-1]:6} {described(item)}")
        inputs, wanted = ({}, {}) if given.input else example()
        for text in given.input:
            name, _, path = text.partition("=")
            inputs[name] = np.load(path)
        found = client.infer(model, inputs)
    status = 0
    for name, value in found.items():
        line = f"{name}: {value.dtype}{list(value.shape)}"
        if name in wanted:
            distance = apart(value, wanted[name])
            status = status or int(distance > FAR)
            line += f", {distance:.1e} from what was exported: {'DIFFERS' if distance > FAR else 'agrees'}"
        print(line)
    if given.out:
        np.savez(given.out, **found)
    return status


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Ask a served model. Without --input: the example that lies beside, whose outputs are known. "
        "Exit status: 0, 1 where the example's outputs differ, 2 where nothing was served."
    )
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--model", help="default: the one that export.json names")
    parser.add_argument("--health", action="store_true", help="only say whether server and model are ready")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=FILE.npy")
    parser.add_argument("--out", metavar="FILE.npz", help="write the outputs there")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS")
    try:
        return run(parser.parse_args())
    except ServerError as error:
        print(f"client.py: {error.message}", file=sys.stderr)
    except (OSError, ValueError) as error:
        print(f"client.py: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
