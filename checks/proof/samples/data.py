"""Datasets and loaders."""

import torch


def batches(a0_: "float32[5,3]"):
    class Rows(torch.utils.data.Dataset):
        def __init__(self, rows):
            self.rows = rows

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, index):
            return self.rows[index], index

    return [batch for batch in torch.utils.data.DataLoader(Rows(a0_), batch_size=2)]


def whole_batches(a0_: "float32[5,3]"):
    class Rows(torch.utils.data.Dataset):
        def __init__(self, rows):
            self.rows = rows

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, index):
            return self.rows[index]

    loader = torch.utils.data.DataLoader(Rows(a0_), batch_size=2, shuffle=False, num_workers=0, drop_last=True)
    return [batch for batch in loader], len(loader)


def collated(a0_: "float32[4,3]"):
    class Rows(torch.utils.data.Dataset):
        def __init__(self, rows):
            self.rows = rows

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, index):
            return self.rows[index]

    loader = torch.utils.data.DataLoader(Rows(a0_), batch_size=3, collate_fn=lambda rows: torch.stack(rows))
    return [batch for batch in loader]


def pairs(a0_: "float32[5,3]", a1: "int64[5]<4"):
    dataset = torch.utils.data.TensorDataset(a0_, a1)
    return [batch for batch in torch.utils.data.DataLoader(dataset, batch_size=2)], len(dataset)
