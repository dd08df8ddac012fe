#!/bin/bash
set -euo pipefail
HERE="$(cd "$(dirname "$0")" && pwd)"
source "$HERE/../lib/bench.sh"

bench up --override "$HERE/compose.pg.yml"

say "outbox table"
bench exec pg psql -U tester -d lab << EOF
create table outbox (
    id varchar(40) primary key,
    aggregatetype varchar(200),
    aggregateid varchar(200),
    type varchar(200),
    payload varchar(3000)
);
EOF

say "source with the event router, nothing but its defaults"
bench connector put outbox-smt << EOF
{
     "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
     "tasks.max": "1",
     "database.hostname": "pg",
     "database.port": "5432",
     "database.user": "tester",
     "database.password": "tester",
     "database.dbname": "lab",
     "plugin.name": "pgoutput",
     "topic.prefix": "smtlab",
     "table.include.list": "public.outbox",
     "key.converter": "org.apache.kafka.connect.storage.StringConverter",
     "value.converter": "org.apache.kafka.connect.storage.StringConverter",

     "transforms": "outbox",
     "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
}
EOF
sleep 5

bench exec pg psql -U tester -d lab << EOF
insert into outbox values ('7e0a', 'supplier', '12', 'SupplierAdded', '{"name":"PAYLOAD_MARK"}');
EOF

say "the router takes aggregatetype for the topic"
bench consume outbox.event.supplier --max 1 --timeout 60 | tee /tmp/outbox-smt.txt
grep -q PAYLOAD_MARK /tmp/outbox-smt.txt && say "ok"
