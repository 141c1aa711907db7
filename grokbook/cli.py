"""The command line: `grokbook doctor | bench | ledger`."""

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


def bench(out: Path | None = None) -> None:
    """Measure, interleaved, the ratios that the chapters speak of.

    Args:
        out: also store the table in this JSON file.
    """
    from grokbook import bench

    rows, machine = bench.measure(), bench.limits()
    print(bench.table(rows, machine))
    if out is not None:
        bench.store(rows, out, machine)


def ledger(table: int | None = None, page: Path | None = None) -> None:
    """Print every number of the paper beside ours, with a verdict.

    Args:
        table: only this table of the paper.
        page: write the tables of this page of the book anew.
    """
    from grokbook.ledger import judge
    from grokbook.ledger_files import TABLES, read_cells, read_runs
    from grokbook.ledger_page import store, text

    if table not in (None, *TABLES):
        sys.exit(f"The ledger has the Tables {', '.join(map(str, TABLES))}.")
    runs = read_runs()
    rows = judge(read_cells(), runs)
    if page is not None:
        return store(rows, runs, page)
    print(text([row for row in rows if table in (None, row.cell.table)]))


def main() -> None:
    """Run the command that was typed."""
    if sys.argv[1:] == ["doctor"]:
        return doctor()  # must speak even where a package is missing
    import tyro

    tyro.extras.subcommand_cli_from_dict(
        {"doctor": doctor, "bench": bench, "ledger": ledger}
    )


if __name__ == "__main__":
    main()
