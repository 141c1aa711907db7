"""The store: whole files or none, verified, one owner at a time."""

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from toy import Log

from grokbook import RunSpec, run
from grokbook.errors import DamagedRecordError, GraphNotice, StoreError
from grokbook.experiments.store import (
    checksum,
    claim,
    load,
    path_of,
    read,
    records,
    save,
)

SPEC = RunSpec("toy:toy", "none", splits=2, hyperparameters={"x": 1})
OTHER = RunSpec("toy:toy", "none", splits=3)


def resealed(path: Path, **changes: object) -> str:
    """A record with other content and a checksum that fits."""
    record = json.loads(path.read_text()) | changes
    return json.dumps(record | {"checksum": checksum(record)})


DAMAGE = {
    "truncated": lambda path: path.read_text()[:-200],
    "empty": lambda path: "",
    "not JSON": lambda path: "results!",
    "a list": lambda path: "[]",
    "another's format": lambda path: '{"accuracy": 0.9}',
    "no text": lambda path: "\udcff\udcfe",
    "NaN": lambda path: path.read_text().replace("1.1", "NaN"),
    "a number changed by hand": lambda path: path.read_text().replace(
        "1.1", "1.2"
    ),
    "another spec": lambda path: resealed(path, spec=OTHER.to_dict()),
    "no spec": lambda path: resealed(path, spec={"lr": 1}),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_named_kept_aside_and_computed_anew(
    how: str, folder: Path, log: Log
) -> None:
    good = run(SPEC, folder)
    path = path_of(SPEC, folder)
    damaged = DAMAGE[how](path).encode(errors="surrogateescape")
    path.write_bytes(damaged)
    with pytest.raises(DamagedRecordError, match=path.name):
        load(SPEC, folder)
    assert records(folder) == {SPEC.key: None}
    with pytest.warns(GraphNotice, match=f"{path.name} was damaged"):
        again = run(SPEC, folder)
    assert again["result"] == good["result"]
    assert log.count("start") == {SPEC.key: 2}
    (aside,) = folder.glob("*.damaged-*")
    assert aside.read_bytes() == damaged
    assert read(path) == again


def test_floats_come_back_as_they_were(folder: Path) -> None:
    record = run(SPEC, folder)
    exact = [0.1 + 0.2, 1e-320, 1.7976931348623157e308, -0.0, 2.0**-1074]
    record["result"]["scores"] = exact
    save(record, folder)
    found = load(SPEC, folder)["result"]["scores"]
    assert list(map(repr, found)) == list(map(repr, exact))


def test_a_full_disk_leaves_the_old_record_and_no_half(folder: Path) -> None:
    record = run(SPEC, folder)
    before = path_of(SPEC, folder).read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(StoreError, match=r"could not be stored .*large"):
            save(record, folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path_of(SPEC, folder).read_bytes() == before
    assert [p.suffix for p in folder.iterdir() if p.is_file()] == [".json"]


def test_nothing_is_computed_for_a_folder_that_cannot_be_written(
    folder: Path, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(SPEC, folder)

    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    # Permissions do not stop root, who may run these tests: the system's
    # answer is given by hand.
    monkeypatch.setattr(os, "open", refuse)
    assert run(SPEC, folder) == done  # reading needs no right to write
    with pytest.raises(StoreError, match=r"folder runs \(Read-only"):
        run(OTHER, folder)
    assert log.count("start") == {SPEC.key: 1}


def test_a_file_in_the_place_of_the_folder_is_refused(folder: Path) -> None:
    folder.write_text("in the way")
    with pytest.raises(StoreError, match="Not a directory"):
        run(SPEC, folder)
    with pytest.raises(StoreError, match="Nothing can be written"):
        claim(SPEC, folder, wait=False)
    assert folder.read_text() == "in the way"


def test_a_claim_has_one_owner_and_ends_when_closed(folder: Path) -> None:
    mine = claim(SPEC, folder, wait=False)
    assert claim(SPEC, folder, wait=False) is None
    other = claim(OTHER, folder, wait=False)
    mine.close()
    again = claim(SPEC, folder, wait=False)
    assert again is not None
    again.close()
    other.close()


def test_a_claim_ends_when_its_owner_is_killed(folder: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; "
        "from grokbook import RunSpec; "
        "from grokbook.experiments.store import claim; "
        f"kept = claim(RunSpec.from_dict({SPEC.to_dict()!r}), "
        "Path(sys.argv[1]), wait=False); print('held', flush=True); "
        "time.sleep(60)"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    assert owner.stdout.readline() == "held\n"
    assert claim(SPEC, folder, wait=False) is None
    owner.kill()
    owner.communicate()
    mine = claim(SPEC, folder, wait=False)
    assert mine is not None
    mine.close()
