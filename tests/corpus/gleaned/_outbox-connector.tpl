{{/*
Shared template: SQL Server outbox -> Kafka (Strimzi KafkaConnector)

Kullanım (servis chart'ında templates/connector.yaml):
  {{ include "shared.outboxConnector" . }}

Ön koşullar:
  - veritabanında ve outbox tablosunda CDC açık olmalı (sp_cdc_enable_db, sp_cdc_enable_table)
  - kimlik bilgileri secret olarak Connect pod'una bağlanmış olmalı

values:
  connector:
    enabled: true
    name: "wallet-outbox"
    secretVolumeName: "wallet-mssql"
    database:
      hostname: "wallet-mssql.core"
      port: 1433
      names: "wallet"
    table:
      include: "dbo.outbox_messages"
    topic:
      prefix: "wallet"
*/}}

{{- define "shared.outboxConnector" -}}
{{- if .Values.connector.enabled }}
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: {{ .Values.connector.name }}
  namespace: core
  labels:
    {{- include "shared.labels" . | nindent 4 }}
    strimzi.io/cluster: connect
spec:
  class: io.debezium.connector.sqlserver.SqlServerConnector
  tasksMax: 1
  config:
    # source
    database.hostname: {{ .Values.connector.database.hostname }}
    database.port: {{ .Values.connector.database.port | quote }}
    database.names: {{ .Values.connector.database.names | quote }}
    database.user: ${directory:/mnt/creds/{{ .Values.connector.secretVolumeName }}:username}
    database.password: ${directory:/mnt/creds/{{ .Values.connector.secretVolumeName }}:password}
    database.encrypt: {{ .Values.connector.database.encrypt | default "false" | quote }}
    database.trustServerCertificate: {{ .Values.connector.database.trustServerCertificate | default "true" | quote }}

    # tables and topics
    table.include.list: {{ .Values.connector.table.include | quote }}
    topic.prefix: {{ .Values.connector.topic.prefix }}
    database.server.name: {{ .Values.connector.database.serverName | default .Values.connector.topic.prefix }}
    decimal.handling.mode: {{ .Values.connector.database.decimalHandling | default "string" | quote }}
    snapshot.mode: {{ .Values.connector.snapshot.mode | default "initial" }}

    # history
    schema.history.internal.kafka.bootstrap.servers: {{ include "shared.brokers" . }}
    schema.history.internal.kafka.topic: {{ printf "%s.schema-changes" .Values.connector.topic.prefix }}

    # outbox
    transforms: "outbox"
    transforms.outbox.type: "io.debezium.transforms.outbox.EventRouter"
    transforms.outbox.route.by.field: {{ .Values.connector.outbox.routeByField | default "aggregate_type" | quote }}
    transforms.outbox.route.topic.replacement: {{ .Values.connector.outbox.topicReplacement | default (printf "%s.${routedByValue}.v1" .Values.connector.topic.prefix) | quote }}
    transforms.outbox.table.field.event.id: {{ .Values.connector.outbox.fields.id | default "id" | quote }}
    transforms.outbox.table.field.event.key: {{ .Values.connector.outbox.fields.key | default "aggregate_id" | quote }}
    transforms.outbox.table.field.event.type: {{ .Values.connector.outbox.fields.type | default "type" | quote }}
    transforms.outbox.table.field.event.payload: {{ .Values.connector.outbox.fields.payload | default "payload" | quote }}
    transforms.outbox.table.field.event.timestamp: {{ .Values.connector.outbox.fields.timestamp | default "created_at" | quote }}
    transforms.outbox.route.tombstone.on.empty.payload: {{ .Values.connector.outbox.tombstoneOnEmpty | default "false" | quote }}
    transforms.outbox.table.expand.json.payload: {{ .Values.connector.outbox.expandJsonPayload | default "true" | quote }}

    # tuning
    poll.interval.ms: {{ .Values.connector.tuning.pollInterval | default "500" | quote }}
    max.batch.size: {{ .Values.connector.tuning.maxBatchSize | default "2048" | quote }}

    # errors
    errors.tolerance: {{ .Values.connector.errors.tolerance | default "all" }}
    errors.log.enable: {{ .Values.connector.errors.logEnable | default "true" | quote }}
    errors.log.include.messages: {{ .Values.connector.errors.logMessages | default "true" | quote }}

    # heartbeat
    heartbeat.interval.ms: {{ .Values.connector.heartbeat.interval | default "60000" | quote }}
    heartbeat.topics.prefix: {{ .Values.connector.heartbeat.topicPrefix | default "__debezium-heartbeat" }}

    tombstones.on.delete: {{ .Values.connector.tombstones | default "true" | quote }}
    {{- with .Values.connector.extra }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
