"""OneFlow."""

from rewriters.target import Environment, Road, Target

TARGET = Target(
    name="oneflow",
    title="OneFlow",
    package="oneflow",
    keeps_alias=True,
    view_gradients=False,
    errors={"RuntimeError": {"oneflow._oneflow_internal.exception.Exception": ("backward", "autograd")}},
    environment=Environment(
        python="3.10",
        requirements=(
            "oneflow==0.9.0",
            "numpy<2",
            "nvidia-cudnn-cu11==8.5.0.96",
            "nvidia-cublas-cu11==11.10.3.66",
            "flowvision==0.2.1",
        ),
        build=("setuptools<81",),  # flowvision is built with pkg_resources
        module="oneflow",
        libraries=("nvidia/cudnn/lib", "nvidia/cublas/lib"),
    ),
    modules={
        "torch": "oneflow",
        "torch.nn": "oneflow.nn",
        "torch.nn.functional": "oneflow.nn.functional",
        "torch.nn.init": "oneflow.nn.init",
        "torch.nn.utils": "oneflow.nn.utils",
        "torch.nn.utils.rnn": "oneflow.nn.utils.rnn",
        "torch.optim": "oneflow.optim",
        "torch.optim.lr_scheduler": "oneflow.optim.lr_scheduler",
        "torch.utils.data": "oneflow.utils.data",
        "torch.utils.tensorboard": "tensorboardX",
        "torch.autograd": "oneflow.autograd",
        "torch.cuda": "oneflow.cuda",
        "torchvision": "flowvision",
        "torchvision.datasets": "flowvision.datasets",
        "torchvision.models": "flowvision.models",
        "torchvision.transforms": "flowvision.transforms",
        "torchvision.transforms.functional": "flowvision.transforms.functional",
        "torchvision.utils": "flowvision.utils",
    },
    cast="tensor.to(like.dtype)",
    companions={"einops.layers.torch": "einops.layers.oneflow", "safetensors.torch": ""},
    roads={
        "native": Road(
            unrun="OneFlow 0.9 runs a saved graph in its serving, not in Python",
            mend="export with --format project, which Python runs as a graph; migrate check SOURCE CONVERTED --static "
            "compares the saved one, loaded back",
        ),
        "project": Road(saves="project"),
        "onnx": Road(
            refusal="no road is built: its converter, oneflow-onnx 0.6.2, wants a numpy before 1.24 and writes opset "
            "10, which has no Range",
            mend="export the torch model, which has the same weights: migrate export SOURCE --to torch --format onnx",
        ),
    },
    requirements={"torch": "oneflow==0.9.0", "torchvision": "flowvision==0.2.1", "tensorboard": "tensorboardX"},
)
