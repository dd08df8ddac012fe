#!/usr/bin/env bash
# Debezium PostgreSQL 2.7.4 and msk-config-providers 0.3.1 are both in the plugin's zip.
# With user and password in clear text it runs.
set -euo pipefail

aws kafkaconnect create-connector \
  --connector-name settings-db-source \
  --kafka-connect-version 3.7.x \
  --capacity 'provisionedCapacity={mcuCount=1,workerCount=1}' \
  --service-execution-role-arn "$ROLE_ARN" \
  --plugins "customPlugin={customPluginArn=$PLUGIN_ARN,revision=1}" \
  --kafka-cluster file://cluster.json \
  --kafka-cluster-client-authentication authenticationType=IAM \
  --kafka-cluster-encryption-in-transit encryptionType=TLS \
  --connector-configuration '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "config.providers": "secretsmanager",
    "config.providers.secretsmanager.class": "com.amazonaws.kafka.config.providers.SecretsManagerConfigProvider",
    "config.providers.secretsmanager.param.NotFoundStrategy": "fail",
    "config.providers.secretsmanager.param.region": "eu-central-1",
    "database.hostname": "settings.db.internal",
    "database.port": "5432",
    "database.user": "${secretsmanager:platform_settings_db:user}",
    "database.password": "${secretsmanager:platform_settings_db:password}",
    "database.dbname": "settings",
    "plugin.name": "pgoutput",
    "slot.name": "settings_cdc",
    "publication.name": "settings_cdc",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.settings,public.overrides",
    "topic.prefix": "settings"
  }'
