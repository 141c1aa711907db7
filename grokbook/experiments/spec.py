"""What one run is: a frozen spec that names every choice behind a number."""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any

from grokbook.errors import SpecError, UnknownNameError

SIZES = ("smoke", "laptop", "full")
DEVICES = ("auto", "cpu", "cuda", "mps")
RULES = 1  # raised when the same spec would give other numbers
NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,63}")


@dataclass(frozen=True, eq=False)
class RunSpec:
    """All that a result depends on; equal specs have equal keys.

    `device` says where a run is computed, not what: it is kept in the spec
    and left out of the key, so a result from one machine is found on
    another. Versions of packages are kept with the result, not in the key.

    Args:
        task: a name in `grokbook.experiments.TASKS`, or "module:function".
        dataset: the data, by a name that the task knows.
        model: the model, likewise.
        reading: the reading of the model, likewise.
        protocol: how it is split and selected, likewise.
        splits: how many splits are trained.
        seed: of the splits and the weights.
        size: "smoke" (seconds), "laptop" (a minute) or "full".
        hyperparameters: names with numbers, words, truth values, None, or
            lists of these. 1 and 1.0 are the same choice.
        device: "auto", "cpu", "cuda" or "mps".

    Raises:
        SpecError: a field has a value that no run can have.
        UnknownNameError: there is no such size or device.

    Examples:
        >>> spec = RunSpec("node", "cora", hyperparameters={"lr": 0.01})
        >>> spec.key
        'node-cora-grokformer-released-fair-laptop-ca17ab17e693'
        >>> spec == RunSpec.from_dict(spec.to_dict())
        True
        >>> spec.hyperparameters["lr"]
        0.01
    """

    task: str
    dataset: str
    model: str = "grokformer"
    reading: str = "released"
    protocol: str = "fair"
    splits: int = 10
    seed: int = 0
    size: str = "laptop"
    hyperparameters: Mapping[str, Any] = field(default_factory=dict)
    device: str = "auto"

    def __post_init__(self) -> None:
        """Refuse what is no spec, and freeze the hyperparameters."""
        for name in ("dataset", "model", "reading", "protocol"):
            _check_name(name, getattr(self, name))
        for part in str(self.task).split(":", 1):
            _check_name("task", part)
        _check_number("splits", self.splits, least=1)
        _check_number("seed", self.seed, least=0)
        _check_choice("size", self.size, SIZES)
        _check_choice("device", self.device, DEVICES)
        frozen = _frozen(self.hyperparameters)
        object.__setattr__(self, "hyperparameters", frozen)

    @cached_property
    def key(self) -> str:
        """The name of the result: readable, then 48 bits of SHA-256."""
        text = canonical({**self.to_dict(), "device": None, "rules": RULES})
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        names = (self.task, self.dataset, self.model, self.reading)
        prefix = "-".join((*names, self.protocol, self.size)).lower()
        return re.sub(r"[^a-z0-9]+", "-", prefix)[:120] + "-" + digest

    def __eq__(self, other: object) -> bool:
        """Whether two specs ask for the same numbers."""
        return isinstance(other, RunSpec) and self.key == other.key

    def __hash__(self) -> int:
        """The hash of the key."""
        return hash(self.key)

    def __reduce__(self) -> tuple:
        """Pickle and copy as a dict: a frozen table cannot be pickled."""
        return RunSpec.from_dict, (self.to_dict(),)

    def to_dict(self) -> dict[str, Any]:
        """The spec as JSON holds it."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return plain(values, "spec")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "RunSpec":
        """The spec that `to_dict` gave."""
        known = [f.name for f in fields(cls)]
        strange = [name for name in values if name not in known]
        absent = [name for name in known[:2] if name not in values]
        if strange or absent:
            raise SpecError(
                f"A spec has the fields {', '.join(known)}; "
                f"unknown: {strange}, missing: {absent}."
            )
        return cls(**values)


def plain(value: Any, where: str) -> Any:
    """The same value in JSON's own kinds, so that it comes back the same.

    Raises:
        SpecError: something that JSON cannot hold, NaN and infinity too.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and math.isfinite(value):
        return float(value)
    if isinstance(value, list | tuple):
        return [plain(v, f"{where}[{i}]") for i, v in enumerate(value)]
    if isinstance(value, Mapping) and all(isinstance(k, str) for k in value):
        return {k: plain(v, f"{where}.{k}") for k, v in value.items()}
    raise SpecError(
        f"{where} = {value!r:.60} cannot be kept as JSON. Use finite "
        "numbers, words, True, False, None, lists and dicts of these; None "
        "for a number that does not exist; .tolist() for an array."
    )


def canonical(value: Any) -> str:
    """JSON that is the same for equal values, on every machine."""
    return json.dumps(_canonical(value), sort_keys=True, separators=(",", ":"))


def _canonical(value: Any) -> Any:
    """Write a whole number as one, however it was given."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_canonical(v) for v in value]
    if isinstance(value, dict):
        return {k: _canonical(v) for k, v in value.items()}
    return value


def _frozen(values: Any) -> Mapping[str, Any]:
    """Hyperparameters that stay as they are, sorted by name."""
    if not isinstance(values, Mapping):
        raise SpecError(
            f"hyperparameters={values!r} is no table. "
            'Pass a dict, as {"lr": 0.01}.'
        )
    # 1.0 becomes 1: specs with one key must be one run.
    return _fixed(_canonical(plain(values, "hyperparameters")))


def _fixed(value: Any) -> Any:
    """The same value, which can no longer be changed."""
    if isinstance(value, dict):
        pairs = sorted(value.items())
        return MappingProxyType({k: _fixed(v) for k, v in pairs})
    return tuple(map(_fixed, value)) if isinstance(value, list) else value


def _check_name(what: str, value: object) -> None:
    """Refuse what cannot be a name, or part of a file's name."""
    if not (isinstance(value, str) and NAME.fullmatch(value)):
        raise SpecError(
            f"{what}={value!r} is no name. Use letters, digits, '_', '-' "
            "and '.', at most 64, a letter or digit first."
        )


def _check_number(what: str, value: object, least: int) -> None:
    """Refuse what is not a whole number, or is too small."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least:
        raise SpecError(
            f"{what}={value!r} is not a whole number from {least} on."
        )


def _check_choice(what: str, value: object, choices: tuple) -> None:
    """Refuse a name that is not in the list."""
    if value not in choices:
        raise UnknownNameError(
            f"{what}={value!r} is unknown. Choose from: {', '.join(choices)}."
        )
