"""The process boundary: what ends the command line before a command runs."""

import sys
from importlib.abc import MetaPathFinder

import pytest

from outbox_kit.__main__ import main


class Failing(MetaPathFinder):
    """The command line cannot be imported."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def find_spec(self, name: str, *_: object) -> None:
        if name == "outbox_kit.cli":
            raise self.error


def about(file: str) -> Exception:
    """An error that occurred while that file was read."""
    error = RuntimeError("x")
    error.add_note(file)
    return error


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (RuntimeError("x"), 70, "internal error: RuntimeError: x\n  fix "),
        (about("a.kt"), 70, "internal error: RuntimeError: x\n  at    a.kt\n  fix "),
    ],
)
def test_what_ends_it_while_it_loads_is_one_message(
    error: BaseException,
    code: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delitem(sys.modules, "outbox_kit.cli", raising=False)  # it returns after the test
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr(sys, "meta_path", [Failing(error), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    message = capsys.readouterr().err
    assert message.startswith(text) and "Traceback" not in message
