"""`verify selftest`: does the verifier find what it says it finds, on this very cluster."""

import typer

from outbox_kit.cli.options import DEFAULT_BOOTSTRAP, Bootstrap, KafkaConfig, cluster
from outbox_kit.cli.verify import verify_app


@verify_app.command("selftest")
def selftest(bootstrap: Bootstrap = DEFAULT_BOOTSTRAP, kafka_config: KafkaConfig = None) -> None:
    """Write one instance of every anomaly to topics of its own, and show that exactly the expected checks speak.

    The topics are taken away again. Exit code 1: a check was silent, or another one spoke.
    """
    from outbox_kit.verify.selftest import run

    outcomes = run(cluster(bootstrap, kafka_config))
    width = max(len(outcome.name) for outcome in outcomes)
    for outcome in outcomes:
        rules = ", ".join(sorted(outcome.rule_ids)) or "nothing"
        expected = "" if outcome.right else f"   expected {', '.join(sorted(outcome.expected)) or 'nothing'}"
        typer.echo(f"{'ok ' if outcome.right else 'NOT'}  {outcome.name:<{width}}  {rules}{expected}")
    wrong = sum(not outcome.right for outcome in outcomes)
    typer.echo(
        f"{len(outcomes)} scenarios, {wrong} of them wrong" if wrong else f"{len(outcomes)} scenarios, all as expected"
    )
    if wrong:
        raise typer.Exit(1)
