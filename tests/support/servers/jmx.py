"""The JMX exporter."""

from pathlib import Path

from outbox_kit.stack import store
from outbox_kit.stack.manifest import Artifact

AGENT = Artifact(
    group="io.prometheus.jmx",
    name="jmx_prometheus_javaagent",
    version="1.0.1",
    size=2886599,
    sha256="7d61f737fd661610ccc14aea79764faa1ea94a340cbc8f0029b3d2edea3d80c1",
    plugin=False,
)


def agent() -> Path:
    """The JAR of its Java agent."""
    (jar,) = store.fetched([AGENT])
    return jar
