"""`verify selftest`: does the verifier find what it says it finds, on this very cluster."""

import typer

from outbox_kit.cli.options import (
    DEFAULT_BOOTSTRAP,
    Bootstrap,
    Format,
    KafkaConfig,
    OutputFormat,
    Timeout,
    cluster,
    limited,
)
from outbox_kit.cli.output import show_json
from outbox_kit.cli.verify import verify_app


@verify_app.command("selftest")
def selftest(
    ctx: typer.Context,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    timeout: Timeout = 300.0,
    output: OutputFormat = Format.text,
) -> None:
    """Test the checks on this cluster with one instance of every anomaly.

    Temporary topics are created and deleted. Exit code 1: a check did not find its anomaly, or another check did.
    """
    from outbox_kit.verify.selftest import run

    limited(ctx, timeout)
    outcomes = run(cluster(bootstrap, kafka_config))
    wrong = sum(not outcome.right for outcome in outcomes)
    if output is Format.json:
        scenarios = [
            {
                "name": outcome.name,
                "right": outcome.right,
                "checks": sorted(outcome.rule_ids),
                "expected": sorted(outcome.expected),
            }
            for outcome in outcomes
        ]
        show_json({"schema": "outbox-kit/selftest/v1", "scenarios": scenarios})
        raise typer.Exit(1 if wrong else 0)
    width = max(len(outcome.name) for outcome in outcomes)
    for outcome in outcomes:
        rules = ", ".join(sorted(outcome.rule_ids)) or "nothing"
        expected = "" if outcome.right else f"   expected {', '.join(sorted(outcome.expected)) or 'nothing'}"
        typer.echo(f"{'ok ' if outcome.right else 'NOT'}  {outcome.name:<{width}}  {rules}{expected}")
    typer.echo(
        f"{len(outcomes)} scenarios, {wrong} of them wrong" if wrong else f"{len(outcomes)} scenarios, all as expected"
    )
    if wrong:
        raise typer.Exit(1)
