"""`lsp`: check in an editor."""

from outbox_kit.cli import app
from outbox_kit.cli.options import Env
from outbox_kit.errors import UsageProblem


@app.command("lsp")
def lsp(env: Env = None) -> None:
    """Check files while they are written: a language server, which an editor starts and speaks to on stdin and stdout.

    It needs an extra: pip install 'outbox-kit[lsp]'.
    """
    try:
        from outbox_kit.editor.server import server
    except ModuleNotFoundError as cause:
        raise UsageProblem(
            "the library of the language server is not installed", why=str(cause), fix="pip install 'outbox-kit[lsp]'"
        ) from cause
    server(env).start_io()
