"""torch.utils.data."""

import oneflow
import torch

from rewriters.rule import alias, family, rule, same

alias(torch.utils.data.Dataset, "oneflow.utils.data.Dataset")
alias(torch.utils.data.IterableDataset, "oneflow.utils.data.IterableDataset")
alias(torch.utils.data.Sampler, "oneflow.utils.data.Sampler")


@rule("torch.utils.data.Sampler:base")
class OwnSampler(oneflow.utils.data.Sampler):
    """Made of nothing, as torch's may be."""

    def __init__(self, data_source=None):
        super().__init__(data_source)

    def __class_getitem__(cls, kind):
        return cls


same(
    "torch.utils.data.TensorDataset", "torch.utils.data.ConcatDataset", "torch.utils.data.Subset",
    "torch.utils.data.SequentialSampler", "torch.utils.data.BatchSampler", "torch.utils.data.SubsetRandomSampler",
    "torch.utils.data.get_worker_info", "torch.utils.data.DistributedSampler.set_epoch",
)  # fmt: skip


@rule(torch.utils.data.DataLoader)
def DataLoader(
    dataset, batch_size=1, shuffle=False, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
    pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None,
    *, prefetch_factor=2, persistent_workers=False, pin_memory_device="", in_order=True,
):  # fmt: skip
    # OneFlow's loader shuffles by its own random numbers, and has one pinned memory
    return oneflow.utils.data.DataLoader(
        dataset, batch_size=batch_size, shuffle=shuffle, sampler=sampler, batch_sampler=batch_sampler,
        num_workers=num_workers, collate_fn=collate_fn, pin_memory=pin_memory, drop_last=drop_last, timeout=timeout,
        worker_init_fn=worker_init_fn, prefetch_factor=prefetch_factor, persistent_workers=persistent_workers,
    )  # fmt: skip


@rule("torch.utils.data.DataLoader:copied")
def loader_of_copies(
    dataset, batch_size=1, shuffle=False, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
    pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None,
    *, prefetch_factor=2, persistent_workers=False, pin_memory_device="", in_order=True,
):  # fmt: skip
    return oneflow.utils.data.DataLoader(
        dataset, batch_size=batch_size, shuffle=shuffle, sampler=sampler, batch_sampler=batch_sampler,
        num_workers=num_workers, collate_fn=None if batch_size is None else batch_of_copies, pin_memory=pin_memory,
        drop_last=drop_last, timeout=timeout, worker_init_fn=worker_init_fn, prefetch_factor=prefetch_factor,
        persistent_workers=persistent_workers,
    )  # fmt: skip


def batch_of_copies(samples):
    # of one sample OneFlow's batch is a view of what the dataset gave
    batch = oneflow.utils.data._utils.collate.default_collate(samples)
    return copied(batch) if len(samples) == 1 else batch


def copied(batch):
    if isinstance(batch, oneflow.Tensor):
        return batch.clone()
    if isinstance(batch, dict):
        return {name: copied(part) for name, part in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*map(copied, batch))
    return type(batch)(map(copied, batch)) if isinstance(batch, (list, tuple)) else batch


@rule(torch.utils.data.RandomSampler)
def RandomSampler(data_source, replacement=False, num_samples=None, generator=None):
    return oneflow.utils.data.RandomSampler(data_source, replacement, num_samples, generator)


@rule(torch.utils.data.random_split)
def random_split(dataset, lengths, generator=None):
    if sum(lengths) <= 1:
        total = len(dataset)
        lengths = [int(total * share) for share in lengths]
        for place in range(total - sum(lengths)):
            lengths[place % len(lengths)] += 1
    order = oneflow.randperm(sum(lengths)).tolist()
    parts, start = [], 0
    for length in lengths:
        parts.append(oneflow.utils.data.Subset(dataset, order[start : start + length]))
        start += length
    return parts


@rule(torch.utils.data.DistributedSampler, torch.utils.data.distributed.DistributedSampler)
def DistributedSampler(dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
    return oneflow.utils.data.DistributedSampler(dataset, num_replicas, rank, shuffle, seed, drop_last)


@rule(torch.utils.data.WeightedRandomSampler)
class WeightedRandomSampler(oneflow.utils.data.Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights = oneflow.as_tensor(weights, dtype=oneflow.float32)
        self.num_samples, self.replacement = num_samples, replacement

    def __iter__(self):
        yield from oneflow.multinomial(self.weights, self.num_samples, self.replacement).tolist()

    def __len__(self):
        return self.num_samples


@rule(torch.utils.data.ChainDataset)
class ChainDataset(oneflow.utils.data.IterableDataset):
    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            yield from dataset

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)


@rule(torch.utils.data.StackDataset)
class StackDataset(oneflow.utils.data.Dataset):
    def __init__(self, *args, **kwargs):
        self.datasets = kwargs or args

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self):
        parts = list(self.datasets.values()) if isinstance(self.datasets, dict) else self.datasets
        return len(parts[0])


@family("default_collate default_convert", "batch data")
@rule(torch.utils.data.default_collate)
def default_collate(batch):
    return oneflow.utils.data._utils.collate.default_collate(batch)


alias(torch.utils.data.dataloader.ExceptionWrapper, "oneflow.utils.data.dataloader.ExceptionWrapper")
alias(torch.utils.data.dataset.default_generator, "oneflow.default_generator")
