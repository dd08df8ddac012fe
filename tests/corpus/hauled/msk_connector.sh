#!/bin/bash
# Part of the toolkit: makes an MSK Connect connector from the settings of the command line.

makeConnector() {
    cat << EOF > $TK_TMP/create.json
{
    "capacity": {"provisionedCapacity": {"mcuCount": $TK_MCU, "workerCount": $TK_WORKERS}},
    "connectorConfiguration": $(connectorConfig),
    "kafkaCluster": $TK_CLUSTER_JSON,
    "kafkaClusterClientAuthentication": {"authenticationType": "$TK_AUTH"},
    "kafkaClusterEncryptionInTransit": {"encryptionType": "$TK_ENCRYPTION"},
    "plugins": [{"customPlugin": {"customPluginArn": "$TK_PLUGIN_ARN", "revision": 1}}],
    "workerConfiguration": {"workerConfigurationArn": "$TK_WORKER_CONFIG_ARN", "revision": 1},
    "kafkaConnectVersion": "2.7.1",
    "serviceExecutionRoleArn": "$TK_ROLE_ARN"
}
EOF
    TK_ARN=$(aws kafkaconnect create-connector --no-cli-pager --output text \
        --connector-name $TK_NAME \
        --cli-input-json file://$TK_TMP/create.json \
        --query connectorArn)
}

connectorConfig() {
    case $TK_PLUGIN in
        mysql-glue-avro)
            echo "{ $(mysqlPart) $(gluePart) }"
        ;;
        mysql-registry-avro)
            echo "{ $(mysqlPart) $(registryPart) }"
        ;;
    esac
}

mysqlPart() {
    cat << EOF
"connector.class": "io.debezium.connector.mysql.MySqlConnector",
"tasks.max": "1",
"topic.prefix": "$TK_TOPIC_PREFIX",
"include.schema.changes": "true",
"database.hostname": "$TK_DB_HOST",
"database.port": "$TK_DB_PORT",
"database.user": "\${secretsmanager:$TK_DB_SECRET:username}",
"database.password": "\${secretsmanager:$TK_DB_SECRET:password}",
"database.server.id": "$TK_DB_SERVER_ID",
"database.server.name": "$TK_DB_SECRET",
"database.include.list": "$TK_DB_LIST",
"schema.history.internal.kafka.bootstrap.servers": "$TK_BROKERS",
"schema.history.internal.kafka.topic": "$TK_DDL_TOPIC",
EOF
    case $TK_AUTH in
        IAM)
            # both spellings, for plugins before and after 2.0
            for p in database.history schema.history.internal; do
                for c in consumer producer; do
                    cat << EOF
"$p.$c.security.protocol": "SASL_SSL",
"$p.$c.sasl.mechanism": "AWS_MSK_IAM",
"$p.$c.sasl.jaas.config": "software.amazon.msk.auth.iam.IAMLoginModule required;",
"$p.$c.sasl.client.callback.handler.class": "software.amazon.msk.auth.iam.IAMClientCallbackHandler",
EOF
                done
            done
        ;;
    esac
}

gluePart() {
    cat << EOF
"key.converter": "org.apache.kafka.connect.storage.StringConverter",
"key.converter.schemas.enable": "false",
"value.converter": "com.amazonaws.services.schemaregistry.kafkaconnect.AWSKafkaAvroConverter",
"value.converter.avroRecordType": "GENERIC_RECORD",
"value.converter.region": "$REGION",
"value.converter.registry.name": "$TK_REGISTRY",
"value.converter.schemaAutoRegistrationEnabled": "true"
EOF
}

registryPart() {
    cat << EOF
"key.converter": "org.apache.kafka.connect.storage.StringConverter",
"value.converter": "io.confluent.connect.avro.AvroConverter",
"value.converter.schema.registry.url": "$TK_REGISTRY_URL"
EOF
}

makeConnector
