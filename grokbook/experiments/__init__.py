"""Experiments are data: a spec, its run, the store, and sweeps of many."""

from grokbook.experiments.run import TASKS, run
from grokbook.experiments.spec import RunSpec
from grokbook.experiments.sweep import Sweep

__all__ = ["TASKS", "RunSpec", "Sweep", "run"]
