export interface RelaySpec {
  brand: string;
  name: string;
}

export interface OutFile {
  path: string;
  contents: string;
}

/** Deployment that reads the outbox of one service of the tenancy platform. */
export function relayManifest(spec: RelaySpec, dbHost: string): OutFile[] {
  const dir = `gitops/apps/${spec.name}`;
  return [
    {
      path: `${dir}/relay.yaml`,
      contents: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: relay-${spec.name}
  namespace: kafka
spec:
  replicas: 1
  strategy:
    type: Recreate
  selector:
    matchLabels: { app: relay-${spec.name} }
  template:
    metadata:
      labels: { app: relay-${spec.name} }
    spec:
      containers:
        - name: relay
          image: quay.io/debezium/server:3.2.0.Final
          env:
            - name: DEBEZIUM_SINK_TYPE
              value: kafka
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS
              value: ${spec.brand}-kafka-kafka-bootstrap.kafka.svc:9092
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SOURCE_CONNECTOR_CLASS
              value: io.debezium.connector.postgresql.PostgresConnector
            - name: DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME
              value: /debezium/data/offsets.dat
            - name: DEBEZIUM_SOURCE_DATABASE_HOSTNAME
              value: ${dbHost}
            - name: DEBEZIUM_SOURCE_DATABASE_PORT
              value: '5432'
            - name: DEBEZIUM_SOURCE_DATABASE_DBNAME
              value: ${spec.name}
            - name: DEBEZIUM_SOURCE_DATABASE_USER
              valueFrom: { secretKeyRef: { name: ${spec.name}-db, key: username } }
            - name: DEBEZIUM_SOURCE_DATABASE_PASSWORD
              valueFrom: { secretKeyRef: { name: ${spec.name}-db, key: password } }
            - name: DEBEZIUM_SOURCE_TOPIC_PREFIX
              value: ${spec.name}
            - name: DEBEZIUM_SOURCE_PLUGIN_NAME
              value: pgoutput
            - name: DEBEZIUM_SOURCE_PUBLICATION_NAME
              value: ${spec.name}_outbox
            - name: DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE
              value: disabled
            - name: DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST
              value: public.outbox_events
            - name: DEBEZIUM_SOURCE_SLOT_NAME
              value: ${spec.name}_outbox_slot
            - name: DEBEZIUM_TRANSFORMS
              value: outbox
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TYPE
              value: io.debezium.transforms.outbox.EventRouter
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELD_EVENT_ID
              value: id
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELD_EVENT_KEY
              value: aggregateid
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELD_EVENT_TYPE
              value: type
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELD_EVENT_TIMESTAMP
              value: created_at
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELD_EVENT_PAYLOAD
              value: payload
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_EXPAND_JSON_PAYLOAD
              value: 'true'
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_TABLE_FIELDS_ADDITIONAL_PLACEMENT
              value: type:header:eventType,tenant_id:header:tenantId
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_BY_FIELD
              value: aggregatetype
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT
              value: ${spec.name}.\${routedByValue}.v1
          volumeMounts:
            - name: data
              mountPath: /debezium/data
      volumes:
        - name: data
          persistentVolumeClaim:
            claimName: relay-${spec.name}
`,
    },
  ];
}
