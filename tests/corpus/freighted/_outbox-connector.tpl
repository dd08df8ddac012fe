{{/*
Harbour library chart: SQL Server outbox -> Kafka, one KafkaConnector per service.

In the service's chart:
  {{ include "harbour.connector" . }}

Values:
  connector:
    enabled: true
    name: "tariff-outbox"
    secretVolume: "mssql-tariff"
    database: { hostname: "tariff-mssql.harbour", port: 1433, names: "tariff_db", serverName: "tariff" }
    table: { include: "dbo.outbox_messages" }
    topic: { prefix: "tariff" }
    outbox:
      byField: "aggregate_type"
      replacement: "tariff.${routedByValue}.v2"
      fields: { id: "id", key: "aggregate_id", type: "type", payload: "payload", timestamp: "written_at" }
    snapshot: {}
    errors: {}
    heartbeat: {}
Needed: sp_cdc_enable_db, sp_cdc_enable_table for the outbox, the secret, a Connect cluster.
*/}}

{{- define "harbour.connector" -}}
{{- if .Values.connector.enabled }}
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: {{ .Values.connector.name }}
  labels:
    {{- include "harbour.labels" . | nindent 4 }}
    strimzi.io/cluster: connect
spec:
  class: io.debezium.connector.sqlserver.SqlServerConnector
  tasksMax: 1
  config:
    database.hostname: {{ .Values.connector.database.hostname }}
    database.port: {{ .Values.connector.database.port | quote }}
    database.names: {{ .Values.connector.database.names | quote }}
    database.user: ${directory:/mnt/secrets/{{ .Values.connector.secretVolume }}:username}
    database.password: ${directory:/mnt/secrets/{{ .Values.connector.secretVolume }}:password}
    database.encrypt: "false"
    table.include.list: {{ .Values.connector.table.include | quote }}
    topic.prefix: {{ .Values.connector.topic.prefix }}
    database.server.name: {{ .Values.connector.database.serverName | default .Values.connector.topic.prefix }}
    snapshot.mode: {{ .Values.connector.snapshot.mode | default "initial" }}
    schema.history.internal.kafka.bootstrap.servers: {{ include "harbour.brokers" . }}
    schema.history.internal.kafka.topic: {{ printf "%s.ddl" .Values.connector.topic.prefix }}

    transforms: "outbox"
    transforms.outbox.type: "io.debezium.transforms.outbox.EventRouter"
    transforms.outbox.route.by.field: {{ .Values.connector.outbox.byField | default "aggregate_type" | quote }}
    transforms.outbox.route.topic.replacement: {{ .Values.connector.outbox.replacement | default (printf "%s.${routedByValue}.v2" .Values.connector.topic.prefix) | quote }}
    transforms.outbox.table.field.event.id: {{ .Values.connector.outbox.fields.id | default "id" | quote }}
    transforms.outbox.table.field.event.key: {{ .Values.connector.outbox.fields.key | default "aggregate_id" | quote }}
    transforms.outbox.table.field.event.type: {{ .Values.connector.outbox.fields.type | default "type" | quote }}
    transforms.outbox.table.field.event.payload: {{ .Values.connector.outbox.fields.payload | default "payload" | quote }}
    transforms.outbox.table.field.event.timestamp: {{ .Values.connector.outbox.fields.timestamp | default "written_at" | quote }}
    transforms.outbox.table.expand.json.payload: "true"

    errors.tolerance: {{ .Values.connector.errors.tolerance | default "all" }}
    errors.log.enable: "true"
    errors.log.include.messages: "true"
    heartbeat.interval.ms: {{ .Values.connector.heartbeat.interval | default "45000" | quote }}
    poll.interval.ms: "400"
{{- end }}
{{- end }}
