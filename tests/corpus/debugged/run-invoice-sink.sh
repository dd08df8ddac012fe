#!/bin/sh
# Wanted: the topic crm.emea.core.public.invoices in the table invoices of the database crmcopy.
# The image makes a standalone sink of the CONNECTOR_* variables (lower case, _ becomes a dot).
docker run --rm --name invoice-sink --network cdc \
  -e CONNECT_BOOTSTRAP_SERVERS="kafka:9092" \
  -e CONNECT_KEY_CONVERTER="io.confluent.connect.avro.AvroConverter" \
  -e CONNECT_KEY_CONVERTER_SCHEMA_REGISTRY_URL="http://registry:8081" \
  -e CONNECT_VALUE_CONVERTER="io.confluent.connect.avro.AvroConverter" \
  -e CONNECT_VALUE_CONVERTER_SCHEMA_REGISTRY_URL="http://registry:8081" \
  -e CONNECTOR_NAME="invoice-sink" \
  -e CONNECTOR_CONNECTOR_CLASS="io.confluent.connect.jdbc.JdbcSinkConnector" \
  -e CONNECTOR_TASKS_MAX="1" \
  -e CONNECTOR_TOPICS="crm.emea.core.public.invoices" \
  -e CONNECTOR_CONNECTION_URL="jdbc:mysql://mysql:3306/crmcopy" \
  -e CONNECTOR_CONNECTION_USER="root" \
  -e CONNECTOR_CONNECTION_PASSWORD="root" \
  -e CONNECTOR_AUTO_CREATE="true" \
  -e CONNECTOR_TRANSFORMS="t1" \
  -e CONNECTOR_TRANSFORMS_T1_TYPE="org.apache.kafka.connect.transforms.RegexRouter" \
  -e CONNECTOR_TRANSFORMS_T1_REGEX="([^.]+$)" \
  -e CONNECTOR_TRANSFORMS_T1_REPLACEMENT="\$1" \
  -e CONNECTOR_TABLE_NAME_FORMAT="\${topic}" \
  artifacts.example.org/cdc/standalone-sink:1.1
