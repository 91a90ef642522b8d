"""torch."""

from rewriters.rule import shared

shared({"framework": "oneflow", "Framework": "OneFlow"})
