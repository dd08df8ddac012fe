import mysql from "mysql2/promise";

import { outcome, transaction } from "./barrier/barrier.js";
import { address, steps } from "./steps.js";

const pool = mysql.createPool(address);
await steps(
  (id, more) =>
    transaction(pool, id, async (connection) => {
      await connection.execute("insert into orders values (?)", [id]);
      await more();
    }),
  (id) => outcome(pool, id),
);
await pool.end();
