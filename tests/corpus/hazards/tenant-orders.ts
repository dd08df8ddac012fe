import { ConnectClient } from "./connect-client";

/**
 * All events of one tenant must be in one partition: the message key is the
 * tenant, not the primary key of the row.
 */
export const tenantOrders = {
  name: "tenant-orders",
  config: {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": process.env.ORDERS_PG_HOST ?? "orders-pg",
    "database.port": "5432",
    "database.user": "${env:ORDERS_PG_USER}",
    "database.password": "${env:ORDERS_PG_PASSWORD}",
    "database.dbname": "orders",
    "topic.prefix": "orders",
    "plugin.name": "pgoutput",
    "slot.name": "tenant_orders",
    "publication.name": "tenant_orders",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "shop.purchase,shop.purchase_line",
    "message.key.columns": "purchase:tenant_id;purchase_line:tenant_id",
    "decimal.handling.mode": "string",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
  },
};

if (require.main === module) {
  new ConnectClient(process.env.CONNECT_URL!).upsert(tenantOrders);
}
