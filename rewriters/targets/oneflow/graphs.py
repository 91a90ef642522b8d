"""Static graphs of OneFlow for this project; written by ``migrate convert --static``, to be edited freely.

``configure`` holds the options of every graph. ``train_step`` and ``inference_graph`` keep graphs and call them;
``save_graph`` writes one for deployment.
"""

import oneflow as flow
from oneflow import nn


def configure(
    graph,
    amp=False,
    grad_scaler=False,
    cudnn_conv_heuristic_search=True,
    fuse_add_to_output=True,
    fuse_model_update_ops=True,
    fuse_cast_scale=True,
    zero_stage=0,
    accumulation_steps=1,
):
    """Set a graph's options; change the defaults here, or pass others where a graph is made.

    amp:                          computes in float16 where that is safe (CUDA; on a CPU it changes nothing).
    grad_scaler:                  with amp, scales the loss so that small gradients survive float16.
    cudnn_conv_heuristic_search:  picks convolution algorithms by rule, without trying them all out (CUDA).
    fuse_add_to_output:           adds a residual within the operator before it.
    fuse_model_update_ops:        one operator for what an optimizer does to a parameter.
    fuse_cast_scale:              one operator for a cast and the scaling after it (amp).
    zero_stage:                   1, 2 or 3 shares the optimizer's state, gradients and parameters among ranks (ZeRO).
    accumulation_steps:           splits each batch into so many parts, whose gradients are added up; the loss then
                                  comes back once for each part.
    """
    graph.config.enable_cudnn_conv_heuristic_search_algo(cudnn_conv_heuristic_search)
    graph.config.allow_fuse_add_to_output(fuse_add_to_output)
    graph.config.allow_fuse_model_update_ops(fuse_model_update_ops)
    graph.config.allow_fuse_cast_scale(fuse_cast_scale)
    if amp:
        graph.config.enable_amp(True)
    if amp and grad_scaler:
        graph.set_grad_scaler(flow.amp.GradScaler(init_scale=2**16, growth_interval=2000))
    if zero_stage:
        graph.config.enable_zero(True, stage=zero_stage)
    if accumulation_steps > 1:
        graph.config.set_gradient_accumulation_steps(accumulation_steps)


class InferenceGraph(nn.Graph):
    """A model's forward as one static graph."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        configure(self)

    def build(self, *inputs, **named):
        return self.model(*inputs, **named)


class Inference:
    """Calls a model's inference graph: one for each set of shapes and each mode (train or eval), made when needed."""

    def __init__(self, model):
        self.model = model
        self.graphs = {}

    def __call__(self, *inputs, **named):
        key = (layout([inputs, named]), modes([self.model]))
        if key not in self.graphs:
            self.graphs[key] = InferenceGraph(self.model)
        return self.graphs[key](*inputs, **named)

    def __deepcopy__(self, memo):
        return Inference(None)  # a copy of the model makes its own

    def __reduce__(self):
        return Inference, (None,)


class TrainStep:
    """Calls a training graph, which takes a whole step: forward, loss, backward, update.

    A graph holds shapes, modes and, unless it has a schedule of its own, learning rates as constants. When one of them
    has changed the graph is built anew, and goes on with the state of the one before: correct always, and fast as long
    as batches keep their size (``drop_last=True``) and rates change once in an epoch or less.
    """

    def __init__(self, graph, modules, optimizer, scheduler):
        self.parts = (graph, modules, optimizer, scheduler)
        self.graph = None
        self.key = None
        self.state = None
        # From here on the optimizer's state lives in the graph.
        optimizer.step = self.no_eager_step

    def __call__(self, *inputs):
        graph, modules, optimizer, scheduler = self.parts
        rates = () if scheduler is not None else tuple(group["lr"] for group in optimizer.param_groups)
        key = (layout(inputs), modes(modules), rates)
        if key == self.key:
            return self.graph(*inputs)
        self.state = self.state_dict()
        self.graph = graph(*modules, optimizer, scheduler)
        if self.state is not None:
            self.graph.load_state_dict(self.state)
        forget_gradients(modules)  # of eager code: a graph that is being built would add to them
        with starting_from(optimizer, rates):
            outputs = self.graph(*inputs)
        forget_gradients(modules)  # nodes of the graph, not tensors
        self.key = key
        return outputs

    def state_dict(self):
        """What the graph knows beside the modules: momenta, moments, the number of the step. None before the first."""
        if self.graph is None:
            return self.state
        found = self.graph.state_dict().items()
        # Copies: the memory is the graph's, and goes with it.
        return {name: value.clone() for name, value in found if isinstance(value, flow.Tensor)}

    def load_state_dict(self, state):
        """Go on from what ``state_dict`` returned."""
        self.state, self.graph, self.key = state, None, None

    def no_eager_step(self, closure=None):
        raise RuntimeError("this optimizer's state is in a static graph (train_step): it cannot step by itself as well")


class starting_from:
    """A graph without a schedule starts from these rates, also where a scheduler has noted another initial one."""

    def __init__(self, optimizer, rates):
        self.groups = [group for group in optimizer.param_groups if rates and "initial_lr" in group]

    def __enter__(self):
        self.initial = [group["initial_lr"] for group in self.groups]
        for group in self.groups:
            group["initial_lr"] = group["lr"]

    def __exit__(self, *exception):
        for group, rate in zip(self.groups, self.initial, strict=True):
            group["initial_lr"] = rate


def inference_graph(model):
    """The inference graphs of a model, always the same ones; to be called as the model is."""
    known = model.__dict__.get("_inference_graph")
    if known is None or known.model is not model:
        object.__setattr__(model, "_inference_graph", Inference(model))
    return model.__dict__["_inference_graph"]


def train_step(graph, modules, optimizer, scheduler=None, max_norm=None, norm_type=2.0):
    """What calls the training graph of an optimizer, always the same one.

    graph:     the class of the graph, made from modules, optimizer and scheduler.
    modules:   what it calls: the model, the loss.
    max_norm:  clips the norm of all gradients to this.
    """
    for group in optimizer.param_groups if max_norm is not None else ():
        group["clip_grad_max_norm"], group["clip_grad_norm_type"] = float(max_norm), float(norm_type)
        group._enable_clip_grad = True  # as OneFlow does for a group that was made with these two
    known = getattr(optimizer, "_train_step", None)
    parts = (graph, tuple(modules), optimizer, scheduler)
    if known is None or [id(part) for part in flat(known.parts)] != [id(part) for part in flat(parts)]:
        before = known.state_dict() if known is not None else getattr(optimizer, "_train_state", None)
        optimizer._train_step = known = TrainStep(*parts)
        known.load_state_dict(before)
    return known


def forget_gradients(modules):
    for module in modules:
        if isinstance(module, nn.Module):
            for parameter in module.parameters():
                parameter.grad = None


def flat(parts):
    graph, modules, *others = parts
    return [graph, *modules, *others]


def training_state(optimizer):
    """``optimizer.state_dict()``, or where a graph trains for it the graph's state, for a checkpoint."""
    known = getattr(optimizer, "_train_step", None)
    if known is None:
        return optimizer.state_dict()
    return {**optimizer.state_dict(), "graph": known.state_dict()}


def load_training_state(optimizer, state):
    """The way back of ``training_state``."""
    if "graph" not in state:
        raise ValueError(
            "this checkpoint holds the state of an eager optimizer, which a static graph does not take over; "
            "start with a fresh optimizer, or train on with the eager code"
        )
    optimizer.load_state_dict(state)  # the rates
    optimizer._train_state = state["graph"]
    if hasattr(optimizer, "_train_step"):
        optimizer._train_step.load_state_dict(state["graph"])


def save_graph(model, folder, *inputs):
    """Save a model's inference graph for these inputs: ``folder`` holds model.mlir and the weights, as OneFlow's
    serving reads them. The model's mode (train or eval) becomes the graph's.
    """
    graph = InferenceGraph(model)
    outputs = graph(*inputs)
    flow.save(graph, folder)
    return outputs


def layout(value):
    """Shapes, dtypes and structure of inputs."""
    if isinstance(value, flow.Tensor):
        return tuple(value.shape), str(value.dtype), str(value.device)
    if isinstance(value, dict):
        return tuple((name, layout(item)) for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(layout, value))
    if value is None:
        return None
    raise TypeError(f"a static graph takes tensors, and lists, tuples and dicts of them, not a {type(value).__name__}")


def modes(modules):
    """What else is constant in a graph: train or eval of each module, and which parameters are trained."""
    modules = [module for module in modules if isinstance(module, nn.Module)]
    parts = [part.training for module in modules for part in module.modules()]
    return tuple(parts), tuple(parameter.requires_grad for module in modules for parameter in module.parameters())
