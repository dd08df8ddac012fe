/**
 * Every tenant has its own database on the shared cluster "tenants-pg".
 * One connector for each of them.
 */
const TENANTS = ["alpine", "coastal", "urban"] as const;

const base = {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",
  "slot.name": "rentals_cdc",
  "publication.name": "rentals_cdc",
  "publication.autocreate.mode": "filtered",
  "database.hostname": "tenants-pg",
  "database.port": "5432",
  "database.user": "${file:/etc/kafka-connect/tenants.properties:user}",
  "database.password": "${file:/etc/kafka-connect/tenants.properties:password}",
  "table.include.list": "rent.booking,rent.flat",
};

async function main(): Promise<void> {
  for (const tenant of TENANTS) {
    const res = await fetch(`${process.env.CONNECT_URL}/connectors/rentals-${tenant}/config`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        ...base,
        "database.dbname": `rentals_${tenant}`,
        "topic.prefix": `rentals-${tenant}`,
      }),
    });
    console.log(tenant, res.status);
  }
}

main();
