"""What becomes of calls that are interrupted again and again."""

import gc
import signal
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

PERIOD_SECONDS = 0.002


def interrupted(call: Callable[[], object], rounds: int) -> Counter[str]:
    """How a call ends while SIGINT comes every few milliseconds: `complete`, or by the name of what it raises.

    A round is interrupted once. Nothing is collected meanwhile: what a callback of the collector raises is lost.
    """
    ends, is_armed, is_over = Counter[str](), False, threading.Event()

    def interrupt(*_: Any) -> None:
        nonlocal is_armed
        if is_armed:
            is_armed = False
            raise KeyboardInterrupt

    def send() -> None:
        while not is_over.wait(PERIOD_SECONDS):
            signal.raise_signal(signal.SIGINT)

    before, sender = signal.signal(signal.SIGINT, interrupt), threading.Thread(target=send)
    gc.disable()
    try:
        sender.start()
        for _ in range(rounds):
            try:
                is_armed = True
                call()
                is_armed = False
                ends["complete"] += 1
            except BaseException as end:
                ends[type(end).__name__] += 1
    finally:
        is_over.set()
        sender.join()
        signal.signal(signal.SIGINT, before)
        gc.enable()
    return ends
