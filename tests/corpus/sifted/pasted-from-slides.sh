#!/bin/bash

# the source of the demo
curl -i -X POST -H “Accept:application/json” \
  -H  “Content-Type:application/json” http://localhost:8083/connectors/ \
  -d ‘{
    “name”: “ora-guests-source”,
    “config”: {
        “connector.class”: “io.confluent.connect.oracle.cdc.OracleCdcSourceConnector”,
        “tasks.max”:1,
        “key.converter”: “io.confluent.connect.avro.AvroConverter”,
        “key.converter.schema.registry.url”: “http://registry:8081”,
        “value.converter”: “io.confluent.connect.avro.AvroConverter”,
        “value.converter.schema.registry.url”: “http://registry:8081”,
        “confluent.license”: “”,
        “confluent.topic.bootstrap.servers”: “kafka:29092",
        “confluent.topic.replication.factor”: “1",
        “oracle.server”: “ora”,
        “oracle.port”: 1521,
        “oracle.sid”: “ORCLCDB”,
        “oracle.pdb.name”: “HOTELPDB”,
        “oracle.username”: “C##GUESTS”,
        “oracle.password”: “mypassword”,
        “start.from”:“snapshot”,
        “redo.log.topic.name”: “guests-redo”,
        “redo.log.consumer.bootstrap.servers”:“kafka:29092”,
        “table.inclusion.regex”: “HOTELPDB[.].*[.]GUEST”,
        “table.topic.name.template”: “${databaseName}.${schemaName}.${tableName}“,
        “connection.pool.max.size”: 15,
        “confluent.topic.replication.factor”: 1,
        “redo.log.row.fetch.size”: 1
      }
  }’
