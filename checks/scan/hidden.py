"""Programs whose tensors a function is handed, by a name that is computed: of what dtype they are, and how many axes
they have, nothing says.
"""

from __future__ import annotations

import re
from dataclasses import replace

from checks.scan.case import IMPORTS, Case
from checks.scan.known import HIDDEN

MADE = re.compile(r"(\w+) = \(?torch\.(tensor|linspace|arange|zeros|ones|full|eye)\(")


def hidden(case: Case) -> Case | None:
    """The program so; none where it makes no tensors first, or defines something of its own."""
    lines = case.text.removeprefix(IMPORTS).splitlines()
    made = [found[1] for line in lines if (found := MADE.match(line))]
    count = next((place for place, line in enumerate(lines) if not MADE.match(line)), len(lines))
    names = list(dict.fromkeys(made[:count]))
    body = lines[count:]
    if not names or not body or any(line.startswith((" ", "class ", "def ", "@", "import ", "from ")) for line in body):
        return None
    parameters = ", ".join(f"{name}: torch.Tensor" for name in names)
    inside = "\n".join(f"    {line}" if line else "" for line in body)
    call = f'globals()["".join(["bo", "dy"])]({", ".join(names)})'
    text = f"{IMPORTS}def body({parameters}):\n{inside}\n\n\n" + "\n".join([*lines[:count], call]) + "\n"
    return replace(case, where=f"{case.where}{HIDDEN}", text=text)
