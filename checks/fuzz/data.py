"""Datasets and loaders: what a loop over them gives."""

from __future__ import annotations

import contextlib

from checks.fuzz.builder import Builder, Dry
from checks.fuzz.expressions import expression, kind
from checks.fuzz.tables import templates

ITEMS = templates(r"""
self.x[i] | (self.x[i], i) | self.x[i], self.x[i].sum() | {{'x': self.x[i], 'y': i}} | (self.x[i], float(i)) | (self.x[i] * 2, torch.tensor(i))
self.x[i].mean().item() | i | (i, str(i)) | [self.x[i], self.x[i] + 1] | self.x[i].tolist() | (self.x[i].numpy(), i) | f'item {{i}}' | {{'i': i, 'name': 'n'}}
""")
LOADERS = templates(r"""
{ds}, batch_size=2 | {ds}, batch_size=2, shuffle=False | {ds}, 2 | {ds}, batch_size=1 | {ds}, batch_size=2, drop_last=True | {ds}
dataset={ds}, batch_size=3, num_workers=0 | {ds}, batch_size=2, collate_fn=lambda items: items | {ds}, batch_size=None
{ds}, batch_size=2, collate_fn=lambda items: len(items) | {ds}, sampler=torch.utils.data.SequentialSampler({ds}), batch_size=2
{ds}, batch_sampler=[[0, 1], [1]] | {ds}, batch_size=2, collate_fn=lambda items: torch.stack([torch.as_tensor(t[0]) for t in items])
torch.utils.data.Subset({ds}, [1, 0]), batch_size=2 | torch.utils.data.ConcatDataset([{ds}, {ds}]), batch_size=3
""")


def loader(b: Builder) -> None:
    """A loader over tensors, a list, or a dataset of one's own."""
    text, x = b.tensor(lambda x: kind(x) == "float" and x.dim() > 0 and 2 <= x.shape[0] <= 4 and not x.requires_grad)
    name = b.name("ds dataset train_set")
    form = b.random.randrange(4)
    if form == 0:
        other, _ = b.tensor(lambda y: y.dim() > 0 and y.shape[0] == x.shape[0] and not y.requires_grad)
        b.must(f"{name} = torch.utils.data.TensorDataset({text}, {other})")
    elif form == 1:
        b.must(
            f"{name} = {b.one(['[1, 2, 3]', '[0.5, 1.5]', f'list({text})', f'[({text}[0], 1), ({text}[1], 2)]', f'[{text}[0], {text}[1]]', repr(['a', 'b', 'c'])])}"
        )
    else:
        title = b.name("Data Pairs Samples")
        b.must(
            f"class {title}(torch.utils.data.Dataset):\n    def __init__(self, x):\n        self.x = x\n\n    def __len__(self):\n        return len(self.x)\n\n    def __getitem__(self, i):\n        return {b.one(ITEMS).format()}"
        )
        b.must(f"{name} = {title}({text})")
        b.emit(f"show(len({name}), {name}[0])")
    batch = b.name("batch sample")
    made = b.name("loader dl")
    b.must(f"{made} = torch.utils.data.DataLoader({b.one(LOADERS).format(ds=name)})")
    bodies = [
        f"show({batch})",
        f"show({batch})",
        f"x_b, y_b = {batch}\n    show(x_b, y_b)",
        f"{batch} = {batch}[0]\n    show({batch})",
    ]
    b.must(f"for {batch} in {made}:\n    {b.one(bodies)}")
    b.emit(f"show(len({made}))")
    with contextlib.suppress(Dry):
        b.emit(f"first = next(iter({made}))\nshow(first)")
        b.emit(f"show({expression(b)[0]})")
