"""The command line: `grokbook doctor | bench | run | sweep | status`."""

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
    from grokbook.bench import measure, store, table

    rows = measure()
    print(table(rows))
    if out is not None:
        store(rows, out)


def main() -> None:
    """Run the command that was typed."""
    if sys.argv[1:] == ["doctor"]:
        return doctor()  # must speak even where a package is missing
    import tyro

    from grokbook.errors import GrokbookError
    from grokbook.experiments.commands import run, status, sweep

    commands = {"doctor": doctor, "bench": bench}
    commands |= {"run": run, "sweep": sweep, "status": status}
    try:
        tyro.extras.subcommand_cli_from_dict(commands)
    except GrokbookError as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
