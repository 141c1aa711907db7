"""The command line: `grokbook doctor | data | run | ledger | cost | …`."""

import os
import sys
from pathlib import Path


def doctor() -> None:
    """Tell whether this machine is ready for the book, and what to do."""
    from grokbook.doctor import examine

    findings = examine()
    for finding in findings:
        print(finding)
    missing = sum(finding.needed and not finding.good for finding in findings)
    if missing:
        print(f"\n{missing} thing(s) to mend before the book runs.")
        sys.exit(1)
    print("\nReady. Start with `make lab`, or read with `make book`.")


def bench(out: Path | None = None, long: bool = False) -> None:
    """Measure, interleaved, the ratios that the chapters speak of.

    Args:
        out: also store the table in this JSON file.
        long: also train ten splits of Cora to their stop, twice.
    """
    from grokbook import bench

    rows, machine = bench.measure(), bench.limits()
    notes = [str(bench.large_epoch())]
    if not any("Chameleon" in row.question for row in rows):
        notes.append("Chameleon is not at hand, so its row is left out.")
    if long:
        row, note = bench.stopping()
        rows.append(row)
        notes.append(note)
    print(bench.table(rows, machine), *notes, sep="\n")
    if out is not None:
        bench.store(rows, out, machine, notes)


def cost(
    graphs: tuple[str, ...] = ("cora", "cornell5"),
    device: str = "auto",
    rounds: int = 5,
    splits: tuple[int, ...] = (),
    time: bool = True,
    memory: bool = True,
    variants: bool = False,
    folder: Path | None = None,
) -> None:
    """Run Table 6's experiment on a device, and store its column.

    Args:
        graphs: a small one with all eigenvectors, a large one with 6,000.
        device: "auto", "cpu" or "cuda".
        rounds: epochs measured of each model, in turn.
        splits: trained together; by default one, then as many as the
            paper has for the graph.
        time: measure seconds.
        memory: measure memory, each model in a process of its own.
        variants: also try bf16 and torch.compile, on Cora.
        folder: where to store; by default data/results/cost.
    """
    from grokbook.bench.table6 import run

    for line in run(
        graphs, device, rounds, time, memory, variants, splits, folder
    ):
        print(line, flush=True)


def scaling(out: Path | None = None, largest: int = 10**7) -> None:
    """Measure how time and memory of an epoch grow with the edges.

    Args:
        out: also store the measurements in this JSON file.
        largest: leave out graphs of more edges; 10,000,000 take 3 GB.
    """
    from grokbook.bench import scaling

    done = []
    for epoch in scaling.measure_scaling(largest):
        print(epoch, flush=True)
        done.append(epoch)
        if out is not None:  # each at once: the last take minutes
            scaling.store_scaling(done, out)
    if largest > 10**4:
        for what, b, verdict in scaling.judged(done):
            print(f"{what}: exponent {b:.2f}, {verdict}")


def ledger(table: int | None = None, page: Path | None = None) -> None:
    """Print every number of the paper beside ours, with a verdict.

    Args:
        table: only this table of the paper.
        page: write the tables of this page of the book anew.
    """
    from grokbook.costs import read_costs
    from grokbook.ledger import judge
    from grokbook.ledger_files import TABLES, read_cells, read_runs
    from grokbook.ledger_page import store, text

    if table not in (None, *TABLES):
        sys.exit(f"The ledger has the Tables {', '.join(map(str, TABLES))}.")
    runs = read_runs()
    rows = judge(read_cells(), runs, costs=read_costs())
    if page is not None:
        return store(rows, runs, page)
    print(text([row for row in rows if table in (None, row.cell.table)]))


def data_list() -> None:
    """List every data set: its task, whether it is at hand, its source."""
    from grokbook.datasets.commands import listing

    for line in listing():
        print(line)


def data_get(
    names: tuple[str, ...], /, *, accept_unverified: bool = False
) -> None:
    """Fetch data sets into the cache, verified.

    Args:
        names: of the sets, as `grokbook data list` shows them.
        accept_unverified: take files whose SHA-256 nobody published.
    """
    from grokbook.datasets.commands import get
    from grokbook.errors import GrokbookError

    try:
        for line in get(names, accept_unverified):
            print(line, flush=True)
    except GrokbookError as error:
        sys.exit(str(error))


def data_check(
    names: tuple[str, ...] = (), /, *, accept_unverified: bool = False
) -> None:
    """Count what is in the data sets, beside the paper's Tables 7 and 8.

    Args:
        names: of the sets; by default all.
        accept_unverified: also count files whose SHA-256 nobody published.
    """
    from grokbook.datasets.commands import check
    from grokbook.errors import GrokbookError

    wrong = 0
    try:
        for line, is_wrong in check(names, accept_unverified):
            print(line, flush=True)
            wrong += is_wrong
    except GrokbookError as error:
        sys.exit(str(error))
    if wrong:
        sys.exit(f"\n{wrong} thing(s) missing or wrong.")


def data_measure(names: tuple[str, ...] = (), /) -> None:
    """Measure classes, splits and twins, and store them for the chapters.

    Args:
        names: of the sets; by default all that are at hand.
    """
    from grokbook.experiments.measure import update

    for line in update(names):
        print(line, flush=True)


def main() -> None:
    """Run the command that was typed."""
    if sys.argv[1:] == ["doctor"]:
        return doctor()  # must speak even where a package is missing
    from tyro.extras import SubcommandApp

    from grokbook.errors import GrokbookError
    from grokbook.experiments.commands import run, status, sweep

    data = SubcommandApp()
    data.command(data_list, name="list")
    data.command(data_get, name="get")
    data.command(data_check, name="check")
    data.command(data_measure, name="measure")
    app = SubcommandApp()
    commands = (doctor, bench, cost, scaling, run, sweep, status, ledger)
    for command in commands:
        app.command(command)
    app.command(
        data, name="data", help="Data sets: list, get, check, measure."
    )
    try:
        app.cli()
    except GrokbookError as error:
        sys.exit(f"{type(error).__name__}: {error}")
    except BrokenPipeError:  # as in `grokbook status FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
