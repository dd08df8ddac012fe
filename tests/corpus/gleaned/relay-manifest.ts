export interface UnitSpec {
  name: string;
  org: string;
  pgHost?: string;
}

export interface Manifest {
  path: string;
  contents: string;
}

/** The relay of one service: Debezium Server that reads the service's outbox. */
export function relayManifest(unit: UnitSpec): Manifest {
  const pgHost = unit.pgHost ?? `${unit.org}-pg-rw.data.svc`;
  return {
    path: `deploy/${unit.name}/relay.yaml`,
    contents: `# generated, do not edit
apiVersion: apps/v1
kind: Deployment
metadata:
  name: relay-${unit.name}
  namespace: streaming
spec:
  replicas: 1
  strategy:
    # never two readers on one slot
    type: Recreate
  selector:
    matchLabels: { app: relay-${unit.name} }
  template:
    metadata:
      labels: { app: relay-${unit.name} }
    spec:
      containers:
        - name: relay
          image: quay.io/debezium/server:3.2.1.Final
          env:
            - name: DEBEZIUM_SINK_TYPE
              value: kafka
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS
              value: ${unit.org}-kafka-bootstrap.streaming.svc:9092
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SOURCE_CONNECTOR_CLASS
              value: io.debezium.connector.postgresql.PostgresConnector
            - name: DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME
              value: /debezium/data/offsets.dat
            - name: DEBEZIUM_SOURCE_DATABASE_HOSTNAME
              value: ${pgHost}
            - name: DEBEZIUM_SOURCE_DATABASE_PORT
              value: '5432'
            - name: DEBEZIUM_SOURCE_DATABASE_DBNAME
              value: ${unit.name}
            - name: DEBEZIUM_SOURCE_DATABASE_USER
              valueFrom: { secretKeyRef: { name: ${unit.name}-pg, key: user } }
            - name: DEBEZIUM_SOURCE_DATABASE_PASSWORD
              valueFrom: { secretKeyRef: { name: ${unit.name}-pg, key: password } }
            - name: DEBEZIUM_SOURCE_TOPIC_PREFIX
              value: ${unit.name}
            - name: DEBEZIUM_SOURCE_PLUGIN_NAME
              value: pgoutput
            - name: DEBEZIUM_SOURCE_PUBLICATION_NAME
              value: ${unit.name}_relay
            - name: DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE
              value: disabled
            - name: DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST
              value: public.event_outbox
            - name: DEBEZIUM_SOURCE_SLOT_NAME
              value: ${unit.name}_relay_slot
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
              value: type:header:eventType,realm_id:header:realmId
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_BY_FIELD
              value: aggregatetype
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT
              value: ${unit.name}.\${routedByValue}.v1
          volumeMounts:
            - name: state
              mountPath: /debezium/data
      volumes:
        - name: state
          persistentVolumeClaim:
            claimName: relay-${unit.name}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: relay-${unit.name}
  namespace: streaming
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
`,
  };
}
