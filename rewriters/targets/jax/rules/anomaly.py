"""torch: anomaly detection."""

import jax
import torch

from rewriters.rule import rule


@rule(torch.is_anomaly_enabled, torch.is_anomaly_check_nan_enabled)
def is_anomaly_enabled():
    return jax.config.jax_debug_nans


@rule(torch.set_anomaly_enabled)
def set_anomaly_enabled(enabled, check_nan=True):
    jax.config.update("jax_debug_nans", enabled and check_nan)
