"""safetensors: what it has not in safetensors.paddle."""

from rewriters.rule import rule, same

same(
    "safetensors.torch.load", "safetensors.torch.load_file", "safetensors.torch.save", "safetensors.torch.save_file"
)  # fmt: skip


def load_file(filename, device="cpu"):
    from safetensors.paddle import load_file as load  # whoever asks for it has it

    return load(filename, device=device)


def save_file(tensors, filename, metadata=None):
    from safetensors.paddle import save_file as save

    save(tensors, filename, metadata=metadata)


@rule("safetensors.safe_open")
def safe_open(filename, framework, device="cpu", **options):
    import safetensors

    framework = "paddle" if framework in ("pt", "torch", "pytorch") else framework
    return safetensors.safe_open(filename, framework=framework, device=device, **options)
