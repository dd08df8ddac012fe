import pg from "pg";

import { outcome, transaction } from "./barrier/barrier.js";
import { address, steps } from "./steps.js";

const pool = new pg.Pool(address);
await steps(
  (id, more) =>
    transaction(pool, id, async (client) => {
      await client.query("insert into orders values ($1)", [id]);
      await more();
    }),
  (id) => outcome(pool, id),
);
await pool.end();
