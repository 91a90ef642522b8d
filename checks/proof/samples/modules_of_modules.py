"""Modules that are built from others, which PyTorch's samples pass as objects that have no form in source."""

import torch


def encoder(
    module: "torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2)",
    a0: "float32[2,5,8]",
):
    return module(a0)


def encoder_train(
    module: "torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), num_layers=2)",
    a0: "float32[5,2,8]",
):
    return module(a0)


def decoder_train(
    module: "torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2)",
    a0: "float32[2,5,8]",
    a1: "float32[2,4,8]",
):
    return module(a0, a1)


def distances(
    module: "torch.nn.TripletMarginWithDistanceLoss(distance_function=torch.nn.PairwiseDistance(), margin=0.5)",
    a0: "float32[4,6]",
    a1: "float32[4,6]",
    a2: "float32[4,6]",
):
    return module(a0, a1, a2)
