package bootstrap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

// RegisterMeters installs the source which splits meter readings by region.
func RegisterMeters(connectURL, dsnHost, user, pass string) error {
	cfg := map[string]string{
		"connector.class":                 "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                     "pgoutput",
		"database.hostname":               dsnHost,
		"database.port":                   "5432",
		"database.user":                   user,
		"database.password":               pass,
		"database.dbname":                 "metering",
		"topic.prefix":                    "metering",
		"slot.name":                       "metering_regions",
		"publication.name":                "metering_regions",
		"table.include.list":              "public.readings",
		"tombstones.on.delete":            "false",
		"transforms":                      "region",
		"transforms.region.type":          "io.debezium.transforms.ContentBasedRouter",
		"transforms.region.language":      "groovy",
		"transforms.region.topic.regex":   "metering\\.public\\.readings",
		"transforms.region.topic.expression": "value.after != null && value.after.region == 'N' ? 'readings.north' : 'readings.south'",
		"key.converter":                   "org.apache.kafka.connect.json.JsonConverter",
		"value.converter":                 "org.apache.kafka.connect.json.JsonConverter",
	}
	body, err := json.Marshal(cfg)
	if err != nil {
		return err
	}
	req, _ := http.NewRequest(http.MethodPut, connectURL+"/connectors/metering-regions/config", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("connect answered %d", res.StatusCode)
	}
	return nil
}
