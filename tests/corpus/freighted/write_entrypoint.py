"""Part of the image build: leaves an entry point that makes the configuration of Debezium Server at each start."""
import os

script = r"""#!/bin/bash
set -e
mkdir -p /debezium/config /debezium/data

cat > /debezium/config/application.properties << PROPS
# SQL Server
debezium.source.connector.class=io.debezium.connector.sqlserver.SqlServerConnector
debezium.source.database.hostname=crewpay-sql.example.org
debezium.source.database.port=1433
debezium.source.database.user=crewpay_cdc
debezium.source.database.password=${CREWPAY_SQL_PASSWORD}
debezium.source.database.names=crewpay-db
debezium.source.database.encrypt=true
debezium.source.database.trustServerCertificate=false
debezium.source.table.include.list=crewpay-db.dbo.CrewMembers
debezium.source.topic.prefix=crewpay
debezium.source.snapshot.mode=initial
debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory
debezium.source.schema.history.internal.file.filename=/debezium/data/ddl.dat
debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
debezium.source.offset.storage.file.filename=/debezium/data/crewpay.dat
debezium.source.offset.flush.interval.ms=45000
# Event Hubs
debezium.sink.type=eventhubs
debezium.sink.eventhubs.connectionstring=${CREWPAY_HUBS}
debezium.sink.eventhubs.hubname=crew-salary-changes
debezium.format.value=json
debezium.format.key=json
PROPS

exec /debezium/run.sh
"""

with open("/entry.sh", "w") as out:
    out.write(script)
os.chmod("/entry.sh", 0o755)
