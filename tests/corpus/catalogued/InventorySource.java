package org.example.inventory.cdc;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.ConstructorBinding;

/** Builds what the operator sends to Kafka Connect for the inventory database. */
@ConfigurationProperties("inventory.cdc")
public class InventorySource {

    private final String host;
    private final String user;
    private final String password;

    @ConstructorBinding
    public InventorySource(String host, String user, String password) {
        this.host = host;
        this.user = user;
        this.password = password;
    }

    public Map<String, String> config() {
        Map<String, String> c = new LinkedHashMap<>();
        c.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        c.put("tasks.max", "1");
        c.put("database.hostname", host);
        c.put("database.port", "5432");
        c.put("database.user", user);
        c.put("database.password", password);
        c.put("database.dbname", "inventory");
        c.put("topic.prefix", "inventory");
        c.put("plugin.name", "pgoutput");
        c.put("slot.name", "inventory_cdc");
        c.put("publication.name", "inventory_cdc");
        c.put("publication.autocreate.mode", "filtered");
        c.put("table.include.list", "public.stock,public.stock_line,public.bin");
        // stock lines go to the partition of their stock
        c.put("message.key.columns", "public.stock:sku,public.stock_line:sku");
        c.put("snapshot.mode", "initial");
        c.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
        c.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        return c;
    }
}
