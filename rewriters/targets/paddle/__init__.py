"""PaddlePaddle."""

from rewriters.target import Converter, Environment, Road, Target

TO_ONNX = Converter(
    name="paddle2onnx",
    environment=Environment(
        python="3.11",
        requirements=("paddle2onnx==2.1.0", "paddlepaddle==3.3.1", "numpy", "setuptools", "packaging"),
        module="paddle2onnx",
    ),
    script="to_onnx.py",
)

TARGET = Target(
    name="paddle",
    title="PaddlePaddle",
    package="paddle",
    environment=Environment(
        python="3.11",
        requirements=("paddlepaddle==3.3.1", "numpy", "setuptools"),
        bounds=("numpy<2.4",),  # from which on Paddle's own float(x) of shape [1] raises
        module="paddle",
    ),
    modules={
        "torch": "paddle",
        "torch.nn": "paddle.nn",
        "torch.nn.functional": "paddle.nn.functional",
        "torch.nn.init": "paddle.nn.init",
        "torch.nn.utils": "paddle.nn.utils",
        "torch.optim": "paddle.optimizer",
        "torch.optim.lr_scheduler": "paddle.optimizer.lr",
        "torch.utils.data": "paddle.io",
        "torch.utils.tensorboard": "tensorboardX",
        "torch.autograd": "paddle.autograd",
        "torch.cuda": "paddle.device.cuda",
        "torch.distributed": "paddle.distributed",
        "torch.distributions": "paddle.distribution",
        "torch.fft": "paddle.fft",
        "torch.linalg": "paddle.linalg",
        "torch.sparse": "paddle.sparse",
        "torchvision": "paddle.vision",
        "torchvision.datasets": "paddle.vision.datasets",
        "torchvision.models": "paddle.vision.models",
        "torchvision.ops": "paddle.vision.ops",
        "torchvision.transforms": "paddle.vision.transforms",
        "torchvision.transforms.functional": "paddle.vision.transforms",
    },
    view_gradients=False,
    errors={
        "RuntimeError": {
            "ValueError": (),
            "IndexError": ("gather", "scatter", "scatter_", "index_select", "take_along_dim"),
            "SystemError": ("backward",),
            "MemoryError": ("memory", "memory.", "memory:"),
            "AssertionError": ("bool",),
        },
        "IndexError": {"ValueError": ("dim", "squeeze", "unsqueeze", "flatten", "Embedding", "embedding")},
    },
    cast="tensor.astype(like.dtype)",
    companions={"einops.layers.torch": "einops.layers.paddle", "safetensors.torch": "safetensors.paddle"},
    requirements={"torch": "paddlepaddle>=3.3", "tensorboard": "tensorboardX"},
    roads={"native": Road(), "onnx": Road(through=TO_ONNX)},
)
