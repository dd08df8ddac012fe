import mysql from "mysql2/promise";

import { once } from "./box/inbox.js";
import { publish } from "./box/outbox.js";
import { address, placed, told, traced } from "./shop.js";

const pool = mysql.createPool(address);
const connection = await pool.getConnection();
const sent = await traced(async () => {
  await connection.beginTransaction();
  await publish(connection, "7", placed, { tenant: "eu" });
  await connection.rollback();
  await connection.beginTransaction();
  const id = await publish(connection, "7", placed, { tenant: "eu" });
  await connection.commit();
  return id;
});
connection.release();
await told(sent, (messageId, fail) =>
  once(pool, "node-mysql2", messageId, async (own) => {
    await own.execute("insert into work values (?, ?)", ["node-mysql2", messageId]);
    if (fail) throw new Error("undone");
  }),
);
await pool.end();
