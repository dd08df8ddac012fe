"""`verify explain`: what a check looks for, and where to look when it speaks."""

from typing import Annotated

import typer

from outbox_kit.cli.verify import verify_app
from outbox_kit.errors import UnknownName


@verify_app.command("explain")
def explain(
    check: Annotated[
        str | None, typer.Argument(help="The check's id, such as KEY-04; all of them if left out.")
    ] = None,
) -> None:
    """Say what a check looks for, how much it weighs, and the usual cause."""
    from outbox_kit.compat.words import CHECKS as COMPARED
    from outbox_kit.schema.nearest import nearest
    from outbox_kit.verify.catalogue import CHECKS

    known = {name: (one.severity.value, one.title, one.hint) for name, one in CHECKS.items()}
    known |= {name: ("of verify diff", title, hint) for name, (title, hint) in COMPARED.items()}
    if check is None:
        typer.echo("\n".join(f"{name}  {severity:<14} {title}" for name, (severity, title, _) in known.items()))
        return
    name = check.upper()
    if name not in known:
        raise UnknownName(f"no check '{check}'{nearest(name, list(known))}", fix="list them with: verify explain")
    severity, title, hint = known[name]
    typer.echo(f"{name} ({severity})\n  {title}\n  usually   {hint}")
