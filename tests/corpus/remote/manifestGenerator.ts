/**
 * Writes the GitOps manifests of one service, so that nobody has to copy them
 * from another service and replace the names by hand.
 */
export interface ServiceInput {
  /** Short name, e.g. `ledger`. */
  name: string;
  org: string;
  repository?: string;
  /** What the service publishes events about; one topic each. */
  entities?: string[];
  /** `own` gives the service a Postgres cluster to itself. */
  database?: 'common' | 'own';
}

export interface OutputFile {
  path: string;
  contents: string;
}

const SERVICE_NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

export function renderService(input: ServiceInput): OutputFile[] {
  if (!SERVICE_NAME.test(input.name)) {
    throw new Error(`"${input.name}" cannot be used as the name of a service`);
  }

  const { org } = input;
  const app = `${input.name}-svc`;
  const entities = input.entities?.length ? input.entities : [input.name];
  const topics = entities.map((e) => `${input.name}.${e}.v1`);
  const cluster = input.database === 'own' ? `${input.name}-db` : `${org}-db`;
  const host = `${cluster}-rw.storage.svc`;
  const base = `deploy/apps/${app}`;

  return [
    {
      path: `${base}/database.yaml`,
      contents: `# The database of this service, owned by its own role.
apiVersion: postgresql.cnpg.io/v1
kind: Database
metadata:
  name: ${input.name}
  namespace: storage
spec:
  name: ${input.name}
  owner: ${input.name}
  cluster:
    name: ${cluster}
  ensure: present
`,
    },
    {
      path: `${base}/topic.yaml`,
      // The router writes to one topic per entity, and the cluster creates
      // none by itself.
      contents: topics
        .map(
          (topic) => `apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaTopic
metadata:
  name: ${topic}
  namespace: streaming
  labels:
    strimzi.io/cluster: ${org}-kafka
spec:
  partitions: 3
  replicas: 3
`,
        )
        .join('---\n'),
    },
    {
      path: `${base}/cdc.yaml`,
      contents: `# Reads the outbox of this service from the WAL and publishes it.
#
# The headers below are read by the consumer in
# packages/events/src/consumer.ts, so change both or neither.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cdc-${input.name}
  namespace: streaming
spec:
  replicas: 1
  strategy:
    # never two readers on one slot
    type: Recreate
  selector:
    matchLabels: { app: cdc-${input.name} }
  template:
    metadata:
      labels: { app: cdc-${input.name} }
    spec:
      containers:
        - name: debezium
          image: quay.io/debezium/server:3.2.0.Final
          env:
            - name: DEBEZIUM_SINK_TYPE
              value: kafka
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS
              value: ${org}-kafka-kafka-bootstrap.streaming.svc:9092
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER
              value: org.apache.kafka.common.serialization.StringSerializer
            - name: DEBEZIUM_SOURCE_CONNECTOR_CLASS
              value: io.debezium.connector.postgresql.PostgresConnector
            - name: DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME
              value: /debezium/data/offsets.dat
            - name: DEBEZIUM_SOURCE_DATABASE_HOSTNAME
              value: ${host}
            - name: DEBEZIUM_SOURCE_DATABASE_PORT
              value: '5432'
            - name: DEBEZIUM_SOURCE_DATABASE_DBNAME
              value: ${input.name}
            - name: DEBEZIUM_SOURCE_DATABASE_USER
              valueFrom: { secretKeyRef: { name: ${input.name}-login, key: username } }
            - name: DEBEZIUM_SOURCE_DATABASE_PASSWORD
              valueFrom: { secretKeyRef: { name: ${input.name}-login, key: password } }
            - name: DEBEZIUM_SOURCE_TOPIC_PREFIX
              value: ${input.name}
            - name: DEBEZIUM_SOURCE_PLUGIN_NAME
              value: pgoutput
            - name: DEBEZIUM_SOURCE_PUBLICATION_NAME
              value: ${input.name}_outbox
            - name: DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE
              value: disabled
            - name: DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST
              value: public.outbox_records
            - name: DEBEZIUM_SOURCE_SLOT_NAME
              value: ${input.name}_outbox_slot
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
              value: type:header:eventType,org_id:header:orgId
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_BY_FIELD
              value: aggregatetype
            - name: DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT
              value: ${input.name}.\${routedByValue}.v1
          volumeMounts:
            - name: data
              mountPath: /debezium/data
      volumes:
        - name: data
          persistentVolumeClaim:
            claimName: cdc-${input.name}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: cdc-${input.name}
  namespace: streaming
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
`,
    },
  ];
}
