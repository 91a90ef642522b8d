"""Functions and layers at several ranks, of nothing, of one, and of what does not lie in one piece."""

from __future__ import annotations

from collections.abc import Iterator

from checks.scan.case import Case, entries, graded, program, shown

TENSORS = {
    "number": "torch.tensor(1.5)",
    "one": "torch.tensor([2.5])",
    "vector": "torch.tensor([1.0, -2.0, 3.5])",
    "matrix": "torch.tensor([[1.0, -2.0, 3.5], [0.5, 4.0, -1.0]])",
    "cube": "torch.linspace(-2.0, 3.0, 24).reshape(2, 3, 4)",
    "images": "torch.linspace(-2.0, 3.0, 72).reshape(2, 3, 3, 4)",
    "batch of one": "torch.tensor([[1.0, -2.0, 3.5]])",
    "column": "torch.tensor([[1.0], [-2.0], [3.5]])",
    "nothing": "torch.zeros(0)",
    "no rows": "torch.zeros(0, 3)",
    "no columns": "torch.zeros(2, 0)",
    "no batch": "torch.zeros(0, 3, 4)",
    "transposed": "torch.tensor([[1.0, -2.0], [3.5, 0.5], [4.0, -1.0]]).t()",
    "expanded": "torch.tensor([[1.0, -2.0, 3.5]]).expand(2, 3)",
    "permuted": "torch.linspace(-2.0, 3.0, 24).reshape(4, 2, 3).permute(1, 2, 0)",
    "stepped": "torch.linspace(-2.0, 3.0, 12).reshape(2, 6)[:, ::2]",
    "flipped": "torch.tensor([[1.0, -2.0, 3.5], [0.5, 4.0, -1.0]]).flip(1)",
}
FUNCTIONS = entries("""
    x.sum(); x.sum(0); x.sum(-1); x.sum(dim=(0, 1)); x.sum(-1, keepdim=True); x.sum(dim=[]); x.mean(); x.mean(0);
    x.mean(-1, keepdim=True); x.mean((-2, -1)); x.prod(); x.prod(0); x.std(); x.std(0); x.std(-1, unbiased=False);
    x.var(0); x.var(-1, keepdim=True); torch.var_mean(x, 0); x.max(); x.max(0)[0]; x.max(0)[1]; x.max(-1);
    x.min(-1)[0]; x.amax(0); x.amax((0, -1)); x.amin(-1, keepdim=True); x.argmax(); x.argmax(0);
    x.argmax(-1, keepdim=True); x.argmin(dim=-1); x.median(); x.median(-1)[0]; x.mode(-1); x.norm(); x.norm(dim=-1);
    x.norm(dim=0, keepdim=True); x.norm(p=1, dim=-1); torch.linalg.norm(x); torch.linalg.norm(x, dim=-1);
    torch.linalg.vector_norm(x, dim=0); F.normalize(x, dim=-1); F.normalize(x, dim=0); F.normalize(x); x.cumsum(0);
    x.cumsum(-1); x.cumprod(-1); x.cummax(-1)[0]; x.logcumsumexp(-1); x.logsumexp(0); x.logsumexp(-1, keepdim=True);
    x.softmax(0); x.softmax(-1); F.softmax(x, dim=-1); F.log_softmax(x, -1); F.softmin(x, -1);
    F.gumbel_softmax(x, dim=-1).sum(-1); x.sort()[0]; x.sort(0, descending=True); x.argsort(-1); x.topk(1);
    x.topk(1, dim=0)[0]; x.kthvalue(1, -1)[0]; x.unique(); x.unique(dim=0); x.flatten(); x.flatten(1); x.flatten(0, 1);
    x.flatten(-2); x.reshape(-1); x.view(-1); x.reshape(x.shape[0], -1); x.view(x.size(0), -1); x.reshape(1, -1);
    x.unsqueeze(0); x.unsqueeze(-1); x[None]; x[..., None]; x.squeeze(); x.squeeze(0); x.squeeze(-1);
    x.squeeze((0, -1)); x.t(); x.T; x.mT; x.transpose(0, 1); x.transpose(-1, -2); x.swapaxes(0, -1);
    x.permute(*range(x.dim() - 1, -1, -1)); x.movedim(0, -1); x.expand(2, *x.shape);
    x.expand_as(torch.zeros(2, *x.shape)); x.repeat(2); x.repeat(2, 1); x.repeat(1, 1, 2); x.repeat_interleave(2);
    x.repeat_interleave(2, dim=0); x.tile(2); x.tile((2, 1)); x.flip(0); x.flip(-1); x.flip([0, 1]); torch.fliplr(x);
    x.roll(1); x.roll(1, 0); x.roll((1, 1), (0, 1)); torch.rot90(x); torch.cat([x, x]); torch.cat([x, x], -1);
    torch.cat([x, x], dim=1); torch.stack([x, x]); torch.stack([x, x], -1); torch.vstack([x, x]); torch.hstack([x, x]);
    torch.dstack([x, x]); x.chunk(2); x.chunk(2, -1); x.split(1); x.split(2, -1); torch.tensor_split(x, 2); x.unbind();
    x.unbind(-1); [a.sum() for a in x]; len(x); x.tolist(); x.shape; x.numel(); x.diag(); torch.diagonal(x);
    torch.diagonal(x, dim1=-2, dim2=-1); torch.diag_embed(x); x.tril(); x.triu(1); torch.trace(x); x @ x.mT;
    x.matmul(x.transpose(-1, -2)); torch.matmul(x, torch.ones(3)); torch.matmul(torch.ones(2), x);
    torch.matmul(x, torch.ones(4, 2)); x @ x; torch.mm(x, x.t()); torch.mv(x, torch.ones(3));
    torch.bmm(x, x.transpose(1, 2)); torch.einsum("...i->...", x); torch.einsum("...i,...i->...", x, x);
    torch.einsum("bi,bj->bij", x, x); torch.outer(x, x); torch.dot(x, x); torch.inner(x, x);
    torch.tensordot(x, x, dims=1); torch.tensordot(x, x, dims=([0], [0])); torch.kron(x, x); torch.cdist(x, x);
    F.cosine_similarity(x, x + 1, dim=-1); F.cosine_similarity(x, x + 1, dim=0); F.cosine_similarity(x, x + 1);
    F.pairwise_distance(x, x + 1); torch.cross(x, x + 1, dim=-1); F.mse_loss(x, x + 1);
    F.mse_loss(x, torch.zeros_like(x), reduction="sum"); F.l1_loss(x, x * 2); F.smooth_l1_loss(x, x * 3);
    F.huber_loss(x, x * 3); F.binary_cross_entropy_with_logits(x, torch.ones_like(x));
    F.binary_cross_entropy(x.sigmoid(), torch.ones_like(x)); F.kl_div(x, x.softmax(-1));
    F.kl_div(x, x.softmax(-1), reduction="batchmean"); F.cross_entropy(x, torch.zeros(x.shape[0], dtype=torch.long));
    F.cross_entropy(x, torch.tensor(0)); F.cross_entropy(x, x.softmax(1));
    F.cross_entropy(x, torch.zeros_like(x[:, 0], dtype=torch.long));
    F.nll_loss(x, torch.zeros(x.shape[0], dtype=torch.long)); F.nll_loss(x, torch.tensor(0));
    F.gaussian_nll_loss(x, x + 1, torch.ones_like(x)); F.poisson_nll_loss(x, torch.ones_like(x));
    F.triplet_margin_loss(x, x + 1, x + 2); F.cosine_embedding_loss(x, x + 1, torch.ones(x.shape[0]));
    F.margin_ranking_loss(x, x + 1, torch.ones_like(x)); F.hinge_embedding_loss(x, torch.ones_like(x));
    F.multi_margin_loss(x, torch.zeros(x.shape[0], dtype=torch.long));
    F.multilabel_soft_margin_loss(x, torch.ones_like(x)); F.soft_margin_loss(x, torch.ones_like(x));
    F.linear(x, torch.ones(2, x.shape[-1])); F.linear(x, torch.ones(2, 3), torch.ones(2)); F.linear(x, torch.ones(4));
    F.embedding(x.long().abs(), torch.arange(12.0).reshape(6, 2)); F.one_hot(x.long().abs(), 8);
    F.layer_norm(x, x.shape[-1:]); F.layer_norm(x, x.shape); F.rms_norm(x, x.shape[-1:]);
    F.batch_norm(x, None, None, training=True); F.batch_norm(x, torch.zeros(3), torch.ones(3)); F.group_norm(x, 1);
    F.group_norm(x, 3); F.instance_norm(x); F.local_response_norm(x, 2); F.dropout(x, 0.5, training=False);
    F.dropout(x, 0.0); F.pad(x, (1, 1)); F.pad(x, (1, 2, 0, 1)); F.pad(x, (0, -1)); F.pad(x, (1, 1), mode="reflect");
    F.pad(x, (1, 1), mode="replicate"); F.pad(x, (1, 1), mode="circular"); F.pad(x, (1, 1, 1, 1), mode="reflect");
    F.max_pool1d(x, 2); F.avg_pool1d(x, 2); F.max_pool2d(x, 2); F.avg_pool2d(x, 2); F.adaptive_avg_pool1d(x, 1);
    F.adaptive_avg_pool2d(x, 1); F.adaptive_avg_pool2d(x, (2, None)); F.adaptive_max_pool1d(x, 2);
    F.adaptive_max_pool2d(x, 1); F.interpolate(x, scale_factor=2); F.interpolate(x, size=5);
    F.interpolate(x, scale_factor=2, mode="bilinear"); F.interpolate(x, size=7, mode="linear", align_corners=True);
    F.conv1d(x, torch.ones(2, 3, 2)); F.conv2d(x, torch.ones(2, 3, 2, 2)); F.conv_transpose1d(x, torch.ones(3, 2, 2));
    F.conv_transpose2d(x, torch.ones(3, 2, 2, 2)); F.unfold(x, 2); F.pixel_shuffle(x, 1); F.glu(x, -1);
    F.glu(torch.cat([x, x], -1)); F.prelu(x, torch.tensor([0.3])); F.prelu(x, torch.tensor([0.3, 0.2, 0.1]));
    F.relu(x); F.gelu(x); F.elu(x); F.hardswish(x); x.exp(); x.abs(); x.clamp(0, 1); x ** 2; x // 2; x % 2; 2 ** x;
    x > 0; (x > 0).any(); (x > 0).all(); (x > 0).any(-1); (x > 0).all(0); (x > 0).sum(); (x > 0).nonzero();
    (x > 0).nonzero(as_tuple=True); torch.where(x > 0); torch.where(x > 0, x, -x);
    torch.where(x > 0, x, torch.tensor(9.0)); x[x > 0]; x.masked_select(x > 0); x.masked_fill(x > 0, 7);
    x.masked_fill(x > 0, float("-inf")); x.gather(0, torch.zeros_like(x, dtype=torch.long));
    x.gather(-1, torch.zeros_like(x, dtype=torch.long)); x.scatter(0, torch.zeros_like(x, dtype=torch.long), 2.0);
    x.scatter_add(-1, torch.zeros_like(x, dtype=torch.long), x); x.index_select(0, torch.tensor([0]));
    x.index_select(-1, torch.tensor([0, 0])); x.index_add(0, torch.tensor([0]), x[:1]);
    x.index_fill(0, torch.tensor([0]), 3.0); x.take(torch.tensor([0])); torch.take_along_dim(x, x.argsort(-1), -1);
    x.narrow(0, 0, 1); x.narrow(-1, 0, 1); x.select(0, 0); x.unfold(0, 1, 1); x.unfold(-1, 2, 1); x.contiguous();
    x.clone(); x.detach(); x.item(); float(x); int(x); bool(x); x.size(); x.size(-1); x.dim(); x.stride();
    x.is_contiguous(); x.cov(); torch.corrcoef(x); x.quantile(0.5); x.quantile(0.5, dim=-1); torch.histc(x, 3);
    torch.bincount(x.long().abs()); torch.cartesian_prod(x, x); torch.meshgrid(x, x, indexing="ij");
    torch.atleast_1d(x); torch.atleast_2d(x); torch.atleast_3d(x); torch.block_diag(x, x);
    torch.broadcast_to(x, (2, *x.shape)); torch.broadcast_tensors(x, torch.ones(1));
    torch.searchsorted(torch.tensor([0.0, 1.0]), x); torch.bucketize(x, torch.tensor([0.0, 1.0])); torch.diff(x);
    torch.diff(x, dim=0); torch.gradient(x); torch.trapezoid(x, dim=-1); torch.addmm(torch.ones(2, 2), x, x.t());
    torch.baddbmm(torch.ones(2, 3, 3), x, x.transpose(1, 2)); torch.det(x @ x.mT);
    torch.linalg.inv(x @ x.mT + torch.eye(x.shape[-2])); torch.linalg.matrix_norm(x); torch.count_nonzero(x);
    torch.count_nonzero(x, dim=0); torch.allclose(x, x); torch.equal(x, x); torch.zeros_like(x); torch.full_like(x, 2);
    x.new_zeros(x.shape); torch.combinations(x); torch.nan_to_num(x); F.scaled_dot_product_attention(x, x, x);
    F.scaled_dot_product_attention(x, x, x, is_causal=True);
    F.affine_grid(torch.eye(2, 3)[None], (1, 1, 2, 2)) * x.sum(); sum(x); max(x); list(x); x + torch.ones(3);
    x * torch.ones(3, 1); x + torch.zeros(0); x - x.mean(-1, keepdim=True); x / x.sum(-1, keepdim=True);
    (x - x.mean()) / x.std(); x.reshape(-1, 1); x.unflatten(-1, (-1, 1)); x.unflatten(0, (1, -1))
""")
LAYERS = entries("""
    nn.Linear(3, 2); nn.Linear(4, 2, bias=False); nn.Bilinear(3, 3, 2); nn.LayerNorm(3); nn.LayerNorm(4);
    nn.LayerNorm([3, 4]); nn.RMSNorm(3); nn.BatchNorm1d(3); nn.BatchNorm2d(3); nn.InstanceNorm1d(3);
    nn.InstanceNorm2d(3); nn.GroupNorm(1, 3); nn.GroupNorm(3, 3); nn.Conv1d(3, 2, 2); nn.Conv2d(3, 2, 2);
    nn.ConvTranspose1d(3, 2, 2); nn.ConvTranspose2d(3, 2, 2); nn.MaxPool1d(2); nn.MaxPool2d(2); nn.AvgPool1d(2);
    nn.AvgPool2d(2); nn.AdaptiveAvgPool1d(1); nn.AdaptiveAvgPool2d(1); nn.AdaptiveMaxPool2d((1, 2));
    nn.Upsample(scale_factor=2); nn.Flatten(); nn.Flatten(0); nn.Flatten(0, 1); nn.Unflatten(0, (1, -1));
    nn.Softmax(-1); nn.Softmax(dim=0); nn.LogSoftmax(dim=-1); nn.PReLU(); nn.PReLU(3); nn.ReLU(); nn.GLU();
    nn.Dropout(0.0); nn.Identity(); nn.ZeroPad2d(1); nn.ReflectionPad1d(1); nn.ReflectionPad2d(1);
    nn.ReplicationPad1d(1); nn.ConstantPad1d(1, 2.0); nn.CosineSimilarity(dim=-1); nn.RNN(3, 2);
    nn.LSTM(4, 2, batch_first=True); nn.GRU(4, 2); nn.LSTMCell(3, 2); nn.GRUCell(3, 2);
    nn.MultiheadAttention(4, 2, batch_first=True); nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
""")
TWICE = {"Bilinear", "CosineSimilarity"}


def called(layer: str) -> str:
    name = layer.removeprefix("nn.").partition("(")[0]
    if name == "MultiheadAttention":
        return "m(x, x, x)[0]"
    if name in TWICE:
        return "m(x, x + 1)"
    if name in ("RNN", "LSTM", "GRU"):
        return "m(x)[0]"
    return "m(x)[0]" if name == "LSTMCell" else "m(x)"


def cases() -> Iterator[Case]:
    from checks.scan.steady import grads

    for where, tensor in TENSORS.items():
        for what in FUNCTIONS:
            plain = [f"x = {tensor}"]
            setup = [f"w = {tensor}.requires_grad_()", "x = w * 1"]
            if "gumbel" not in what and grads(setup, what):
                # A graph begins at w, and x lies as the table says.
                setup = [f"w = {tensor}.detach().requires_grad_()", "x = w * 1"]
                yield Case(
                    "ranks", what, f"{where}, gradient", program(setup, graded(what, ["w"], "torch.sin(y).sum()"))
                )
            yield Case("ranks", what, where, program(plain, shown(what)))
        for layer in LAYERS:
            setup = [f"m = {layer}", "for p in m.parameters():", "    nn.init.constant_(p, 0.3)", ""]
            body = [
                f"x = ({tensor}).detach().clone().requires_grad_()",
                f"y = {called(layer)}",
                "torch.sin(y).sum().backward()",
            ]
            show = "show(y.detach(), x.grad, [p.grad for p in m.parameters()])"
            yield Case("ranks", layer, where, program([*setup, *body], [show]))
            yield Case(
                "ranks", layer, f"{where}, eval", program([*setup, "m.eval()", f"x = {tensor}"], shown(called(layer)))
            )
