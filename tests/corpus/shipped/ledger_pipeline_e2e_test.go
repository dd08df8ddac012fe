package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const ledgerTopic = "ledger.entries"

func TestLedgerEntryReachesKafka(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()

	stack := startStack(t, ctx)
	if err := registerLedgerConnector(ctx, stack.ConnectURL, stack.DBHostPort); err != nil {
		t.Fatal(err)
	}
	insertEntry(t, stack.DB, "acct-1", 1250)
	expectOne(t, stack.Brokers, ledgerTopic)
}

func registerLedgerConnector(ctx context.Context, connectURL string, dbHostPort string) error {
	body := map[string]any{
		"name": "ledger-outbox-connector",
		"config": map[string]string{
			"connector.class":                             "io.debezium.connector.postgresql.PostgresConnector",
			"plugin.name":                                 "pgoutput",
			"database.hostname":                           "localhost",
			"database.port":                               portOnly(dbHostPort),
			"database.user":                               "ledger_user",
			"database.password":                           "ledger_password",
			"database.dbname":                             "ledger",
			"topic.prefix":                                "ledger-cdc",
			"publication.name":                            "ledger_outbox_publication",
			"publication.autocreate.mode":                 "filtered",
			"slot.name":                                   "ledger_outbox_slot",
			"slot.drop.on.stop":                           "true",
			"table.include.list":                          "public.ledger_outbox",
			"tombstones.on.delete":                        "false",
			"heartbeat.interval.ms":                       "10000",
			"key.converter":                               "org.apache.kafka.connect.storage.StringConverter",
			"value.converter":                             "org.apache.kafka.connect.json.JsonConverter",
			"value.converter.schemas.enable":              "false",
			"transforms":                                  "outbox",
			"transforms.outbox.type":                      "io.debezium.transforms.outbox.EventRouter",
			"transforms.outbox.route.topic.replacement":   ledgerTopic,
			"transforms.outbox.table.field.event.id":      "id",
			"transforms.outbox.table.field.event.key":     "aggregate_id",
			"transforms.outbox.table.field.event.payload": "payload",
			"transforms.outbox.table.fields.additional.placement": "event_name:header:event_name,event_version:header:event_version,aggregate_type:header:aggregate_type,aggregate_id:header:aggregate_id,booked_at:header:booked_at",
		},
	}

	payload, err := json.Marshal(body)
	if err != nil {
		return err
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, connectURL+"/connectors", bytes.NewReader(payload))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")

	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()

	if resp.StatusCode >= 200 && resp.StatusCode < 300 || resp.StatusCode == http.StatusConflict {
		return nil
	}
	return fmt.Errorf("connector was not registered: status %d", resp.StatusCode)
}

func portOnly(hostPort string) string {
	parts := strings.Split(hostPort, ":")
	return parts[len(parts)-1]
}
