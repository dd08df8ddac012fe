"""`outbox-kit lsp` as an editor has it: a process, spoken to over its pipes by pygls's client."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from outbox_kit.findings.documentation import rule_url
from outbox_kit.lint.rule import RULES
from tests.support.cli import invoke
from tests.support.waiting import PATIENT_SECONDS
from tests.unit.lint.cases import Case


class Editor:
    """A session with a server of its own, which keeps the diagnostics of each text."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.complaints: list[str] = []

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def show(params: types.ShowMessageParams) -> None:
            self.complaints.append(params.message)

    async def __aenter__(self) -> "Editor":
        await self.client.start_io(sys.executable, "-m", "outbox_kit", "lsp")
        asked = types.InitializeParams(capabilities=types.ClientCapabilities())
        answer = await self.client.initialize_async(asked)
        self.capabilities = answer.capabilities
        self.client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        assert await asyncio.wait_for(server.wait(), PATIENT_SECONDS) == 0
        await self.client.stop()

    def open(self, path: Path, text: str) -> str:
        item = types.TextDocumentItem(path.as_uri(), "json", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return path.as_uri()

    def change(self, uri: str, version: int, text: str) -> None:
        document = types.VersionedTextDocumentIdentifier(version, uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def diagnostics(self) -> types.PublishDiagnosticsParams:
        return await asyncio.wait_for(self.published.get(), PATIENT_SECONDS)

    async def actions(self, uri: str, range: types.Range, *only: types.CodeActionKind) -> list[types.CodeAction]:
        context = types.CodeActionContext([], list(only) or None)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), range, context)
        answer: Any = await self.client.text_document_code_action_async(params)
        return list(answer or [])

    async def hover(self, uri: str, line: int, column: int) -> str:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, column))
        answer: Any = await self.client.text_document_hover_async(params)
        return answer.contents.value if answer else ""


def session(steps: Callable[[Editor], Awaitable[None]]) -> None:
    async def run() -> None:
        async with Editor() as editor:
            await steps(editor)
            assert editor.complaints == []

    asyncio.run(run())


def applied(text: str, edit: types.TextEdit) -> str:
    """A text after an edit, as an editor makes it; the texts of these tests have no character beyond UTF-16's first."""
    lines = text.split("\n")
    start, end = edit.range.start, edit.range.end
    head = "\n".join([*lines[: start.line], lines[start.line][: start.character]])
    tail = "\n".join([lines[end.line][end.character :], *lines[end.line + 1 :]])
    return head + edit.new_text + tail


def edited(text: str, action: types.CodeAction) -> str:
    """A text after an action with a single edit."""
    assert action.edit is not None and action.edit.changes is not None
    ((edit,),) = action.edit.changes.values()
    return applied(text, edit)


@pytest.fixture
def text() -> str:
    """A config with an error, a warning and an info."""
    change = {"errors.tolerance": "all", "slot.name": "debezium", "tasks.max": "4"}
    return json.dumps({"name": "shop", "config": Case(change).config()}, indent=2) + "\n"


def test_a_session_of_an_editor(tmp_path: Path, text: str) -> None:
    async def steps(editor: Editor) -> None:
        assert editor.capabilities.hover_provider
        uri = editor.open(tmp_path / "shop.json", text)
        first = await editor.diagnostics()
        by_rule = {diagnostic.code: diagnostic for diagnostic in first.diagnostics}
        tolerance = by_rule["errors-tolerance-all"]
        number = next(n for n, line in enumerate(text.split("\n")) if "errors.tolerance" in line)
        assert (tolerance.range.start.line, tolerance.range.start.character) == (number, 4)
        assert tolerance.range.end.character == 4 + len('"errors.tolerance"')
        assert tolerance.severity == types.DiagnosticSeverity.Error and tolerance.source == "outbox-kit"
        assert by_rule["tasks-max-ignored"].severity == types.DiagnosticSeverity.Information
        assert tolerance.code_description is not None
        assert tolerance.code_description.href == rule_url(RULES.get("errors-tolerance-all"))
        assert "fix: set errors.tolerance=none" in tolerance.message

        (unsafe,) = await editor.actions(uri, tolerance.range, types.CodeActionKind.QuickFix)
        assert unsafe.title == "Set errors.tolerance=none (changes the behaviour)" and not unsafe.is_preferred
        assert edited(text, unsafe) == text.replace('"errors.tolerance": "all"', '"errors.tolerance": "none"')
        (safe,) = await editor.actions(uri, by_rule["tasks-max-ignored"].range, types.CodeActionKind.QuickFix)
        assert safe.title == "Set tasks.max=1" and safe.is_preferred
        (whole,) = await editor.actions(uri, tolerance.range, types.CodeActionKind.SourceFixAll)
        everything = edited(text, whole)
        assert everything == edited(text, safe) == text.replace('"tasks.max": "4"', '"tasks.max": "1"')
        assert len(await editor.actions(uri, tolerance.range)) == 2

        assert "errors.tolerance" in await editor.hover(uri, number, 8)
        assert await editor.hover(uri, 0, 0) == ""

        for version in range(2, 12):  # typed quickly: texts in between are not examined
            editor.change(uri, version, '{"config": {"connector.class"' if version < 11 else everything)
        published = [await editor.diagnostics()]
        while published[-1].version != 11:
            published.append(await editor.diagnostics())
        assert len(published) < 10
        second = published[-1]
        assert {diagnostic.code for diagnostic in second.diagnostics} == {"errors-tolerance-all", "default-slot-name"}

        editor.change(uri, 12, '{"config": {"connector.class": ')
        broken = (await editor.diagnostics()).diagnostics
        assert len(broken) == 1 and broken[0].code is None and "invalid JSON" in broken[0].message
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        assert not (await editor.diagnostics()).diagnostics

    session(steps)


def test_the_settings_file_of_the_folder_holds_and_one_that_is_wrong_is_told(tmp_path: Path, text: str) -> None:
    settings = tmp_path / ".outbox-kit.toml"

    async def steps(editor: Editor) -> None:
        settings.write_text('select = ["errors-tolerance-all"]\n[severity]\ndelivery = "info"\n')
        uri = editor.open(tmp_path / "shop.json", text)
        (only,) = (await editor.diagnostics()).diagnostics
        assert only.severity == types.DiagnosticSeverity.Information
        settings.write_text("selct = []\n")
        editor.change(uri, 2, text)
        (wrong,) = (await editor.diagnostics()).diagnostics
        assert "did you mean 'select'?" in wrong.message and ".outbox-kit.toml:1" in wrong.message

    session(steps)


def test_a_text_that_is_no_config_gives_no_diagnostics(tmp_path: Path, text: str) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(tmp_path / "package.json", '{"name": "x"')
        assert not (await editor.diagnostics()).diagnostics
        client = editor.client
        item = types.TextDocumentItem("untitled:Untitled-1", "json", 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        assert (await editor.diagnostics()).diagnostics

    session(steps)


def test_columns_are_counted_as_the_editor_counts_them(tmp_path: Path, text: str) -> None:
    single_line = f'{{"name": "\U0001f600", "config": {json.dumps(json.loads(text)["config"])}}}'

    async def steps(editor: Editor) -> None:
        editor.open(tmp_path / "shop.json", single_line)
        ranges = {each.code: each.range for each in (await editor.diagnostics()).diagnostics}
        found = ranges["errors-tolerance-all"]
        units = single_line.encode("utf-16-le")
        assert units[2 * found.start.character : 2 * found.end.character].decode("utf-16-le") == '"errors.tolerance"'

    session(steps)


def test_a_missing_library_is_told_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "outbox_kit.editor.server", raising=False)
    monkeypatch.setitem(sys.modules, "pygls", None)
    refused = invoke("lsp", code=2)
    assert "the library of the language server is not installed" in refused.stderr
    assert "pip install 'outbox-kit[lsp]'" in refused.stderr
