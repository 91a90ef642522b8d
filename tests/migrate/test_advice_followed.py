# ruff: noqa: E501
"""Advice is tried: a command that is refused says what mends it, and the command with that does what was wanted.

Each advice that names an option, a command or a call has its line in one of the tables here; a new one without a line
fails the test. ``TRIED``: the refused command and the mended one. ``LIKE``: advice of the same kind as one that is
tried. ``ELSEWHERE``: the test that does as it says. ``NOT_HERE``: what no machine without a GPU, another disk, ... can.
"""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from migrate.cli import main

ROOT = Path(__file__).parents[2]
FOLDERS = ("migrate", "checks/parity", "rewriters")
NAMES_SOMETHING = re.compile(r"(?<![\w-])--?[a-z][a-z-]*|\bmigrate [a-z]+|[\w.]\(")
ERRORS = {"Unusable", "unusable", "Refused"}


def advised() -> dict[str, list[str]]:
    """Advice -> the places of the errors that give it; what is filled in is ``{}``."""
    found: dict[str, list[str]] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            content = path.read_text(encoding="utf-8")
            tree = ast.parse(content) if any(word in content for word in (*ERRORS, "mend=")) else ast.Module([], [])
            for line, text in of_file(tree):
                if NAMES_SOMETHING.search(text):
                    found.setdefault(text, []).append(f"{path.relative_to(ROOT)}:{line}")
    return found


def of_file(tree: ast.Module) -> Iterator[tuple[int, str]]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given = [word.value for word in node.keywords if word.arg == "mend"]
        given += node.args[1:2] if getattr(node.func, "id", getattr(node.func, "attr", "")) in ERRORS else []
        around = [one for one in functions if one.lineno <= node.lineno <= (one.end_lineno or 0)]
        for part in given:
            for text in texts(part, tree, around[-1] if around else None):
                yield node.lineno, text


def texts(node: ast.expr, tree: ast.Module, function: ast.FunctionDef | None) -> Iterator[str]:
    """What an expression may be, as far as literals, names that are bound to some, and functions here say."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body, tree, function)
        yield from texts(node.orelse, tree, function)
    elif isinstance(node, ast.BoolOp):
        for part in node.values:
            yield from texts(part, tree, function)
    elif isinstance(node, ast.BinOp):
        for left in texts(node.left, tree, function):
            for right in texts(node.right, tree, function):
                yield left + right
    elif isinstance(node, ast.Name):
        for owner in (function, tree) if function is not None else (tree,):
            body = list(ast.walk(owner)) if owner is function else owner.body  # type: ignore[union-attr]
            for one in body:
                if isinstance(one, ast.Assign) and any(getattr(t, "id", "") == node.id for t in one.targets):
                    yield from texts(one.value, tree, None)
    elif isinstance(node, ast.Call):
        for one in ast.walk(tree):
            if isinstance(one, ast.FunctionDef) and one.name == getattr(node.func, "id", ""):
                for part in ast.walk(one):
                    if isinstance(part, ast.Return) and part.value is not None:
                        yield from texts(part.value, tree, None)


MODEL = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return torch.relu(self.fc(x))
"""

# Advice -> (refused, mended): what follows `migrate`, in a folder with a project `net`, converted in `out`, `oneflow`.
TRIED: dict[str, tuple[str, str]] = {
    "choose one with --to": ("convert net --to caffe -o new", "convert net --to paddle -o new"),
    "leave --report and --html away": (
        "convert net --explain model.py:8 --report r.json",
        "convert net --explain model.py:8",
    ),
    "leave --static away": ("convert net --to {toy} --static -o new", "convert net --to {toy} -o new"),
    "choose another place with -o": ("convert net -o net", "convert net -o new"),
    "choose another folder with -o": ("convert net -o state.pt", "convert net -o new"),
    "choose another folder with -o, or add --force to write into it": (
        "convert net -o full",
        "convert net -o full --force",
    ),
    "choose another folder for {} with -o, or add --force": (
        "convert net --to oneflow -o out",
        "convert net --to oneflow -o out --force",
    ),
    "choose another file with -o": ("convert net/model.py -o taken", "convert net/model.py -o new.py"),
    "choose another file with -o, or add --force to replace it": (
        "convert net/model.py -o full/model.py",
        "convert net/model.py -o full/model.py --force",
    ),
    "leave out --diff and --explain": ("convert net --diff --smoke", "convert net --smoke -o new"),
    "for example --explain models/resnet.py:42": ("convert net --explain model.py", "convert net --explain model.py:8"),
    "give --report a file": ("convert net --diff --report full", "convert net --diff --report full/r.json"),
    "give --html the name of a file": ("convert net --diff --html full", "convert net --diff --html full/r.html"),
    "give --html a file elsewhere": (
        "convert net --diff --html state.pt/r.html",
        "convert net --diff --html new/r.html",
    ),
    "see --rules, and rules in [tool.migrate]": (
        "convert net -o new --rules absent.py",
        "convert net -o new --rules own_rules.py",
    ),
    "migrate env TARGET; known: {}": ("env", "env torch --path"),
    "migrate env TARGET --for PROJECT --add PACKAGE": ("env paddle --add tqdm", "env paddle --help"),
    "migrate weights CHECKPOINT --to {} --model MODULE:CALLABLE": (
        "rules --to mlx",
        "weights state.pt --to mlx --model model:Net --project net",
    ),
    "give one of these, or the path of a target's folder, with --to": ("rules --to caffe", "rules --to oneflow"),
    '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`': (
        "export out --to paddle --seed 1 -o new",
        'export out --entry model:Net --input "float32[batch,3]" --to paddle --format native --seed 1 --source net -o new',
    ),
    "give --model MODULE:CALLABLE, which builds the torch model (with --project DIR, where it lies)": (
        "weights state.pt --to paddle",
        "weights state.pt --to paddle --model model:Net --project net",
    ),
    "choose with --key: {}": ("weights two.pt --to npz", "weights two.pt --to npz --key one"),
    "give --to, or one of {}": ("weights state.pt -o new.weights", "weights state.pt -o new.weights --to npz"),
    "leave it out, or --to safetensors": (
        "weights state.pt --to npz --shard-size 1MB",
        "weights state.pt --to safetensors --shard-size 1MB",
    ),
    "convert it in torch before saving, e.g. .float(), or write --to safetensors": (
        "weights half.pt --to npz",
        "weights half.pt --to safetensors",
    ),
    "give --force to replace it, or another -o": (
        "weights state.pt -o full/other.npz",
        "weights state.pt -o full/other.npz --force",
    ),
    "give another -o": ("weights state.pt --to npz -o full", "weights state.pt --to npz -o full/new.npz"),
    "torch.save(model.state_dict(), PATH) writes one that can be read": (
        "weights empty.pt --to npz",
        "weights state.pt --to npz",
    ),
    "leave out --optimizer": (
        "weights both.pt --to npz --key model --optimizer optimizer",
        "weights both.pt --to npz --key model",
    ),
    "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE": (
        "check net --entry model:Net",
        'check net out --to paddle --entry model:Net --input "float32[2,3]"',
    ),
    "give --train 10, say": (
        'check net out --to paddle --entry model:Net --input "float32[2,3]" --level steps',
        'check net out --to paddle --entry model:Net --input "float32[2,3]" --level steps --train 2',
    ),
    "give a checkpoint of the torch model to --weights": (
        'check net out --to paddle --entry model:Net --input "float32[2,3]" --weights absent.pt',
        'check net out --to paddle --entry model:Net --input "float32[2,3]" --weights state.pt',
    ),
    "--input is as for `migrate check`, with names in place of sizes that stay free: float32[batch,3,224,224]": (
        'export out --entry model:Net --input "float31[2,3]" --to paddle --format native --seed 1 --source net -o new',
        'export out --entry model:Net --input "float32[n,3]" --to paddle --format native --seed 1 --source net -o new',
    ),
    "migrate convert PROJECT --model MODULE:CALLABLE writes one to OUT/.migrate/layout.json": (
        "weights state.pt --to paddle --layout absent.json",
        "convert net --model model:Net -o new && weights state.pt --to paddle --layout new/.migrate/layout.json",
    ),
    "leave CONVERTED, --train, --amp, --batch and --plot away": (
        'bench net out --to paddle --entry model:Net --input "float32[2,3]" --leftovers',
        'bench net --entry model:Net --input "float32[2,3]" --leftovers --seconds 0.01 --rounds 3',
    ),
}  # fmt: skip

# What is of the same kind as one that is tried.
LIKE: dict[str, str] = {
    "write the model in {}, then: migrate weights CHECKPOINT --to {} --model MODULE:CALLABLE": "migrate weights CHECKPOINT --to {} --model MODULE:CALLABLE",
    "give --entry MODULE:CALLABLE, or let migrate check --init {} write a {}": "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE",
    "--weights FILE, or --seed N": '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`',
    "convert into a new folder with -o, and merge by hand": "choose another folder with -o",
    "remove {} and convert with --force": "choose another folder with -o, or add --force to write into it",
    "leave --with {} away": "leave --static away",
    "leave --batch away": "leave --static away",
    "leave --opset away": "leave --static away",
    "leave --layers away": "leave --static away",
    "leave --size away": "leave --static away",
    "leave --seed away": "leave --static away",
    "leave --weights away": "leave --static away",
    "leave it away with --to torch": "leave --static away",
    "give -o": "choose another place with -o",
    "give --model or --layout": (
        "give --model MODULE:CALLABLE, which builds the torch model (with --project DIR, where it lies)"
    ),
    "build the model as it was trained, e.g. --model 'MODULE:CALLABLE(num_classes=...)'": (
        "give --model MODULE:CALLABLE, which builds the torch model (with --project DIR, where it lies)"
    ),
    "the checkpoint is one itself: leave out --key": "choose with --key: {}",
    "give --entry too": "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE",
    "give --entry too, or write it into {}": "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE",
    "give the target with --to": "choose one with --to",
    "choose paddle or oneflow with --to": "choose one with --to",
    "--entry is {}": "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE",
    "--input is {}": "--input is as for `migrate check`, with names in place of sizes that stay free: "
    "float32[batch,3,224,224]",
    "as for `migrate check`": '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`',
    "see that `migrate check` runs with the same --entry and --input": (
        "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE"
    ),
    "see that `migrate check` runs with the same entry and inputs": (
        "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE"
    ),
    "mend {}; the inputs are given by --input": "migrate check SOURCE CONVERTED --entry MODULE:CALLABLE",
    "give torch's checkpoint: --weights FILE": "give a checkpoint of the torch model to --weights",
    "give the torch checkpoint that was exported: --weights FILE": "give a checkpoint of the torch model to --weights",
    "give that one to --weights, or export {}": "give a checkpoint of the torch model to --weights",
    "give a checkpoint to --weights": '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`',
    "give --source, the torch project; or --weights, a checkpoint": '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`',
    "if it is torch's, give the torch project too: --source FOLDER": '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`',
    "write it again with migrate weights": "give another -o",
    "write the output again with migrate weights": "give another -o",
    "migrate weights writes it beside its output": "give another -o",
    "give --shard-size": "leave it out, or --to safetensors",
    "they are tied to others: save model.state_dict(), which has every name": (
        "torch.save(model.state_dict(), PATH) writes one that can be read"
    ),
    "migrate env {}": "migrate env TARGET; known: {}",
    "migrate env torch": "migrate env TARGET; known: {}",
    "give an interpreter that has {}, or none to use the one of: migrate env {}": "migrate env TARGET; known: {}",
    "name its folder, or give --leftovers": "leave CONVERTED, --train, --amp, --batch and --plot away",
    "migrate rules --to {}": "give one of these, or the path of a target's folder, with --to",
    "--to another framework": "choose one with --to",
    "export in float32, or with another --format": '--entry MODULE:CALLABLE --input "float32[batch,3,224,224]", as for `migrate check`',
    "name an entry that computes without drawing, or other levels: --level": "give --train 10, say",
    "name your own with --optimizer": "give --train 10, say",
    "migrate env {}, or give {}": "migrate env TARGET; known: {}",
    "mkdir -p {}": "give --report a file",
}
# Where another test does as it says.
ELSEWHERE: dict[str, str] = {
    "--backend onnxruntime compares the model.onnx that the engine is built of; on the GPU, `trtexec --loadEngine=model.plan` runs the engine": "migrate/export/test_tensorrt.py::test_the_model_and_what_builds_its_engine",
    "--format openvino, or --precision float16": "migrate/export/test_precision.py::test_other_precisions_and_back_ends",
    "--format onnx or openvino": "migrate/export/test_precision.py::test_other_precisions_and_back_ends",
    "--calibrate N, FILE.npz, a folder of .npz files, or MODULE:CALLABLE that yields the model's arguments": "migrate/export/test_precision.py::test_files_of_calls",
    "--product DIR, what `migrate export` wrote": "migrate/serving/test_product.py::test_every_step_is_measured",
    "see that the server is there: migrate serve": "migrate/serving/test_served.py::test_a_server_is_compared_with_torch",
    "--backend triton, or --server URL": "migrate/serving/test_served.py::test_a_server_is_compared_with_torch",
    "start one: migrate serve DIR; or give its address": "migrate/serving/test_served.py::test_a_server_is_compared_with_torch",
    "export with --max-batch": "migrate/serving/test_served.py::test_requests_are_put_together_and_each_gets_its_own",
    "a smaller one, or export with --max-batch {}": "migrate/serving/test_served.py::test_requests_are_put_together_and_each_gets_its_own",
    "--format triton makes more of it": "migrate/serving/test_served.py::test_its_folder_says_what_it_is",
    "migrate export {} --format triton -o DIR": "migrate/serving/test_served.py::test_its_folder_says_what_it_is",
    "--triton python, or export to that format first": "migrate/serving/test_served.py::test_its_folder_says_what_it_is",
    "--triton {}": "migrate/serving/test_served.py::test_its_folder_says_what_it_is",
    "pip install 'torch-migrate[plot]', or leave --plot away": "migrate/test_bench.py::test_a_plot_is_drawn",
    "migrate check SOURCE EXPORTED --backend NAME": "migrate/export/test_deployed.py::test_what_paddle_exported_agrees_in_onnx_runtime_and_openvino",
    "--backend {}": "migrate/export/test_deployed.py::test_what_paddle_exported_agrees_in_onnx_runtime_and_openvino",
    "give the folder that `migrate export` wrote": "migrate/export/test_deployed.py::test_what_paddle_exported_agrees_in_onnx_runtime_and_openvino",
    "--size NAME=N": "migrate/export/test_deployed.py::test_sizes_that_the_artefact_refuses",
    "--size NAME=N, N at least 1": "migrate/export/test_deployed.py::test_sizes_that_the_artefact_refuses",
    "export the model again with --layers (onnx, or what is made of it)": "migrate/export/test_layers.py::test_layers_agree",
    "--backend onnxruntime": "migrate/export/test_layers.py::test_layers_agree",
    "--level outputs; or export to onnx": "migrate/export/test_layers.py::test_layers_agree",
    "export with --format native": "migrate/export/test_export.py::test_torch_in_its_own_formats",
    "say it by other operations there, or export with --format native": "migrate/export/test_export.py::test_torch_in_its_own_formats",
    "try another --opset, or --format native": "migrate/export/test_export.py::test_torch_in_its_own_formats",
    "export the torch model, which has the same weights: migrate export SOURCE --to torch --format onnx": "migrate/export/test_export.py::test_torch_in_its_own_formats",
    "export with --format onnx": "migrate/export/test_export.py::test_paddle_to_onnx_and_openvino",
    "name fewer axes as free, or give fixed sizes in --input": "migrate/export/test_export.py::test_paddle_to_onnx_and_openvino",
    "--metric MODULE:CALLABLE": "migrate/export/test_metric.py::test_both_values_and_their_difference",
    "it is called with predict, calls predict(*arguments of the model) for each batch, and returns a number": "migrate/export/test_metric.py::test_both_values_and_their_difference",
    "migrate env {} --rebuild": "migrate/test_doctor.py::test_present_then_broken_then_mended",
    "migrate env {} --rebuild, if the lines above show a fault of its own": "migrate/test_doctor.py::test_present_then_broken_then_mended",
    "migrate doctor": "migrate/test_doctor.py::test_all_there_is_exit_0",
    "{}; if it is a package: uv pip install --python {} --no-deps --target packages {}, and --path packages; or migrate env {} --for the project --add {}": "migrate/test_project_environment.py::test_check_offers_it_and_takes_it",
    "{}, with what the project asks for (--add {} where its files do not name it); {}": "migrate/test_project_environment.py::test_check_offers_it_and_takes_it",
    "uv pip install --python {} {}": "migrate/test_project_environment.py::test_check_offers_it_and_takes_it",
    "name what it imports by --add PACKAGE, repeated": "migrate/test_project_environment.py::test_what_no_file_names_is_added",
    "--add NAME, or --add 'NAME>=VERSION'": "migrate/test_project_environment.py::test_what_no_file_names_is_added",
    "correct it, or give the packages' folder with check --path": "migrate/test_check_paths.py::test_a_folder_for_both_sides_or_for_one",
    "let the model follow its input's dtype, or give --rtol and --atol to compare with torch's float32": "migrate/test_check.py::test_model_that_refuses_double_precision_needs_a_tolerance",
    "migrate check --init SOURCE writes one": "migrate/test_check_init.py::test_inputs_that_were_tried",
    "mend that and write the file anew with --init, or fill in entry and inputs of one and take its # away": "migrate/test_check_init.py::test_inputs_that_were_tried",
    "save optimizer.state_dict() in the checkpoint, beside the model's": "migrate/weights/test_optimizer_state.py::test_training_goes_on_where_torch_stopped",
    "build the optimizer from model.named_parameters(), whose names torch 2.6 and later save, and save again": "migrate/weights/test_optimizer_state.py::test_training_goes_on_where_torch_stopped",
    "install it beside migrate (pip install {}), or with what else the project needs (migrate env torch --for PROJECT), or give its folder": "migrate/convert/test_vendor.py::test_a_package_of_the_projects_own_environment",
    "what {} imports stands on torch: migrate convert --with PACKAGE brings over what is used of it": "migrate/convert/test_vendor.py::test_the_project_gets_what_it_reaches",
    "give -o in a folder that can be written": "migrate/weights/test_output.py::test_a_folder_that_cannot_be_written_is_named",
    "export with --format project, which Python runs as a graph; migrate check SOURCE CONVERTED --static compares the saved one, loaded back": "migrate/test_check_static.py::test_oneflow_trains_in_graphs",
}
# What is not tried, and why.
NOT_HERE: dict[str, str] = {
    "make it readable or --exclude it": "who may read everything is refused nothing",
    "leave it away, and run `sh build_engine.sh --fp16` (or --bf16) there": "TensorRT builds its engine on a GPU",
    "make room for it, or choose another place with -o": "a full disk; tests/migrate/weights/test_output.py makes one as far as it goes",
    "make room, or give -o on another disk": "a full disk; tests/migrate/weights/test_output.py makes one as far as it goes",
    "give a longer --timeout": "what ends in time is not stopped",
    "give a longer --timeout, or mend what the stack above shows": "what ends in time is not stopped",
    "another --port": "a port that another program has taken",
    "serve it by a Triton that has it, and give --server URL; or export with --triton python": "the wheel of Triton has the Python back end alone",
    "one that was built with --enable-shared, as pyenv's with PYTHON_CONFIGURE_OPTS=--enable-shared or uv's": "a Python of another build",
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands are about."""
    folder = tmp_path_factory.mktemp("advice")
    (folder / "net").mkdir()
    (folder / "net" / "model.py").write_text(MODEL)
    (folder / "full").mkdir()
    for name in ("model.py", "other.npz"):
        (folder / "full" / name).write_text("someone's own")
    (folder / "taken" / "model.py").mkdir(parents=True)
    (folder / "own_rules.py").write_text("import torch\nfrom rewriters.rule import rule\n")
    state = {"fc.weight": torch.ones(2, 3), "fc.bias": torch.ones(2)}
    saved: dict[str, Any] = {
        "state": state,
        "two": {"one": state, "other": {**state}},
        "half": {"fc.weight": torch.ones(2, 3, dtype=torch.bfloat16)},
        "empty": {"epoch": 1},
        "both": {"model": state, "optimizer": {"state": {}, "param_groups": []}},
    }
    for name, content in saved.items():
        torch.save(content, folder / f"{name}.pt")
    return folder


@pytest.fixture
def run(
    prepared: Path,
    toy: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> Callable[[str], tuple[int, str]]:
    """``run("convert net")`` in a copy of the folder: the exit status, and what the errors said."""
    target = toy()

    def call(command: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["migrate", *shlex.split(command.replace("{toy}", target))])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capfd.readouterr().err

    shutil.copytree(prepared, tmp_path / "here", symlinks=True)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("COLUMNS", "400")
    assert call("convert net --to paddle -o out")[0] == 0
    return call


def says(advice: str, told: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in advice.split("{}"))
    return re.search(rf"mend: {pattern}", told, re.DOTALL) is not None


def test_every_advice_is_tried() -> None:
    known, said = {*TRIED, *LIKE, *ELSEWHERE, *NOT_HERE}, advised()
    assert {text: places for text, places in said.items() if text not in known} == {}
    assert known - set(said) == set(), "nothing says this any more"


def test_what_is_like_another_is_like_one_that_is_tried() -> None:
    assert {text: other for text, other in LIKE.items() if other not in TRIED} == {}


@pytest.mark.parametrize("advice", ELSEWHERE)
def test_the_test_elsewhere_is_there(advice: str) -> None:
    path, _, name = ELSEWHERE[advice].partition("::")
    assert f"def {name}(" in (ROOT / "tests" / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("advice", TRIED)
def test_advice(run: Callable[[str], tuple[int, str]], advice: str) -> None:
    refused, mended = TRIED[advice]
    code, told = run(refused)
    assert code == 2, told
    assert says(advice, told), told
    for command in mended.split(" && "):
        code, told = run(command)
        assert code in {0, 1}, told
