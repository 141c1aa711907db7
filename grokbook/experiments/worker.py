"""A process of a local sweep: a spec comes in, its record goes out.

It ends when its sweep ends or is killed, because its input ends with it.
"""

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue

from grokbook.experiments.run import compute


def main() -> None:
    """Compute each spec that is asked for; answer with one line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the sweep's
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a task prints must not look like an answer
    orders: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        print(json.dumps(compute(json.loads(orders.get()))), file=answers)


def _listen(orders: "SimpleQueue[str]") -> None:
    """Read specs; at the end of input, end at once, even in mid-run."""
    for line in sys.stdin:
        orders.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
