"""Properties as outbox-kit writes and reads them, and as Java does."""

import io
from typing import Any

import jpype
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outbox_kit.properties import line, properties
from tests.support import jvm

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)


@pytest.fixture(scope="module")
def java() -> Any:
    jvm.start()
    return jpype.JPackage("java")


@given(st.dictionaries(TEXT.filter(bool), TEXT, max_size=5))
@settings(max_examples=300, deadline=None)
def test_java_reads_what_is_written(java: Any, entries: dict[str, str]) -> None:
    text = "".join(f"{line(name, value)}\n" for name, value in entries.items())
    loaded = java.util.Properties()
    loaded.load(java.io.ByteArrayInputStream(io.BytesIO(text.encode("ascii")).getvalue()))
    assert {str(name): str(loaded.getProperty(name)) for name in loaded.stringPropertyNames()} == entries
    assert {entry.name: entry.value for entry in properties(text)} == entries
