{{/*
Library template: KafkaConnector of a service's outbox (SQL Server).

values.yaml of the service:
  connector:
    enabled: true
    name: policies-outbox
    secretVolume: mssql-login
    database: { hostname: policies-mssql, port: 1433, names: policies }
    table: { include: dbo.outbox_events }
    topic: { prefix: policies }
    errors: { tolerance: all }      # go on when a message cannot be handled
Before: sp_cdc_enable_db, sp_cdc_enable_table, secret mounted in the Connect pods.
*/}}
{{- define "lib.connector" -}}
{{- if .Values.connector.enabled }}
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: {{ .Values.connector.name }}
  labels:
    {{- include "lib.labels" . | nindent 4 }}
    strimzi.io/cluster: insurance-connect
spec:
  class: io.debezium.connector.sqlserver.SqlServerConnector
  tasksMax: 1
  config:
    database.hostname: {{ .Values.connector.database.hostname }}
    database.port: {{ .Values.connector.database.port | quote }}
    database.names: {{ .Values.connector.database.names | quote }}
    database.user: ${directory:/opt/kafka/external-configuration/{{ .Values.connector.secretVolume }}:username}
    database.password: ${directory:/opt/kafka/external-configuration/{{ .Values.connector.secretVolume }}:password}
    database.encrypt: {{ .Values.connector.database.encrypt | default "false" | quote }}

    table.include.list: {{ .Values.connector.table.include | quote }}
    topic.prefix: {{ .Values.connector.topic.prefix }}
    decimal.handling.mode: {{ .Values.connector.decimals | default "string" | quote }}
    snapshot.mode: {{ .Values.connector.snapshot | default "initial" }}

    schema.history.internal.kafka.bootstrap.servers: {{ include "lib.kafka" . }}
    schema.history.internal.kafka.topic: {{ printf "%s.ddl" .Values.connector.topic.prefix }}

    transforms: outbox
    transforms.outbox.type: io.debezium.transforms.outbox.EventRouter
    transforms.outbox.route.by.field: {{ .Values.connector.routeBy | default "aggregate_type" | quote }}
    transforms.outbox.route.topic.replacement: {{ .Values.connector.replacement | default (printf "insurance.%s.${routedByValue}.v1" .Values.connector.topic.prefix) | quote }}
    transforms.outbox.table.field.event.id: {{ .Values.connector.fields.id | default "id" | quote }}
    transforms.outbox.table.field.event.key: {{ .Values.connector.fields.key | default "aggregate_id" | quote }}
    transforms.outbox.table.field.event.payload: {{ .Values.connector.fields.payload | default "payload" | quote }}
    transforms.outbox.table.expand.json.payload: {{ .Values.connector.expand | default "true" | quote }}

    errors.tolerance: {{ .Values.connector.errors.tolerance | default "all" }}
    errors.log.enable: "true"
    errors.log.include.messages: "true"

    heartbeat.interval.ms: {{ .Values.connector.heartbeat | default "45000" | quote }}
    {{- with .Values.connector.extra }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
