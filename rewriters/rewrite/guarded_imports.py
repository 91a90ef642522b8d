"""Imports that are tried: what happens where torch's name has no counterpart."""

from __future__ import annotations

import ast

from rewriters.report import Code, Outcome, Site
from rewriters.rewrite.draft import Draft
from rewriters.rewrite.naming import Names
from rewriters.torch.table import canonical, python_names


def guarded_imports(draft: Draft, names: Names) -> None:
    """``try: from torch import f`` with another way behind ``except ImportError``: the name stays bound, to what f
    is here, or else the other way is taken.
    """
    for binding in draft.table.bindings:
        statement = binding.statement
        if not binding.guarded or statement is None:
            continue
        key = binding.source
        if isinstance(statement, ast.Import) and binding.item is not None:
            key = canonical(binding.item.name)  # `import torch.backends.opt_einsum` binds torch
        if binding.is_module:
            binding.lacking = draft.table.mapped(key) is None and not draft.book.answers_below(key)
            binding.kept |= draft.table.mapped(key) is not None and binding.fallback
            detail = f"{key} has no counterpart in {draft.target.title}"
        else:
            own = key in python_names() or draft.book.answers(key)
            binding.lacking = key in draft.book.refusals or not own
            detail = draft.book.refusals.get(key) or draft.no_rule(key)
            if not binding.lacking and binding.fallback:
                _, binding.text, _ = names.bound_text(key, binding)
        if binding.lacking:
            draft.report.sites.append(Site(statement.lineno, statement.col_offset + 1, key, Outcome.MARKED, detail))
            text = (Code.REFUSED if key in draft.book.refusals else Code.NO_RULE).comment(detail)
            draft.above.setdefault(statement.lineno, {})[text] = text
    given_up = {binding.guarded for binding in draft.table.bindings if binding.lacking}
    for binding in draft.table.bindings:
        binding.overtaken = binding.guarded in given_up and not binding.lacking
