"""torch: anomaly detection."""

import paddle
import torch

from rewriters.rule import rule


def report_nan(mode):
    # the operator is named that gives NaN or an infinity, and the program goes on: a mask may well be infinite
    paddle.set_flags({"FLAGS_check_nan_inf": mode, "FLAGS_check_nan_inf_level": 1 if mode else 0})


@rule(torch.is_anomaly_enabled, torch.is_anomaly_check_nan_enabled)
def is_anomaly_enabled():
    return paddle.get_flags("FLAGS_check_nan_inf")["FLAGS_check_nan_inf"]


@rule(torch.set_anomaly_enabled)
def set_anomaly_enabled(enabled, check_nan=True):
    report_nan(enabled and check_nan)
