"""`python -m tests.bench.relay_table_mysql`: a relay that deletes rows of MySQL, against the loop that tutorials show.

The loop is that of `relay_table`. Both publish such rows to the same brokers; the loop publishes fewer of them, because
it is slow. Also printed: what the relay asks the server at rest.
"""

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

from outbox_kit.databases import servers
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import relays
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.render import ddl
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.bench.pipeline import stack
from tests.support.servers import SERVERS
from tests.support.servers.mysql import MySql
from tests.support.waiting import create_topics

NAME = "bench"
FILE = """
service: bench
database: {{dialect: {dialect}, port: {port}}}
routing: {{topic: "{{service}}.{{aggregate}}"}}
delivery: {{by: relay}}
events:
  - {{type: OrderPlaced, aggregate: Order}}
"""
FILL = """
insert into {} (id, aggregatetype, aggregateid, type, payload{})
with recursive digit as (select 0 as d union all select d + 1 from digit where d < 99)
select insert(insert(insert(insert(left(sha2(uuid(), 256), 32), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-'),
    'Order', cast(b.d as char), 'OrderPlaced', json_object('n', a.d, 'note', repeat('x', 100)){}
from digit as a, digit as b, digit as c where a.d * 10000 + b.d * 100 + c.d < {}
"""
TUTORIAL = """
create table tutorial (sequence bigint auto_increment primary key, id char(36), aggregatetype varchar(255),
    aggregateid varchar(255), type varchar(255), payload longtext, status varchar(10) not null, key (status, sequence))
"""
CLAIM = "select sequence, aggregateid, payload from tutorial where status = 'pending' order by sequence limit 50 \
for update skip locked"


def one_by_one(server: MySql, bootstrap: str) -> int:
    """Publish all rows of the tutorial's table; how many."""
    producer, events = Producer({"bootstrap.servers": bootstrap, "enable.idempotence": True, "linger.ms": 0}), 0
    with server.connection("boss", NAME) as connection:
        while rows := connection.execute(CLAIM).fetchall():
            for sequence, key, payload in rows:
                producer.produce("bench.tutorial", payload, key)
                producer.flush()
                connection.execute("update tutorial set status = 'sent' where sequence = %s", (sequence,))
                events += 1
            connection.commit()
    return events


def statements(server: MySql) -> int:
    """How many the server was sent."""
    return int(server.ask("show global status like 'Questions'")[0][1])


def at_rest(server: MySql, relay: Any, ended: list[bool], seconds: float) -> float:
    """Statements a second of a relay that has nothing to publish."""
    thread = threading.Thread(target=relay.run)
    thread.start()
    time.sleep(5)
    before = statements(server)
    time.sleep(seconds)
    asked = statements(server) - before - 1
    ended.append(True)
    thread.join()
    return asked / seconds


def measured(server: MySql, bootstrap: str, outbox: Outbox, rows: int, slow_rows: int) -> None:
    """Print the comparison."""
    dsn, ended = os.environ["OUTBOX_KIT_DSN"], list[bool]()
    server.ask(TUTORIAL, database=NAME)
    server.ask(FILL.format("outbox", "", "", rows), database=NAME)
    server.ask(FILL.format("tutorial", ", status", ", 'pending'", slow_rows), database=NAME)
    create_topics(AdminClient({"bootstrap.servers": bootstrap}), "bench.tutorial", "bench.Order", partitions=6)
    began = time.perf_counter()
    slow = one_by_one(server, bootstrap) / (time.perf_counter() - began)
    progress, cluster = RelayProgress(), Cluster(bootstrap)
    began = time.perf_counter()
    relays.of(outbox, dsn, cluster, progress, lambda _: None, lambda: False).run(once=True)
    fast = progress.published / (time.perf_counter() - began)
    idle = relays.of(outbox, dsn, cluster, RelayProgress(), lambda _: None, lambda: bool(ended))
    print(
        f"{server.dialect}: {fast:,.0f}/s against {slow:,.0f}/s: {fast / slow:.1f} times, start and end included; "
        f"at rest {at_rest(server, idle, ended, 20):.1f} statements a second"
    )


def main() -> None:
    """Print the comparison of one server."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--dialect", choices=["mysql", "mariadb"], default="mysql")
    arguments.add_argument("--rows", type=int, default=50_000)
    arguments.add_argument("--slow-rows", type=int, default=2000)
    chosen = arguments.parse_args()
    with stack() as endpoints, SERVERS[chosen.dialect]() as server, tempfile.TemporaryDirectory() as folder:
        assert isinstance(server, MySql)
        server.create(NAME)
        os.environ.update(server.environment(NAME))
        file = Path(folder) / "outbox.yaml"
        file.write_text(FILE.format(dialect=server.dialect, port=server.port))
        outbox = read(file).outboxes[0]
        servers.get(chosen.dialect).apply(os.environ["OUTBOX_KIT_DSN"], outbox, ddl.body(outbox))
        measured(server, endpoints.bootstrap, outbox, chosen.rows, chosen.slow_rows)


if __name__ == "__main__":
    main()
