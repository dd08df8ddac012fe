package ribbon

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// outboxConnector is the config of the connector on the outbox of the haberdashery.
func outboxConnector() map[string]string {
	return map[string]string{
		"connector.class":              "io.debezium.connector.mariadb.MariaDbConnector",
		"tasks.max":                    "1",
		"database.hostname":            os.Getenv("RIBBON_DB_HOST"),
		"database.port":                "3306",
		"database.user":                os.Getenv("RIBBON_CDC_USER"),
		"database.password":            os.Getenv("RIBBON_CDC_PASSWORD"),
		"database.server.id":           "80312",
		"topic.prefix":                 "ribbon",
		"table.include.list":           "ribbon\\.outbox",
		"schema.history.internal.kafka.bootstrap.servers": os.Getenv("KAFKA_BROKERS"),
		"schema.history.internal.kafka.topic":             "ribbon.schema-history",
		"snapshot.mode":                "no_data",
		"transforms":                   "outbox",
		"transforms.outbox.type":       "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.table.fields.additional.placement": "type:headers:eventType,tenant:headers",
		"transforms.outbox.route.topic.replacement":           "ribbon.${routedByValue}",
		"key.converter":                "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":              "org.apache.kafka.connect.storage.StringConverter",
	}
}

// Deploy creates the connector, or updates it.
func Deploy(ctx context.Context, connectURL string) error {
	body, err := json.Marshal(outboxConnector())
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut,
		connectURL+"/connectors/ribbon-outbox/config", bytes.NewReader(body))
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
