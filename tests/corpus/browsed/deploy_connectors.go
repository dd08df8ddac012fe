package deploy

import (
	"context"
	"fmt"
)

// applyConnectors renders the two connectors of the load lab and applies them.
func applyConnectors(ctx context.Context, ns, domain string) error {
	bootstrap := fmt.Sprintf("lab-kafka-bootstrap.%s.svc.%s:9092", ns, domain)

	source := fmt.Sprintf(`apiVersion: kafka.strimzi.io/v1
kind: KafkaConnector
metadata:
  name: pg-source
  namespace: %s
  labels:
    strimzi.io/cluster: lab-connect
spec:
  class: io.debezium.connector.postgresql.PostgresConnector
  tasksMax: 1
  autoRestart:
    enabled: true
    maxRestarts: 10
  config:
    database.hostname: pg.%s.svc
    database.port: "5432"
    database.user: debezium
    database.password: "${secrets:%s/pg-credentials:password}"
    database.dbname: loadlab
    topic.prefix: lab
    schema.include.list: public
    plugin.name: pgoutput
    slot.name: lab_slot
    heartbeat.interval.ms: "10000"
    snapshot.mode: initial
    decimal.handling.mode: double
    tombstones.on.delete: "true"
    schema.history.internal.kafka.bootstrap.servers: %s
    schema.history.internal.kafka.topic: lab-ddl`, ns, ns, ns, bootstrap)

	if err := kubectlApply(ctx, source); err != nil {
		return fmt.Errorf("source connector: %w", err)
	}

	// the sink makes its table when the first record arrives
	sink := fmt.Sprintf(`apiVersion: kafka.strimzi.io/v1
kind: KafkaConnector
metadata:
  name: jdbc-sink
  namespace: %s
  labels:
    strimzi.io/cluster: lab-connect
spec:
  class: io.debezium.connector.jdbc.JdbcSinkConnector
  tasksMax: 1
  config:
    topics: "lab-sink-topic"
    connection.url: "jdbc:postgresql://pg.%s.svc:5432/loadlab"
    connection.username: "${secrets:%s/pg-credentials:username}"
    connection.password: "${secrets:%s/pg-credentials:password}"
    insert.mode: "insert"
    auto.create: "true"
    auto.evolve: "true"`, ns, ns, ns, ns)

	if err := kubectlApply(ctx, sink); err != nil {
		return fmt.Errorf("sink connector: %w", err)
	}
	return waitReady(ctx, ns, "pg-source", "jdbc-sink")
}
