import type { RenderedFile, WorkloadSpec } from './types.js';

/** The relay of a service: one Debezium Server per database, with its own volume for the offsets. */
export function renderRelay(spec: WorkloadSpec): RenderedFile {
  const pgHost = spec.dedicatedDb ? `${spec.name}-pg-rw.${spec.ns}` : `shared-pg-rw.${spec.ns}`;
  return {
    path: `deploy/relay/${spec.name}/relay.yaml`,
    body: `# rendered by \`orchard relay\`; change the spec, not this file
apiVersion: apps/v1
kind: Deployment
metadata:
  name: relay-${spec.name}
  namespace: streaming
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector:
    matchLabels: { app: relay-${spec.name} }
  template:
    metadata:
      labels: { app: relay-${spec.name} }
    spec:
      containers:
        - name: server
          image: quay.io/debezium/server:3.1
          env:
            - name: DEBEZIUM_SINK_TYPE
              value: kafka
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS
              value: events-kafka-bootstrap.streaming:9092
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SOURCE_CONNECTOR_CLASS
              value: io.debezium.connector.postgresql.PostgresConnector
            - name: DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME
              value: /relay/offsets.dat
            - name: DEBEZIUM_SOURCE_DATABASE_HOSTNAME
              value: ${pgHost}
            - name: DEBEZIUM_SOURCE_DATABASE_DBNAME
              value: ${spec.name}
            - name: DEBEZIUM_SOURCE_DATABASE_USER
              valueFrom: { secretKeyRef: { name: ${spec.name}-pg, key: username } }
            - name: DEBEZIUM_SOURCE_DATABASE_PASSWORD
              valueFrom: { secretKeyRef: { name: ${spec.name}-pg, key: password } }
            - name: DEBEZIUM_SOURCE_TOPIC_PREFIX
              value: ${spec.name}
            - name: DEBEZIUM_SOURCE_PLUGIN_NAME
              value: pgoutput
            - name: DEBEZIUM_SOURCE_PUBLICATION_NAME
              value: ${spec.name}_events
            - name: DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE
              value: disabled
            - name: DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST
              value: public.outbox_rows
            - name: DEBEZIUM_SOURCE_SLOT_NAME
              value: ${spec.name}_events_slot
            - name: DEBEZIUM_TRANSFORMS
              value: outbox
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TYPE
              value: io.debezium.transforms.outbox.EventRouter
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELD_EVENT_KEY
              value: aggregateid
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_EXPAND_JSON_PAYLOAD
              value: 'true'
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELDS_ADDITIONAL_PLACEMENT
              value: type:header:kind,grower_id:header:growerId
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_BY_FIELD
              value: aggregatetype
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT
              value: ${spec.name}.\${routedByValue}.v1
          volumeMounts:
            - { name: position, mountPath: /relay }
      volumes:
        - name: position
          persistentVolumeClaim: { claimName: relay-${spec.name} }
`,
  };
}
