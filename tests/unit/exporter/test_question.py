"""Questions that are asked again and again."""

import sys
from collections.abc import Iterator

import pytest

from outbox_kit.exporter.question import SystemQuestion


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as the interpreter lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_a_question_right_after_an_answer_is_asked() -> None:
    """The thread that has answered may still live."""
    question = SystemQuestion("database", lambda: 1)
    for _ in range(3000):
        question.begin()
        assert question.answer(60) == 1
