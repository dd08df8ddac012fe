"""JSON documents that are taken back only as they were written, with all the files that belong to them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

CHECKSUM, FILES = "checksum", "files"


def sealed(document: Mapping[str, Any], folder: Path, parts: Iterable[str]) -> str:
    """A document as text, with a checksum and the sizes of its files. parts: folders of such files in a folder."""
    complete = {**document, FILES: _sizes(folder, parts)}
    return json.dumps({**complete, CHECKSUM: _checksum(complete)})


def opened(path: Path, schema: str, folder: Path) -> dict[str, Any]:
    """A document that was sealed under this schema. folder: where its files are.

    Raises OSError, and ValueError where it is another document, was changed, or files of it are missing.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError("the document is nested too deeply") from None
    if not isinstance(document, dict) or document.get("schema") != schema:
        raise ValueError(f"expected the schema {schema}")
    if document.pop(CHECKSUM, None) != _checksum(document):
        raise ValueError("the checksum differs: the document was damaged or changed")
    for name, size in document.pop(FILES).items():
        file = folder / name
        if not file.is_file() or file.stat().st_size != size:
            raise ValueError(f"file '{name}' is missing or incomplete")
    return document


def _sizes(folder: Path, parts: Iterable[str]) -> dict[str, int]:
    files = (file for part in parts for file in sorted((folder / part).rglob("*")) if file.is_file())
    return {str(file.relative_to(folder)): file.stat().st_size for file in files}


def _checksum(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
