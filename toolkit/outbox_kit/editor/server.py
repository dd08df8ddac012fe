"""The language server: pygls speaks the protocol, `editor.examination` says what is to be shown."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from outbox_kit import __version__
from outbox_kit.editor.examination import Correction, EditorReport, Remark, examined, explained
from outbox_kit.editor.places import Span
from outbox_kit.findings.rule import Severity

PAUSE_SECONDS = 0.25
"""How long nothing must be typed before a text is examined."""
SOURCE = "outbox-kit"
SEVERITIES = {
    Severity.error: types.DiagnosticSeverity.Error,
    Severity.inconclusive: types.DiagnosticSeverity.Warning,
    Severity.warning: types.DiagnosticSeverity.Warning,
    Severity.info: types.DiagnosticSeverity.Information,
}
ACTIONS = types.CodeActionOptions(
    code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll], resolve_provider=False
)


class CheckServer(LanguageServer):
    """A session with an editor: the texts that are open there, and what was last said of each."""

    def __init__(self, env: str | None = None) -> None:
        """env: the environment of schema files."""
        super().__init__(SOURCE, __version__)
        self.env = env
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._examinations: dict[str, tuple[str, EditorReport]] = {}

    def examine(self, uri: str, pause_seconds: float = 0.0) -> None:
        """Examine an open text after a pause, and tell the editor; what was planned for it before is left out."""
        self.forget(uri)
        self._tasks[uri] = asyncio.create_task(self._examine(uri, pause_seconds))

    def forget(self, uri: str) -> None:
        """Leave out what was planned for a text."""
        if task := self._tasks.pop(uri, None):
            task.cancel()

    async def _examine(self, uri: str, pause_seconds: float) -> None:
        await asyncio.sleep(pause_seconds)
        document = self.workspace.text_documents.get(uri)
        if document is None:
            return
        text = document.source
        examination = await asyncio.to_thread(examined, text, path_of(document), self.env)
        self._examinations[uri] = text, examination
        remarks = [self._diagnostic(remark, document) for remark in examination.remarks]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, remarks, document.version))

    def close(self, uri: str) -> None:
        """Take back what was said of a text."""
        self.forget(uri)
        self._examinations.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The corrections of what stands in a range of a text."""
        document = self.workspace.text_documents.get(params.text_document.uri)
        if document is None:
            return []
        text, examination = self._examinations.get(document.uri, ("", EditorReport()))
        if text != document.source:  # it was changed since
            examination = examined(document.source, path_of(document), self.env)
        first, last = params.range.start.line, params.range.end.line
        near = [
            (correction, types.CodeActionKind.QuickFix)
            for correction in examination.corrections
            if any(first <= remark.span.line <= last for remark in correction.remarks)
        ]
        whole = [
            (correction, types.CodeActionKind.SourceFixAll) for correction in [examination.everything] if correction
        ]
        kinds = params.context.only
        return [
            self._action(correction, kind, document)
            for correction, kind in [*near, *whole]
            if kinds is None or _is_asked(kind, kinds)
        ]

    def _action(self, correction: Correction, kind: types.CodeActionKind, document: TextDocument) -> types.CodeAction:
        ending = "\r\n" if "\r\n" in document.source else "\n"
        edit = types.TextEdit(self._range(correction.span, document), correction.text.replace("\n", ending))
        return types.CodeAction(
            correction.title,
            kind=kind,
            diagnostics=[self._diagnostic(remark, document) for remark in correction.remarks],
            is_preferred=correction.safe and kind == types.CodeActionKind.QuickFix,
            edit=types.WorkspaceEdit(changes={document.uri: [edit]}),
        )

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """What is known of the option at a position."""
        document = self.workspace.text_documents.get(params.text_document.uri)
        if document is None:
            return None
        position = self.workspace.position_codec.position_from_client_units(document.lines, params.position)
        explanation = explained(document.source, path_of(document), position.line, position.character, self.env)
        if explanation is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{explanation.text}```")
        return types.Hover(content, self._range(explanation.span, document))

    def _diagnostic(self, remark: Remark, document: TextDocument) -> types.Diagnostic:
        return types.Diagnostic(
            self._range(remark.span, document),
            remark.text,
            severity=SEVERITIES[remark.severity],
            code=remark.rule or None,
            code_description=types.CodeDescription(remark.url) if remark.url else None,
            source=SOURCE,
        )

    def _range(self, span: Span, document: TextDocument) -> types.Range:
        """A span as the editor counts characters."""
        plain = types.Range(types.Position(span.line, span.column), types.Position(span.end_line, span.end_column))
        return self.workspace.position_codec.range_to_client_units(document.lines, plain)


def path_of(document: TextDocument) -> Path:
    """The file of a text; one in the working folder for a text that has none yet."""
    path = uris.to_fs_path(document.uri) if document.uri.startswith("file:") else None
    return Path(path or "untitled")


def _is_asked(kind: types.CodeActionKind, kinds: Sequence[types.CodeActionKind | str]) -> bool:
    """Whether an editor asks for a kind of actions, or for a kind that it belongs to."""
    name = str(kind.value)
    asked_names = [str(getattr(each, "value", each)) for each in kinds]
    return any(name == each or name.startswith(f"{each}.") or not each for each in asked_names)


def server(env: str | None = None) -> CheckServer:
    """A server with all that it answers. env: the environment of schema files."""
    session = CheckServer(env)

    @session.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        session.examine(params.text_document.uri)

    @session.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        session.examine(params.text_document.uri, PAUSE_SECONDS)

    @session.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        session.close(params.text_document.uri)

    @session.feature(types.TEXT_DOCUMENT_CODE_ACTION, ACTIONS)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return session.actions(params)

    @session.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return session.hover(params)

    return session
