package relay

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// Publish writes the event and removes it at once: the WAL keeps it for the relay,
// the table stays empty.
func Publish(ctx context.Context, tx *sql.Tx, id, kind, key string, body []byte) error {
	if _, err := tx.ExecContext(ctx,
		`INSERT INTO rowing.outbox (id, aggregatetype, aggregateid, payload) VALUES ($1, $2, $3, $4)`,
		id, kind, key, string(body)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM rowing.outbox WHERE id = $1`, id)
	return err
}

// Register creates or updates the connector.
func Register(ctx context.Context, connect string) error {
	config := map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"database.hostname":           os.Getenv("ROWING_DB_HOST"),
		"database.port":               "5432",
		"database.user":               os.Getenv("ROWING_DB_USER"),
		"database.password":           os.Getenv("ROWING_DB_PASSWORD"),
		"database.dbname":             "rowing",
		"topic.prefix":                "rowing",
		"plugin.name":                 "pgoutput",
		"slot.name":                   "rowing_outbox",
		"publication.name":            "rowing_outbox",
		"publication.autocreate.mode": "filtered",
		"table.include.list":          `rowing\.outbox`,
		"snapshot.mode":               "no_data",
		"skipped.operations":          "u,d,t",
		"transforms":                  "outbox",
		"transforms.outbox.type":      "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.route.topic.replacement": "rowing.${routedByValue}",
		"transforms.outbox.table.op.invalid.behavior": "fatal",
		"key.converter":   "org.apache.kafka.connect.storage.StringConverter",
		"value.converter": "org.apache.kafka.connect.storage.StringConverter",
	}
	body, err := json.Marshal(config)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, connect+"/connectors/rowing-outbox/config", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("connect: %s", res.Status)
	}
	return nil
}
