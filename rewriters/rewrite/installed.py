"""``importlib.util.find_spec("torch")``: whether torch is there. The target stands in its place, with torch's version.

A name that is computed may be torch's where the file says that name as a text.
"""

from __future__ import annotations

import ast
import re

from rewriters.infer.values import External
from rewriters.report import Code, Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.tree import walk
from rewriters.torch.table import version_of

TORCH, VISION = "torch", "torchvision"
FINDS = {"importlib.util.find_spec", "importlib.find_loader", "pkgutil.find_loader", "importlib.import_module"}
VERSIONS = {"importlib.metadata.version"}
RUNNING = {"exec", "eval"}
OF_TORCH = re.compile(r"\btorch\.")


class Installed(Rewriting):
    """Rewrites what asks whether a package is installed."""

    def runs(self, node: ast.Call) -> None:
        """``exec("self.w = torch.zeros(3)")``: a text that runs as code, and that is none to the conversion."""
        if not isinstance(node.func, ast.Name) or node.func.id not in RUNNING or self.target.keeps_alias:
            return
        parts = (part.value for one in node.args for part in walk(one) if isinstance(part, ast.Constant))
        if any(isinstance(part, str) and OF_TORCH.search(part) for part in parts):
            why = "this text runs as code and names torch, and texts are not converted: write it as code"
            self.draft.mark(node, f"builtins.{node.func.id}", why, Code.UNSUPPORTED)

    def asked(self, node: ast.Call) -> bool:
        """Whether it is such a call, of torch; it has been rewritten then."""
        self.runs(node)
        called = value_at(node.func)
        name = called.name if isinstance(called, External) else ""
        if name not in FINDS | VERSIONS or len(node.args) != 1 or node.keywords or self.here.quotes:
            return False
        given = node.args[0]
        text = self.source.text(given)
        quote = self.draft.printer.quote
        own = f"{quote}{self.target.package}{quote}"
        said = given.value if isinstance(given, ast.Constant) else ""
        if name in VERSIONS and said == VISION:
            self.draft.replace(node, f"{quote}{version_of(f'{VISION}.__version__')}{quote}")
            self.draft.record(node, VISION, Outcome.INLINED, "what stands in its place has other versions")
            return True
        if said == TORCH:
            changed, chosen = own, True
        elif isinstance(given, ast.Name) and self.says_torch():
            changed, chosen = f"{own} if {text} == {quote}{TORCH}{quote} else {text}", False
        else:
            return False
        if name in FINDS:
            self.source.edit(self.source.start(given), self.source.end(given), changed)
        else:
            version = f"{quote}{version_of('torch.__version__')}{quote}"
            shown = f"{version} if {text} == {quote}{TORCH}{quote} else {self.source.text(node)}"
            alone = isinstance(self.source.nodes.parents.get(node), (ast.Assign, ast.Return))
            self.draft.replace(node, version if chosen else shown if alone else f"({shown})")
        self.draft.record(node, TORCH, Outcome.INLINED, f"{self.target.title} stands in torch's place")
        return True

    def says_torch(self) -> bool:
        return any(node.value == TORCH for node in self.source.nodes.of(ast.Constant))
