#!/usr/bin/env bash

source scripts/env.sh

BODY=$(cat << EOC
{
          "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
           "tasks.max": "1",
           "database.hostname": "$QUARRY_SQL_HOST",
           "database.port": "1433",
           "database.user": "sa",
           "database.password": "$QUARRY_SQL_PASSWORD",
           "database.server.name": "quarry1",
           "database.dbname" : "quarryDB",
           "database.history.kafka.bootstrap.servers": "$BROKERS",
           "database.history.consumer.security.protocol": "SASL_SSL",
           "database.history.consumer.ssl.endpoint.identification.algorithm": "https",
           "database.history.consumer.sasl.mechanism": "PLAIN",
           "database.history.consumer.sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$CC_KEY\" password=\"$CC_SECRET\";",
           "database.history.producer.security.protocol": "SASL_SSL",
           "database.history.producer.ssl.endpoint.identification.algorithm": "https",
           "database.history.producer.sasl.mechanism": "PLAIN",
           "database.history.producer.sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"$CC_KEY\" password=\"$CC_SECRET\";",
           "database.history.kafka.topic": "schema-changes.quarry",
           "transforms": "InsertField,unwrap",
           "transforms.InsertField.type": "org.apache.kafka.connect.transforms.InsertField\$Value",
           "transforms.InsertField.static.field": "Origin",
           "transforms.InsertField.static.value": "quarry connect",
           "transforms.ExtractField.type":"org.apache.kafka.connect.transforms.ExtractField\$Key",
           "transforms.ExtractField.field":"id",
           "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
           "transforms.unwrap.add.fields": "op",
           "transforms.unwrap.delete.handling.mode": "rewrite",
           "transforms.unwrap.drop.tombstones": "false",
           "key.converter": "io.confluent.connect.avro.AvroConverter",
           "key.converter.schema.registry.url": "https://psrc-x0000.eu-west-1.aws.confluent.cloud",
           "key.converter.basic.auth.credentials.source": "USER_INFO",
           "key.converter.schema.registry.basic.auth.user.info": "$SR_LOGIN",
           "value.converter": "io.confluent.connect.avro.AvroConverter",
           "value.converter.schema.registry.url": "https://psrc-x0000.eu-west-1.aws.confluent.cloud",
           "value.converter.basic.auth.credentials.source": "USER_INFO",
           "value.converter.schema.registry.basic.auth.user.info": "$SR_LOGIN"
     }
EOC
)

curl -X PUT \
     -H "Content-Type: application/json" \
     --data "$BODY" \
     http://localhost:18083/connectors/quarry-source/config | jq .
