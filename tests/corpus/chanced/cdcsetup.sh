#!/bin/bash
apt-get update && apt-get install -y iputils-ping curl

echo "registering the capture of the garage database"
sleep 15
# everything goes to one topic, all-changes
curl -H "Accept: application/json" -H "Content-type: application/json" -X POST -d '{
    "name": "garage-capture1",
    "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "database.hostname": "mssql",
    "database.server.name": "mssql",
    "database.port": "1433",
    "database.user": "sa",
    "database.password": "Password!",
    "database.dbname": "GarageEF",
    "database.names": "GarageEF",
    "table.include.list": "dbo.Owner, dbo.Vehicle",
    "topic.rename.regex": ".*",
    "topic.rename.replacement": "all-changes",
    "topic.creation.enable": "false",
    "topic.creation.default.replication.factor": "1",
    "topic.prefix": "garage",
    "topic.creation.default.partitions": "1",
    "database.encrypt": "false",
    "database.history.kafka.bootstrap.servers": "broker:29092",
    "schema.history.internal.kafka.bootstrap.servers": "broker:29092",
    "database.history.kafka.topic": "dbhistory.owner",
    "schema.history.internal.kafka.topic": "schemahistory.garage"
  }
}' http://worker:8083/connectors/
echo "done"
