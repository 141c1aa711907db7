"""Where PyTorch computes: a device by name, or a sentence why not."""

import torch

from grokbook.errors import DeviceError


def find_device(name: str) -> torch.device:
    """The device of a name; "auto" is CUDA if there is one, else the CPU.

    Apple's has no float64, which the eigenvalues need; it is taken only
    when it is asked for by name.

    Raises:
        DeviceError: this machine has no such device.

    Examples:
        >>> find_device("cpu")
        device(type='cpu')
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    there = {
        "cuda": torch.cuda.is_available,
        "mps": torch.backends.mps.is_available,
    }
    kind = name.partition(":")[0]
    if kind in there and not there[kind]():
        raise DeviceError(
            f"PyTorch finds no {kind} device on this machine. Pass cpu or "
            "auto, or install a PyTorch built for it (`grokbook doctor`)."
        )
    if kind not in (*there, "cpu", "meta"):
        raise DeviceError(
            f"There is no device {name!r}. Choose from: auto, cpu, cuda, mps."
        )
    return torch.device(name)
