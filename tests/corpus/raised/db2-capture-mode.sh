#!/bin/bash
# Db2 LUW 11.5.  Asked in the forum: "The rows of POLICYDB.PREMIUM from the snapshot are in the topic, changes never come.
# POLICYDB.POLICY works."   select SOURCE_TABLE, STATE from ASNCDC.IBMSNAP_REGISTER  ->  1 row: POLICY, A
set -euo pipefail

cat > /tmp/asn.sql <<'SQL'
CONNECT TO POLDB USER db2inst1 USING passw0rd;
VALUES ASNCDC.ASNCDCSERVICES('start','asncdc');
CALL ASNCDC.ADDTABLE('POLICYDB', 'POLICY');
VALUES ASNCDC.ASNCDCSERVICES('reinit','asncdc');
SQL
docker cp /tmp/asn.sql db2:/tmp/asn.sql
docker exec db2 su - db2inst1 -c 'db2 -tvf /tmp/asn.sql'

cat > /tmp/policy.properties.json <<'JSON'
{
  "connector.class": "io.debezium.connector.db2.Db2Connector",
  "database.hostname": "db2",
  "database.port": "50000",
  "database.user": "db2inst1",
  "database.password": "passw0rd",
  "database.dbname": "POLDB",
  "topic.prefix": "pol",
  "table.include.list": "POLICYDB.POLICY,POLICYDB.PREMIUM",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "pol.history",
  "snapshot.mode": "initial",
  "poll.interval.ms": "1000"
}
JSON
curl -fsS -X PUT -H 'Content-Type: application/json' -d @/tmp/policy.properties.json \
  http://localhost:8083/connectors/policy/config | jq .name
