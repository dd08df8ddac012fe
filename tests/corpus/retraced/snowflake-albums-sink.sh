#!/usr/bin/env bash

# trouble with quoted identifiers: topic names seem to have to be upper case, perhaps by an extra transform
# the oracle dialect did not help here

curl -i -X PUT -H "Accept:application/json" \
    -H  "Content-Type:application/json" http://localhost:8083/connectors/mlarsen-albums-snowflake-sink6/config \
    -d '
 {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "topics": "archived_albums,albums",
        "tasks.max": "1",
        "connection.url":"jdbc:snowflake://xxx.us-east-2.aws.snowflakecomputing.com:443/?db=music_db&warehouse=trial_warehouse&schema=stream_schema&role=STREAM_LOADER_ROLE_1",
        "connection.user": "loader_user",
        "connection.password": "yyy",
        "batch.max.rows": 1000,
        "poll.interval.ms": 300000,
        "insert.mode": "upsert",
        "delete.enabled": "true",
        "pk.mode": "record_key",
        "pk.fields": "none",
        "auto.create": "false",
        "auto.evolve": "false",
        "quote.sql.identifiers": "always",
        "table.name.format": "${topic}",
        "transforms": "unwrap,StampOffset",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.drop.tombstones": "true",
        "transforms.unwrap.delete.handling.mode": "rewrite",
        "transforms.StampOffset.type": "org.apache.kafka.connect.transforms.InsertField$Value",
        "transforms.StampOffset.offset.field": "_pos",
        "key.converter": "io.confluent.connect.avro.AvroConverter",
        "key.converter.schema.registry.url": "http://registry:8081",
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url": "http://registry:8081"
    }
'
## second try, no added columns - works, but very slowly
curl -i -X PUT -H "Accept:application/json" \
    -H  "Content-Type:application/json" http://localhost:8083/connectors/mlarsen-albums-snowflake-sink1/config \
    -d '
 {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "topics": "archived_albums",
        "tasks.max": "1",
        "dialect.name": "OracleDatabaseDialect",
        "connection.url":"jdbc:snowflake://aaa.us-east-2.aws.snowflakecomputing.com:443/?db=music_db&warehouse=stream_warehouse&schema=stream_schema&role=STREAM_LOADER_ROLE_1",
        "connection.user": "loader_user",
        "connection.password": "zzz",
        "batch.max.rows": 1000,
        "poll.interval.ms": 300000,
        "insert.mode": "upsert",
        "delete.enabled": "true",
        "pk.mode": "record_key",
        "pk.fields": "album_id",
        "auto.create": "false",
        "auto.evolve": "false",
        "quote.sql.identifiers": "always",
        "table.name.format": "${topic}",
        "transforms": "unwrap,upperTopic",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.drop.tombstones": "true",
        "transforms.unwrap.delete.handling.mode": "rewrite",
        "transforms.upperTopic.type": "com.github.jcustenborder.kafka.connect.transform.common.ChangeTopicCase",
        "transforms.upperTopic.from": "LOWER_UNDERSCORE",
        "transforms.upperTopic.to"  : "UPPER_UNDERSCORE",
        "key.converter": "io.confluent.connect.avro.AvroConverter",
        "key.converter.schema.registry.url": "http://registry:8081",
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url": "http://registry:8081"
    }
'
