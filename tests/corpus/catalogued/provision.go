package connectors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// Ledger returns the config of the source that reads the ledger replica.
func Ledger(primaryUUID, oldUUID string) map[string]string {
	return map[string]string{
		"connector.class":      "io.debezium.connector.mysql.MySqlConnector",
		"tasks.max":            "1",
		"database.hostname":    os.Getenv("LEDGER_DB_HOST"),
		"database.port":        "3306",
		"database.user":        os.Getenv("LEDGER_DB_USER"),
		"database.password":    os.Getenv("LEDGER_DB_PASSWORD"),
		"database.server.id":   "90214",
		"topic.prefix":         "ledger",
		"table.include.list":   "ledger.entry,ledger.account",
		"gtid.source.includes": primaryUUID,
		"gtid.source.excludes": oldUUID,
		"snapshot.mode":        "when_needed",

		"schema.history.internal.kafka.bootstrap.servers": os.Getenv("KAFKA_BOOTSTRAP"),
		"schema.history.internal.kafka.topic":             "ledger.history",
	}
}

// Put sends a config to the REST interface of the worker.
func Put(ctx context.Context, base, name string, cfg map[string]string) error {
	body, err := json.Marshal(cfg)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut,
		fmt.Sprintf("%s/connectors/%s/config", base, name), bytes.NewReader(body))
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
		return fmt.Errorf("connector %s: %s", name, res.Status)
	}
	return nil
}
