package outboxkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.org/outboxlib/cdc"
)

// registerRunningConnector makes a connector with names of its own, so that the tests can run next to each other.
func registerRunningConnector(t *testing.T) string {
	t.Helper()
	require.NotNil(t, harness)

	connectorName := uniqueName("connector")
	historyTopic := uniqueName("schema_history")
	require.NoError(t, createCompactedTopic(context.Background(), harness.brokers, historyTopic, 1))

	cfg := map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                 "pgoutput",
		"database.hostname":           "postgres",
		"database.port":               "5432",
		"database.user":               testDBUser,
		"database.password":           testDBPassword,
		"database.dbname":             testDBName,
		"database.sslmode":            "disable",
		"topic.prefix":                uniqueName("prefix"),
		"schema.include.list":         "public",
		"table.include.list":          "public." + (cdc.Row{}).TableName(),
		"publication.autocreate.mode": "filtered",
		"publication.name":            uniqueName("publication"),
		"slot.name":                   uniqueName("slot"),
		"slot.drop.on.stop":           "true",
		"snapshot.mode":               "no_data",
		"tombstones.on.delete":        "false",
		"schema.history.internal.kafka.bootstrap.servers":        "kafka:9092",
		"schema.history.internal.kafka.topic":                    historyTopic,
		"transforms":                                             "outbox",
		"transforms.outbox.type":                                 "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.table.op.invalid.behavior":            "fatal",
		"transforms.outbox.table.field.event.id":                 "message_id",
		"transforms.outbox.route.by.field":                       "topic",
		"transforms.outbox.route.topic.replacement":              "${routedByValue}",
		"transforms.outbox.table.field.event.key":                "ordering_key",
		"transforms.outbox.table.field.event.payload":            "payload",
		"transforms.outbox.table.fields.additional.placement":    "event_type:header:x-event-type,event_id:header:x-event-id",
		"value.converter":                                        "io.debezium.converters.BinaryDataConverter",
		"value.converter.delegate.converter.type":                "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.delegate.converter.type.schemas.enable": "false",
	}

	registerConnector(t, connectorName, cfg)
	waitForRunning(t, connectorName)
	return connectorName
}

func registerConnector(t *testing.T, name string, cfg map[string]string) {
	t.Helper()

	data, err := json.Marshal(map[string]any{"name": name, "config": cfg})
	require.NoError(t, err)

	req, err := http.NewRequest(http.MethodPost, harness.connectURL+"/connectors", bytes.NewReader(data))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")

	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()

	if resp.StatusCode != http.StatusCreated && resp.StatusCode != http.StatusConflict {
		payload, _ := io.ReadAll(resp.Body)
		t.Fatalf("connector %s was refused: status=%d body=%s", name, resp.StatusCode, strings.TrimSpace(string(payload)))
	}
}
