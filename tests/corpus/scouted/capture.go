package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"example.org/mailbag/internal/flow"
)

// Login tells how a source database is reached.
type Login struct {
	Host     string
	Port     int
	User     string
	Password string
	Database string
}

// Config builds the configuration of the connector of one table.
func Config(src flow.Source, login Login, id flow.Identity, n flow.Names, autocreate string) map[string]string {
	names := make([]string, len(id.Columns))
	include := make([]string, len(id.Columns))
	for i, c := range id.Columns {
		names[i] = quote(c.Name)
		include[i] = regexp.QuoteMeta("public." + src.Table + "." + c.Name)
	}
	// the rows of the snapshot in the order in which they were written
	query := fmt.Sprintf(
		"SELECT %s FROM public.%s ORDER BY %s ASC",
		strings.Join(names, ", "), quote(src.Table), quote(src.Serial),
	)
	return map[string]string{
		"connector.class":                     "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                         "pgoutput",
		"database.hostname":                   login.Host,
		"database.port":                       strconv.Itoa(login.Port),
		"database.user":                       login.User,
		"database.password":                   login.Password,
		"database.dbname":                     login.Database,
		"topic.prefix":                        n.Prefix,
		"table.include.list":                  "public." + src.Table,
		"column.include.list":                 strings.Join(include, ","),
		"message.key.columns":                 "public." + src.Table + ":" + src.PartitionColumn,
		"slot.name":                           n.Slot,
		"publication.name":                    n.Publication,
		"publication.autocreate.mode":         autocreate,
		"snapshot.mode":                       "initial",
		"snapshot.select.statement.overrides": "public." + src.Table,
		"snapshot.select.statement.overrides.public." + src.Table: query,
		"skipped.operations":                        "none",
		"tombstones.on.delete":                      "false",
		"binary.handling.mode":                      "base64",
		"decimal.handling.mode":                     "string",
		"time.precision.mode":                       "adaptive_time_microseconds",
		"heartbeat.interval.ms":                     "15000",
		"topic.creation.default.replication.factor": "-1",
		"topic.creation.default.partitions":         "1",
		"key.converter":                             "org.apache.kafka.connect.json.JsonConverter",
		"key.converter.schemas.enable":              "false",
		"value.converter":                           "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable":            "false",
		"producer.override.acks":                    "all",
	}
}

func quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// Ensure puts the configuration to Connect. The body has the password in it and is never part of an error.
func Ensure(ctx context.Context, client *http.Client, base string, n flow.Names, cfg map[string]string) error {
	body, err := json.Marshal(cfg)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, base+"/connectors/"+n.Connector+"/config", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("connector %q: status %d", n.Connector, resp.StatusCode)
	}
	return nil
}
