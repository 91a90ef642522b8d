"""torch.utils.data."""

import math
from typing import Literal

import numpy
import paddle
import torch

from rewriters.rule import alias, becomes, family, rule, same
from rewriters.targets.paddle.rules.generators import drawn_from

becomes(torch.utils.data.RandomSampler, paddle.io.RandomSampler, generator=None)
becomes(torch.utils.data.SequentialSampler, paddle.io.SequenceSampler)
becomes(torch.utils.data.SubsetRandomSampler, paddle.io.SubsetRandomSampler, generator=None)
becomes(torch.utils.data.default_convert, paddle.io.dataloader.collate.default_convert_fn)

alias(torch.utils.data.Dataset, "paddle.io.Dataset")
alias(torch.utils.data.IterableDataset, "paddle.io.IterableDataset")
alias(torch.utils.data.Sampler, "paddle.io.Sampler")


same(
    "torch.utils.data.ChainDataset",
    "torch.utils.data.ConcatDataset",
    "torch.utils.data.Subset",
    "torch.utils.data.get_worker_info",
)


class Batch:
    """A batch as a program's own collate_fn gives it, in which Paddle would make tensors of arrays."""

    def __init__(self, items):
        self.items = items


class Collated:
    """What collates a batch, beside an array: a batch without any ends Paddle's loop over its loader."""

    def __init__(self, collate, convert, apart):
        self.collate = collate if collate is not None else convert
        self.apart = apart and collate is not None

    def __call__(self, items):
        batch = self.collate(items)
        return Batch(batch) if self.apart else batch, numpy.zeros(1)


class LoaderOfAny(paddle.io.DataLoader):
    """A loader whose batches may be strings, numbers, lists or objects."""

    def __iter__(self):
        for batch, _ in super().__iter__():
            yield batch.items if isinstance(batch, Batch) else batch


def loader_of_any(dataset, batch_size, shuffle, sampler, batch_sampler, num_workers, collate_fn, drop_last, options):
    if batch_sampler is None and sampler is not None and batch_size is not None:
        batch_sampler = paddle.io.BatchSampler(sampler=sampler, batch_size=batch_size, drop_last=drop_last)
    words = {"batch_size": batch_size, "shuffle": bool(shuffle), "drop_last": drop_last}
    if batch_sampler is not None:
        words = {"batch_sampler": batch_sampler}
    convert = paddle.io.dataloader.collate.default_collate_fn
    if batch_size is None and batch_sampler is None:
        convert = paddle.io.dataloader.collate.default_convert_fn
    collate = Collated(collate_fn, convert, apart=num_workers == 0)  # workers hand on tensors and arrays alone
    shared = num_workers == 0
    return LoaderOfAny(
        dataset, **words, num_workers=num_workers, collate_fn=collate, use_shared_memory=shared, **options
    )


# Dropped: pin_memory, multiprocessing_context and in_order, which Paddle's loader decides by itself, and generator:
# Paddle shuffles by numpy's global random numbers. With workers it shares no memory: tensors handed over so are
# no longer held, and the workers crash.
@family(
    ("dataset,\n    batch_size=1", "dataset,\n    batch_size: None", "dataset: list | tuple | str,\n    batch_size=1"),
    ("collate_fn,\n", "collate_fn=None,\n", "collate_fn=None,\n"),
)
@rule(torch.utils.data.DataLoader)
def DataLoader(
    dataset,
    batch_size=1,
    shuffle=None,
    sampler=None,
    batch_sampler=None,
    num_workers=0,
    *,
    collate_fn,
    pin_memory=False,
    drop_last=False,
    timeout=0,
    worker_init_fn=None,
    multiprocessing_context=None,
    generator=None,
    prefetch_factor=None,
    persistent_workers=False,
    pin_memory_device="",
    in_order=True,
):
    options = {"timeout": timeout, "worker_init_fn": worker_init_fn, "persistent_workers": persistent_workers}
    options["prefetch_factor"] = prefetch_factor or 2
    return loader_of_any(
        dataset, batch_size, shuffle, sampler, batch_sampler, num_workers, collate_fn, drop_last, options
    )


@rule(torch.utils.data.DataLoader)
def DataLoader(
    dataset,
    batch_size=1,
    shuffle=False,
    *,
    num_workers,
    collate_fn: None = None,
    pin_memory=False,
    drop_last=False,
    timeout=0,
    worker_init_fn=None,
    multiprocessing_context=None,
    generator=None,
    prefetch_factor=None,
    persistent_workers=False,
    pin_memory_device="",
    in_order=True,
):
    return paddle.io.DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        num_workers=num_workers,
        use_shared_memory=False,
        drop_last=drop_last,
        timeout=timeout,
        worker_init_fn=worker_init_fn,
        prefetch_factor=2 if prefetch_factor is None else prefetch_factor,
        persistent_workers=persistent_workers,
    )


@rule(torch.utils.data.DataLoader)
def DataLoader(
    dataset,
    batch_size=1,
    shuffle=False,
    *,
    num_workers: Literal[0] = 0,
    collate_fn: None = None,
    pin_memory=False,
    drop_last=False,
    timeout=0,
    worker_init_fn=None,
    multiprocessing_context=None,
    generator=None,
    prefetch_factor=None,
    persistent_workers=False,
    pin_memory_device="",
    in_order=True,
):
    return paddle.io.DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        drop_last=drop_last,
        timeout=timeout,
        worker_init_fn=worker_init_fn,
        prefetch_factor=2 if prefetch_factor is None else prefetch_factor,
        persistent_workers=persistent_workers,
    )


@rule(torch.utils.data.DataLoader)
def DataLoader(
    dataset,
    batch_size=1,
    shuffle=None,
    sampler=None,
    batch_sampler=None,
    num_workers=0,
    collate_fn=None,
    pin_memory=False,
    drop_last=False,
    timeout=0,
    worker_init_fn=None,
    multiprocessing_context=None,
    generator=None,
    *,
    prefetch_factor=None,
    persistent_workers=False,
    pin_memory_device="",
    in_order=True,
):
    if batch_sampler is not None:
        return paddle.io.DataLoader(
            dataset,
            batch_sampler=batch_sampler,
            num_workers=num_workers,
            collate_fn=collate_fn,
            timeout=timeout,
            worker_init_fn=worker_init_fn,
            prefetch_factor=2 if prefetch_factor is None else prefetch_factor,
            persistent_workers=persistent_workers,
            use_shared_memory=num_workers == 0,
        )
    if sampler is not None:
        return paddle.io.DataLoader(
            dataset,
            batch_sampler=paddle.io.BatchSampler(sampler=sampler, batch_size=batch_size, drop_last=drop_last),
            num_workers=num_workers,
            collate_fn=collate_fn,
            timeout=timeout,
            worker_init_fn=worker_init_fn,
            prefetch_factor=2 if prefetch_factor is None else prefetch_factor,
            persistent_workers=persistent_workers,
            use_shared_memory=num_workers == 0,
        )
    return paddle.io.DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=False if shuffle is None else shuffle,
        num_workers=num_workers,
        collate_fn=collate_fn,
        drop_last=drop_last,
        timeout=timeout,
        worker_init_fn=worker_init_fn,
        prefetch_factor=2 if prefetch_factor is None else prefetch_factor,
        persistent_workers=persistent_workers,
        use_shared_memory=num_workers == 0,
    )


@rule("torch.utils.data.DataLoader:any")
def loader_of_texts(
    dataset,
    batch_size=1,
    shuffle=None,
    sampler=None,
    batch_sampler=None,
    num_workers=0,
    collate_fn=None,
    pin_memory=False,
    drop_last=False,
    timeout=0,
    worker_init_fn=None,
    multiprocessing_context=None,
    generator=None,
    *,
    prefetch_factor=None,
    persistent_workers=False,
    pin_memory_device="",
    in_order=True,
):
    options = {"timeout": timeout, "worker_init_fn": worker_init_fn, "persistent_workers": persistent_workers}
    options["prefetch_factor"] = prefetch_factor or 2
    return loader_of_any(
        dataset, batch_size, shuffle, sampler, batch_sampler, num_workers, collate_fn, drop_last, options
    )


@rule(torch.utils.data.TensorDataset)
def TensorDataset(*tensors):
    return paddle.io.TensorDataset(tensors)


@rule(torch.utils.data.random_split)
def random_split(dataset, lengths, generator=None):
    if generator is not None:
        return drawn_from(generator, paddle.io.random_split, dataset, lengths)
    return paddle.io.random_split(dataset, lengths)


@rule(torch.utils.data.WeightedRandomSampler)
def WeightedRandomSampler(weights, num_samples, replacement=True, generator=None):
    # Paddle's own refuses tensors that the loader's thread hands it, and has no length with a list
    return paddle.io.WeightedRandomSampler(numpy.asarray(weights), num_samples, replacement=replacement)


@rule(torch.utils.data.BatchSampler)
def BatchSampler(sampler, batch_size, drop_last):
    return paddle.io.BatchSampler(sampler=sampler, batch_size=batch_size, drop_last=drop_last)


@rule(torch.utils.data.DistributedSampler)
class DistributedSampler(paddle.io.Sampler):
    """This process's share of the indices; Paddle's own DistributedBatchSampler makes batches as well."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.dataset, self.shuffle, self.seed, self.epoch = dataset, shuffle, seed, 0
        self.num_replicas = paddle.distributed.get_world_size() if num_replicas is None else num_replicas
        self.rank = paddle.distributed.get_rank() if rank is None else rank
        self.drop_last = drop_last
        size = len(dataset) / self.num_replicas
        self.num_samples = math.floor(size) if drop_last and len(dataset) % self.num_replicas else math.ceil(size)

    def __iter__(self):
        count = len(self.dataset)
        indices = list(range(count))
        if self.shuffle:
            indices = numpy.random.default_rng(self.seed + self.epoch).permutation(count).tolist()
        total = self.num_samples * self.num_replicas
        indices = (indices * math.ceil(total / max(count, 1)))[:total]
        return iter(indices[self.rank : total : self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch


same("torch.utils.data.DistributedSampler.set_epoch")


same("torch.utils.data.DataLoader.dataset", "torch.utils.data.DataLoader.batch_size")


def as_tensors(batch):
    """Paddle's collate leaves arrays, which its loader makes tensors of."""
    if isinstance(batch, numpy.ndarray):
        return paddle.to_tensor(batch)
    if isinstance(batch, dict):
        return {key: as_tensors(value) for key, value in batch.items()}
    return [as_tensors(value) for value in batch] if isinstance(batch, (list, tuple)) else batch


def collated(batch):
    """A batch of its items; of named tuples Paddle's own makes a list."""
    first = batch[0]
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(collated(list(part)) for part in zip(*batch, strict=True)))
    if isinstance(first, dict):
        return {key: collated([item[key] for item in batch]) for key in first}
    if isinstance(first, (list, tuple)):
        return [collated(list(part)) for part in zip(*batch, strict=True)]
    return as_tensors(paddle.io.dataloader.collate.default_collate_fn(batch))


@rule(torch.utils.data.default_collate)
def default_collate(batch):
    return collated(batch)


@rule(torch.utils.data.StackDataset)
class StackDataset(paddle.io.Dataset):
    """The items of several datasets side by side."""

    def __init__(self, *args, **kwargs):
        self.datasets = kwargs or args

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self):
        found = self.datasets.values() if isinstance(self.datasets, dict) else self.datasets
        return len(next(iter(found)))
