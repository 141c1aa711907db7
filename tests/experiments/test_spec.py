"""Specs: frozen, the same key everywhere, and nothing that is no spec."""

import copy
import json
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grokbook import RunSpec
from grokbook.errors import SpecError, UnknownNameError

CORA = RunSpec(
    task="node",
    dataset="cora",
    model="grokformer",
    reading="released",
    protocol="published",
    splits=10,
    seed=0,
    size="full",
    hyperparameters={"lr": 0.01, "K": 2, "widths": [7, 0.5], "note": "é"},
)
KEY = "node-cora-grokformer-released-published-full-11a08528c7fa"

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)
values = st.recursive(scalars, lambda v: st.lists(v, max_size=3), max_leaves=5)


def test_key_is_pinned() -> None:
    # Stored results are found by it: a change here orphans them all.
    assert CORA.key == KEY


def elsewhere(*fields: dict) -> list[str]:
    """The keys, or the errors, that another process finds for specs."""
    code = """
import json, sys
from grokbook import RunSpec
for line in sys.stdin:
    try:
        print(RunSpec.from_dict(json.loads(line)).key)
    except ValueError as error:
        print(type(error).__name__, error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\n".join(map(json.dumps, fields)),
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return done.stdout.splitlines()


def test_key_is_the_same_in_another_process() -> None:
    assert elsewhere(CORA.to_dict()) == [KEY]


def test_the_wrong_kind_of_value_is_refused_by_name() -> None:
    # Elsewhere, because here the checker of types would be first to speak.
    wrong = ({"model": 3}, {"splits": 2.0}, {"hyperparameters": [1]})
    said = elsewhere(*({**CORA.to_dict(), **fields} for fields in wrong))
    assert said[0].startswith("SpecError model=3 is no name")
    assert said[1].startswith("SpecError splits=2.0 is not a whole number")
    assert said[2].startswith("SpecError hyperparameters=[1] is no table")


@given(st.dictionaries(st.text(max_size=5), values, max_size=4))
def test_specs_come_back_from_json(hyperparameters: dict[str, Any]) -> None:
    spec = RunSpec("node", "cora", hyperparameters=hyperparameters)
    back = RunSpec.from_dict(json.loads(json.dumps(spec.to_dict())))
    assert back == spec
    assert back.to_dict() == spec.to_dict()
    assert hash(back) == hash(spec)


@pytest.mark.parametrize(
    "change",
    [
        {"task": "graph"},
        {"dataset": "texas"},
        {"model": "mlp"},
        {"reading": "paper"},
        {"protocol": "fair"},
        {"splits": 9},
        {"seed": 1},
        {"size": "smoke"},
        {"hyperparameters": {"lr": 0.02}},
    ],
    ids=str,
)
def test_whatever_changes_the_numbers_changes_the_key(change: dict) -> None:
    other = replace(CORA, **change)
    assert other.key != CORA.key
    assert other != CORA


def test_where_it_is_computed_does_not_change_the_key() -> None:
    there = replace(CORA, device="cuda")
    assert there == CORA
    assert there.key == CORA.key
    assert there.to_dict()["device"] == "cuda"


def test_order_and_kind_of_number_do_not_change_the_key() -> None:
    a = RunSpec("t", "d", hyperparameters={"a": 1, "b": np.float64(0.0)})
    b = RunSpec("t", "d", hyperparameters={"b": 0, "a": np.int64(1)})
    assert a == b
    assert {a, b} == {a}
    assert a != RunSpec("t", "d", hyperparameters={"a": True, "b": 0})


def test_specs_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        CORA.seed = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        CORA.hyperparameters["lr"] = 1  # type: ignore[index]
    mine = {"widths": [1, 2]}
    spec = RunSpec("t", "d", hyperparameters=mine)
    mine["widths"].append(3)
    assert spec.hyperparameters["widths"] == (1, 2)
    assert dict(**spec.hyperparameters) == {"widths": (1, 2)}


def test_specs_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(CORA)) == CORA
    assert copy.deepcopy(CORA) == CORA


def test_key_is_a_safe_file_name() -> None:
    long = "x" * 64
    spec = RunSpec(f"{long}:{long}", long, long, long, long)
    assert len(spec.key) < 140
    assert RunSpec("a.b:c", "D_1").key.startswith("a-b-c-d-1-grokformer-")


@pytest.mark.parametrize(
    ("fields", "error", "says"),
    [
        ({"dataset": "../cora"}, SpecError, "dataset='../cora' is no name"),
        ({"dataset": ""}, SpecError, "dataset='' is no name"),
        ({"task": "a:b:c"}, SpecError, "task='b:c' is no name"),
        ({"task": "a:"}, SpecError, "task='' is no name"),
        ({"splits": 0}, SpecError, "splits=0 is not a whole number from 1"),
        ({"seed": -1}, SpecError, "seed=-1 is not a whole number from 0"),
        ({"seed": True}, SpecError, "seed=True is not a whole number"),
        ({"size": "huge"}, UnknownNameError, "smoke, laptop, full"),
        ({"device": "tpu"}, UnknownNameError, "auto, cpu, cuda, mps"),
        (
            {"hyperparameters": {"lr": float("nan")}},
            SpecError,
            "hyperparameters.lr = nan cannot be kept",
        ),
        (
            {"hyperparameters": {"a": [1, {2}]}},
            SpecError,
            r"hyperparameters.a\[1\] = \{2\} cannot be kept",
        ),
        ({"epochs": 5}, SpecError, r"unknown: \['epochs'\]"),
    ],
    ids=str,
)
def test_what_is_no_spec_is_refused(
    fields: dict, error: type, says: str
) -> None:
    with pytest.raises(error, match=says):
        RunSpec.from_dict({**CORA.to_dict(), **fields})


def test_missing_fields_are_named() -> None:
    with pytest.raises(SpecError, match=r"missing: \['dataset'\]"):
        RunSpec.from_dict({"task": "node"})
