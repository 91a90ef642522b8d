"""torchvision.datasets: those that Paddle has too. Its archives are used where they lie under root, else downloaded."""

import os

import paddle

from rewriters.rule import family, rule


def archive(root, *names):
    path = os.path.join(root, *names)
    return path if os.path.exists(path) else None


@family("MNIST FashionMNIST")
@rule("torchvision.datasets.MNIST")
class MNIST(paddle.vision.datasets.MNIST):
    """Labels are numbers, as torchvision's."""

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        kind = "train" if train else "t10k"
        images = archive(root, type(self).__name__, "raw", f"{kind}-images-idx3-ubyte.gz")
        labels = archive(root, type(self).__name__, "raw", f"{kind}-labels-idx1-ubyte.gz")
        super().__init__(images, labels, mode="train" if train else "test", transform=transform)
        self.target_transform = target_transform

    def __getitem__(self, index):
        image, label = super().__getitem__(index)
        label = int(label)
        return image, label if self.target_transform is None else self.target_transform(label)


@family("10 100")
@rule("torchvision.datasets.CIFAR10")
class CIFAR10(paddle.vision.datasets.Cifar10):
    """Labels are numbers, as torchvision's."""

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        file = archive(root, "cifar-10-python.tar.gz")
        super().__init__(file, mode="train" if train else "test", transform=transform, backend="pil")
        self.target_transform = target_transform

    def __getitem__(self, index):
        image, label = super().__getitem__(index)
        label = int(label)
        return image, label if self.target_transform is None else self.target_transform(label)


@rule("torchvision.datasets.ImageFolder")
def ImageFolder(root, transform=None, target_transform=None, loader=None, is_valid_file=None):
    if target_transform is not None:
        raise NotImplementedError("Paddle's DatasetFolder has no target_transform; change the labels in the loop")
    # Paddle's own ImageFolder has no labels
    return paddle.vision.datasets.DatasetFolder(root, loader=loader, transform=transform, is_valid_file=is_valid_file)


@rule("torchvision.datasets.DatasetFolder")
def DatasetFolder(root, loader=None, extensions=None, transform=None, target_transform=None, is_valid_file=None):
    if target_transform is not None:
        raise NotImplementedError("Paddle's DatasetFolder has no target_transform; change the labels in the loop")
    return paddle.vision.datasets.DatasetFolder(
        root, loader=loader, extensions=extensions, transform=transform, is_valid_file=is_valid_file
    )


@rule("torchvision.datasets.FakeData")
class FakeData(paddle.io.Dataset):
    """Random images of random classes."""

    def __init__(
        self,
        size=1000,
        image_size=(3, 224, 224),
        num_classes=10,
        transform=None,
        target_transform=None,
        random_offset=0,
    ):
        self.size, self.image_size, self.num_classes = size, image_size, num_classes
        self.transform, self.target_transform, self.random_offset = transform, target_transform, random_offset

    def __getitem__(self, index):
        import numpy
        from PIL import Image

        chance = numpy.random.default_rng(index + self.random_offset)
        pixels = chance.integers(0, 256, self.image_size, dtype="uint8")
        image = Image.fromarray(pixels.transpose(1, 2, 0))
        label = int(chance.integers(self.num_classes))
        image = image if self.transform is None else self.transform(image)
        return image, label if self.target_transform is None else self.target_transform(label)

    def __len__(self):
        return self.size
