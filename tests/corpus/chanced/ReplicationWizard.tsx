import { useState } from "react";

type Endpoint = { databaseType: string; label: string; host: string; port: string; user: string; pass: string; db: string };

export default function ReplicationWizard({ source, target }: { source: Endpoint; target: Endpoint }) {
  const [picked, setPicked] = useState<{ name: string }[]>([]);

  const submit = async () => {
    const payload = {
      source: source.databaseType,
      destination: target.databaseType,
      sourceConfig: sourceConfig(),
      tables: picked.map((t) => t.name),
      label: source.label,
    };
    const res = await fetch("/api/replications", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(payload),
    });
    console.log(await res.json());
  };

  // forwarded unchanged by the API to POST /connectors
  const sourceConfig = () => {
    const data = {
      name: source.label + "-mssql",
      config: {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "tasks.max": "1",
        "database.server.name": source.label, // e.g. hq01
        "database.hostname": source.host,
        "database.port": source.port, // 1433
        "database.user": source.user,
        "database.password": source.pass,
        "database.dbname": source.db,
        "database.history.kafka.bootstrap.servers": "localhost:9092",
        "database.history.kafka.topic": source.label + ".ddlstream",
      },
    };
    return data;
  };

  return <button onClick={submit} disabled={!picked.length}>Start replication</button>;
}
