"""torch._C: what Meta's own builds of torch count, and all others do not."""

import torch

from rewriters.rule import rule


@rule(torch._C._log_api_usage_once)
def _log_api_usage_once(event):
    pass
