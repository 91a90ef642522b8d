"""torch.utils.data in numpy: datasets, samplers, a loader that gives arrays; no other processes load anything."""

import bisect
import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import torch

from rewriters.rule import note, rule, same

note(torch.utils.data.DataLoader, "batches are loaded in this process: num_workers and what belongs to it is left out")


@rule(torch.utils.data.Dataset)
class Dataset:
    """Has ``__getitem__``, and most of the time ``__len__``."""

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __iter__(self):
        # ends as torch's does by the IndexError of what it takes from, which arrays do not raise
        try:
            for index in range(len(self)) if hasattr(self, "__len__") else itertools.count():
                yield self[index]
        except IndexError:
            return

    def __add__(self, other):
        return ConcatDataset([self, other])

    def __class_getitem__(cls, kind):
        return cls


@rule(torch.utils.data.IterableDataset)
class IterableDataset(Dataset):
    """Has ``__iter__``."""

    def __iter__(self):
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


@rule(torch.utils.data.TensorDataset)
class TensorDataset(Dataset):
    def __init__(self, *tensors):
        if any(len(tensor) != len(tensors[0]) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        if isinstance(index, int) and not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of bounds for dimension 0 with size {len(self)}")
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return len(self.tensors[0])


@rule(torch.utils.data.Subset)
class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[place] for place in index]]
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


@rule(torch.utils.data.ConcatDataset)
class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        self.cumulative_sizes = list(itertools.accumulate(len(dataset) for dataset in self.datasets))

    def __getitem__(self, index):
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        place = bisect.bisect_right(self.cumulative_sizes, index)
        before = self.cumulative_sizes[place - 1] if place else 0
        return self.datasets[place][index - before]

    def __len__(self):
        return self.cumulative_sizes[-1]


@rule(torch.utils.data.ChainDataset)
class ChainDataset(IterableDataset):
    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)


@rule(torch.utils.data.StackDataset)
class StackDataset(Dataset):
    def __init__(self, *args, **kwargs):
        self.datasets = kwargs or args
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output"
            )

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self):
        return len(next(iter(self.datasets.values() if isinstance(self.datasets, dict) else self.datasets)))


@rule(torch.utils.data.random_split)
def random_split(dataset, lengths, generator=None, *, rngs):
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        total = len(dataset)
        lengths = [math.floor(total * share) for share in lengths]
        for place in range(total - sum(lengths)):
            lengths[place % len(lengths)] += 1
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = shuffled(sum(lengths), rngs if generator is None else generator)
    ends = list(itertools.accumulate(lengths))
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths, strict=False)]


def shuffled(count, rngs):
    """The numbers up to a count in random order."""
    return np.asarray(jax.random.permutation(rngs(), count)).tolist()


@rule(torch.utils.data.Sampler)
class Sampler:
    """Gives the places of samples, one after the other."""

    def __init__(self, data_source=None):
        pass

    def __iter__(self):
        raise NotImplementedError

    def __class_getitem__(cls, kind):
        return cls


@rule(torch.utils.data.SequentialSampler)
class SequentialSampler(Sampler):
    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class Shuffling(Sampler):
    """In random order, or drawn with replacement."""

    def __init__(self, data_source, replacement, num_samples, rngs):
        self.data_source, self.replacement, self.count, self.rngs = data_source, replacement, num_samples, rngs

    @property
    def num_samples(self):
        return len(self.data_source) if self.count is None else self.count

    def __iter__(self):
        total = len(self.data_source)
        if self.replacement:
            yield from np.asarray(jax.random.randint(self.rngs(), (self.num_samples,), 0, total)).tolist()
            return
        for _ in range(self.num_samples // total):
            yield from shuffled(total, self.rngs)
        yield from shuffled(total, self.rngs)[: self.num_samples % total]

    def __len__(self):
        return self.num_samples


@rule(torch.utils.data.RandomSampler)
def RandomSampler(data_source, replacement=False, num_samples=None, generator=None, *, rngs):
    return Shuffling(data_source, replacement, num_samples, rngs if generator is None else generator)


class ByIndices(Sampler):
    def __init__(self, indices, rngs):
        self.indices, self.rngs = indices, rngs

    def __iter__(self):
        for place in shuffled(len(self.indices), self.rngs):
            yield self.indices[place]

    def __len__(self):
        return len(self.indices)


@rule(torch.utils.data.SubsetRandomSampler)
def SubsetRandomSampler(indices, generator=None, *, rngs):
    return ByIndices(indices, rngs if generator is None else generator)


class Weighted(Sampler):
    def __init__(self, weights, num_samples, replacement, rngs):
        self.weights = np.asarray(weights, np.float64)
        self.num_samples, self.replacement, self.rngs = num_samples, replacement, rngs

    def __iter__(self):
        shares = jnp.asarray(self.weights / self.weights.sum())
        drawn = jax.random.choice(self.rngs(), len(shares), (self.num_samples,), self.replacement, shares)
        return iter(np.asarray(drawn).tolist())

    def __len__(self):
        return self.num_samples


@rule(torch.utils.data.WeightedRandomSampler)
def WeightedRandomSampler(weights, num_samples, replacement=True, generator=None, *, rngs):
    return Weighted(weights, num_samples, replacement, rngs if generator is None else generator)


@rule(torch.utils.data.BatchSampler)
class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        places = iter(self.sampler)
        while batch := list(itertools.islice(places, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


@rule(torch.utils.data.default_convert)
def default_convert(data):
    """Numpy's arrays inside of containers as JAX's."""
    if isinstance(data, np.ndarray) and data.dtype.kind not in "SUO":
        return jnp.asarray(data)
    if isinstance(data, dict):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    return list(map(default_convert, data)) if isinstance(data, (list, tuple)) else data


@rule(torch.utils.data.default_collate, torch.utils.data._utils.collate.default_collate)
def default_collate(batch):
    """Samples as one batch: arrays are stacked, numbers become arrays, containers are gone into."""
    first = batch[0]
    if isinstance(first, (jax.Array, np.ndarray, np.generic)):
        if isinstance(first, np.ndarray) and first.dtype.kind in "SUO":
            raise TypeError(f"default_collate: batch must contain tensors, numpy arrays, numbers; found {first.dtype}")
        arrays = [np.asarray(one) for one in batch]
        if any(one.shape != arrays[0].shape for one in arrays):
            raise RuntimeError("stack expects each tensor to be equal size")
        return jnp.asarray(np.stack(arrays))
    if isinstance(first, float):
        return jnp.asarray(batch, jnp.float64)
    if isinstance(first, int):
        return jnp.asarray(batch, jnp.bool_ if isinstance(first, bool) else jnp.int64)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([one[key] for one in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(part) for part in zip(*batch, strict=False)))
    if isinstance(first, (list, tuple)):
        if any(len(one) != len(first) for one in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(part) for part in zip(*batch, strict=False)]
    raise TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
    )


@rule("torch.utils.data.DataLoader:test", "torch.utils.data.DataLoader:base")
class Loader:
    """Batches of a dataset, in the order of a sampler."""

    def __init__(self, dataset, batch_size, shuffle, sampler, batch_sampler, collate_fn, drop_last, rngs):
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.num_workers, self.pin_memory = 0, False
        self.batched = batch_sampler is not None or batch_size is not None
        self.collate_fn = collate_fn or (default_collate if self.batched else default_convert)
        if sampler is None and not isinstance(dataset, IterableDataset):
            sampler = Shuffling(dataset, False, None, rngs) if shuffle else SequentialSampler(dataset)
        elif sampler is None:
            sampler = itertools.repeat(None)
        self.sampler = sampler
        if batch_sampler is None and batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler

    def __iter__(self):
        if isinstance(self.dataset, IterableDataset):
            yield from self.stream()
        elif not self.batched:
            for place in self.sampler:
                yield self.collate_fn(self.dataset[place])
        else:
            for places in self.batch_sampler:
                yield self.batch(places)

    def batch(self, places):
        if isinstance(self.dataset, TensorDataset) and self.collate_fn is default_collate:
            chosen = np.asarray(places)
            if chosen.size and not (-len(self.dataset) <= chosen.min() and chosen.max() < len(self.dataset)):
                raise IndexError("index out of range")
            return [jnp.asarray(np.asarray(tensor)[chosen]) for tensor in self.dataset.tensors]
        if hasattr(self.dataset, "__getitems__"):
            return self.collate_fn(self.dataset.__getitems__(places))
        return self.collate_fn([self.dataset[place] for place in places])

    def stream(self):
        samples = iter(self.dataset)
        if not self.batched:
            yield from map(self.collate_fn, samples)
            return
        while batch := list(itertools.islice(samples, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn(batch)

    def __len__(self):
        if not isinstance(self.dataset, IterableDataset):
            return len(self.batch_sampler if self.batched else self.sampler)
        count = len(self.dataset)
        if not self.batched:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


@rule(torch.utils.data.DataLoader)
def DataLoader(
    dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
    pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None,
    *, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True, rngs,
):  # fmt: skip
    drawn = rngs if generator is None else generator
    return Loader(dataset, batch_size, shuffle, sampler, batch_sampler, collate_fn, drop_last, drawn)


@rule(torch.utils.data.get_worker_info)
def get_worker_info():
    return None


@rule(torch.utils.data.DistributedSampler)
class DistributedSampler(Sampler):
    """This process's share of the indices."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.dataset, self.shuffle, self.seed, self.epoch = dataset, shuffle, seed, 0
        self.num_replicas = jax.process_count() if num_replicas is None else num_replicas
        self.rank = jax.process_index() if rank is None else rank
        if not 0 <= self.rank < self.num_replicas:
            raise ValueError(f"Invalid rank {self.rank}, rank should be in the interval [0, {self.num_replicas - 1}]")
        self.drop_last = drop_last
        size = len(dataset) / self.num_replicas
        self.num_samples = math.floor(size) if drop_last and len(dataset) % self.num_replicas else math.ceil(size)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self):
        count = len(self.dataset)
        indices = list(range(count))
        if self.shuffle:
            indices = np.random.default_rng(self.seed + self.epoch).permutation(count).tolist()
        indices = (indices * math.ceil(self.total_size / max(count, 1)))[: self.total_size]
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch


same("torch.utils.data.DistributedSampler.set_epoch")
