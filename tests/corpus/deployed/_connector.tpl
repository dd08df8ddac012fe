{{/*
SQL Server outbox -> Kafka. Included by the chart of each service:

  {{- if .Values.connector.enabled }}
  {{ include "platform.outboxConnector" . }}
  {{- end }}

values.yaml of a service:

  connector:
    enabled: true
    name: "claims-cdc"
    credentialsVolume: "mssql-claims"
    database:
      hostname: "claims-mssql.insura"
      port: 1433
      names: "claims_db"
      encrypt: "false"
    table:
      include: "dbo.outbox_events"
    topic:
      prefix: "claims"
    errors:
      tolerance: "all"
*/}}

{{- define "platform.outboxConnector" -}}
{{- if .Values.connector.enabled }}
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: {{ .Values.connector.name }}
  namespace: insura
  labels:
    {{- include "platform.labels" . | nindent 4 }}
    app.kubernetes.io/component: cdc
    strimzi.io/cluster: insura-connect
spec:
  class: io.debezium.connector.sqlserver.SqlServerConnector
  tasksMax: 1
  config:
    # connection
    database.hostname: {{ .Values.connector.database.hostname }}
    database.port: {{ .Values.connector.database.port | quote }}
    database.names: {{ .Values.connector.database.names | quote }}
    database.user: ${directory:/opt/kafka/external-configuration/{{ .Values.connector.credentialsVolume }}:username}
    database.password: ${directory:/opt/kafka/external-configuration/{{ .Values.connector.credentialsVolume }}:password}
    database.encrypt: {{ .Values.connector.database.encrypt | default "false" | quote }}
    database.trustServerCertificate: {{ .Values.connector.database.trustServerCertificate | default "true" | quote }}

    # what is captured
    table.include.list: {{ .Values.connector.table.include | quote }}
    topic.prefix: {{ .Values.connector.topic.prefix }}
    database.server.name: {{ .Values.connector.database.serverName | default .Values.connector.topic.prefix }}
    decimal.handling.mode: {{ .Values.connector.database.decimalHandling | default "string" | quote }}
    snapshot.mode: {{ .Values.connector.snapshot.mode | default "initial" }}
    schema.history.internal.kafka.bootstrap.servers: {{ include "platform.kafkaBootstrap" . }}
    schema.history.internal.kafka.topic: {{ printf "%s.schema-changes" .Values.connector.topic.prefix }}

    # outbox
    transforms: "outbox"
    transforms.outbox.type: "io.debezium.transforms.outbox.EventRouter"
    transforms.outbox.table.field.event.id: {{ .Values.connector.outbox.fields.id | default "id" | quote }}
    transforms.outbox.table.field.event.key: {{ .Values.connector.outbox.fields.key | default "aggregate_id" | quote }}
    transforms.outbox.table.field.event.type: {{ .Values.connector.outbox.fields.type | default "type" | quote }}
    transforms.outbox.table.field.event.payload: {{ .Values.connector.outbox.fields.payload | default "payload" | quote }}
    transforms.outbox.table.field.event.timestamp: {{ .Values.connector.outbox.fields.timestamp | default "created_at" | quote }}
    transforms.outbox.route.by.field: {{ .Values.connector.outbox.routeByField | default "aggregate_type" | quote }}
    transforms.outbox.route.topic.replacement: {{ .Values.connector.outbox.topicReplacement | default (printf "insura.%s.${routedByValue}.v1" .Values.connector.topic.prefix) | quote }}
    transforms.outbox.route.tombstone.on.empty.payload: {{ .Values.connector.outbox.tombstoneOnEmpty | default "false" | quote }}
    transforms.outbox.table.expand.json.payload: {{ .Values.connector.outbox.expandJsonPayload | default "true" | quote }}

    # operation
    poll.interval.ms: {{ .Values.connector.performance.pollInterval | default "500" | quote }}
    max.batch.size: {{ .Values.connector.performance.maxBatchSize | default "2048" | quote }}
    errors.tolerance: {{ .Values.connector.errors.tolerance | default "all" }}
    errors.log.enable: {{ .Values.connector.errors.logEnable | default "true" | quote }}
    errors.log.include.messages: {{ .Values.connector.errors.logMessages | default "true" | quote }}
    heartbeat.interval.ms: {{ .Values.connector.heartbeat.interval | default "60000" | quote }}
    heartbeat.topics.prefix: {{ .Values.connector.heartbeat.topicPrefix | default "__debezium-heartbeat" }}
    tombstones.on.delete: {{ .Values.connector.tombstones | default "true" | quote }}
    {{- with .Values.connector.extraConfig }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
