package cdc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// sourceConfig returns the connector of one site; the site's display name doubles as the topic namespace.
func sourceConfig() map[string]string {
	return map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"database.hostname":           os.Getenv("SITE_DB_HOST"),
		"database.port":               "5432",
		"database.user":               os.Getenv("SITE_DB_USER"),
		"database.password":           os.Getenv("SITE_DB_PASSWORD"),
		"database.dbname":             "groundops",
		"topic.prefix":                "Ground Ops (North)",
		"plugin.name":                 "pgoutput",
		"slot.name":                   "groundops_north",
		"publication.name":            "groundops_north",
		"publication.autocreate.mode": "filtered",
		"table.include.list":          "public.stand,public.turnaround",
		"decimal.handling.mode":       "string",
	}
}

// Register creates or updates the connector.
func Register(ctx context.Context, connectURL string) error {
	body, err := json.Marshal(sourceConfig())
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, connectURL+"/connectors/groundops-north/config", bytes.NewReader(body))
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
		return fmt.Errorf("connect answered %s", res.Status)
	}
	return nil
}
