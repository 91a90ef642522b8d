"""torch.utils.data."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.utils.data.Dataset, "paddle.io.Dataset")
alias(torch.utils.data.IterableDataset, "paddle.io.IterableDataset")


@rule(torch.utils.data.DataLoader)
def DataLoader(
    dataset,
    batch_size=1,
    shuffle=False,
    *,
    num_workers=0,
    collate_fn=None,
    pin_memory=False,
    drop_last=False,
    worker_init_fn=None,
    persistent_workers=False,
):
    # pin_memory: Paddle's loader decides by itself (use_buffer_reader)
    return paddle.io.DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        num_workers=num_workers,
        collate_fn=collate_fn,
        drop_last=drop_last,
        worker_init_fn=worker_init_fn,
        persistent_workers=persistent_workers,
    )
