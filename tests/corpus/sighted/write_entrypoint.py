"""Build step of the relay image: writes the entry point (the base image has no editor and no templating)."""
import os

ENTRYPOINT = r"""#!/bin/bash
set -e

echo "--- writing the configuration ---"
mkdir -p /debezium/conf /debezium/data

cat > /debezium/conf/application.properties << PROPS
# source: Azure SQL
debezium.source.connector.class=io.debezium.connector.sqlserver.SqlServerConnector
debezium.source.database.hostname=staff-sql.db.example.org
debezium.source.database.port=1433
debezium.source.database.user=relay
debezium.source.database.password=${SQL_PASSWORD}
debezium.source.database.names=staff-db
debezium.source.database.encrypt=true
debezium.source.database.trustServerCertificate=false
debezium.source.table.include.list=staff-db.dbo.Salaries
debezium.source.topic.prefix=hr
debezium.source.snapshot.mode=initial
debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory
debezium.source.schema.history.internal.file.filename=/debezium/data/history.dat
debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
debezium.source.offset.storage.file.filename=/debezium/data/position.dat
debezium.source.offset.flush.interval.ms=45000
# sink: the hub, over AMQP
debezium.sink.type=eventhubs
debezium.sink.eventhubs.connectionstring=${HUB_CONNECTION}
debezium.sink.eventhubs.hubname=salary-changes
debezium.format.key=json
debezium.format.value=json
PROPS

echo "--- starting the server ---"
exec /debezium/run.sh
"""

with open("/relay-entrypoint.sh", "w") as out:
    out.write(ENTRYPOINT)
os.chmod("/relay-entrypoint.sh", 0o755)
print("entry point written")
