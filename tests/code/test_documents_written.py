"""What the generated TypeScript writes into MongoDB, run with the driver's own sessions, which reach no server."""

from pathlib import Path
from typing import Any

import bson
import pytest

from tests.code.mongosh import run
from tests.support.documents import OUTBOXES, accepts
from tests.support.toolchain import generated, tsc

PUBLISHED = {
    "orders-mongo": (
        "event.orderPlaced({ at: 1_700_000_000_000, share: 0.5, count: 2 }), "
        '{ sequence: 1n, tenant: "blue", urgent: false }'
    ),
    "odd": 'event.itSPlaced(new Uint8Array([1])), { version: 2n ** 40n, destination: "paris", slot: 5 }',
    "texts": "event.noteTaken()",
}
MAIN = """
import { BSON, type ClientSession, type Db, MongoClient, MongoServerError } from "mongodb";
import * as event from "./events.js";
import { once } from "./inbox.js";
import { publish } from "./outbox.js";

const kept: string[] = [];
const remembered = new Set<string>();
const client = new MongoClient("mongodb://127.0.0.1:1");
const collection = (name: string) => ({
  insertOne: async (document: BSON.Document, { session }: { session: ClientSession }) => {
    if (!session.inTransaction()) throw new Error("not in the transaction");
    if (name !== "inbox") {
      kept.push(Buffer.from(BSON.serialize(document)).toString("hex"));
    } else if (remembered.has(document["consumer"])) {
      throw new MongoServerError({ message: "E11000", code: 11000 });
    } else {
      remembered.add(document["consumer"]);
    }
  },
});
const database = { client, collection } as unknown as Db;
const id = await client.withSession((session) =>
  session.withTransaction(() => publish(database, session, "1001", PUBLISHED)),
);
const outside = await client.withSession((session) =>
  publish(database, session, "1001", PUBLISHED).catch((error: Error) => error.message),
);
const handled: boolean[] = [];
const found = [];
for (const consumer of ["billing", "billing", "mail"]) {
  found.push(await once(database, consumer, id, async (session) => void handled.push(session.inTransaction())));
}
const own = await once(database, "failing", id, async () => {
  throw new MongoServerError({ message: "of an invoice", code: 11000 });
}).catch((error: Error) => error.message);
console.log(JSON.stringify({ id, kept, outside, found, handled, own }));
"""


@pytest.mark.parametrize("service", PUBLISHED)
def test_the_validator_takes_what_is_published_and_a_message_is_handled_once(service: str, tmp_path: Path) -> None:
    outbox = OUTBOXES[service]
    folder = generated(outbox, "node-mongodb", tmp_path / "outbox")
    (folder / "main.ts").write_text(MAIN.replace("PUBLISHED", PUBLISHED[service]))
    tsc(tmp_path)
    found: dict[str, Any] = run('await import("./outbox/main.js");', None, tmp_path)

    document = bson.decode(bytes.fromhex(*found["kept"]))
    assert accepts(outbox, document)
    assert document[outbox.table.columns.id] == found["id"]
    if service == "orders-mongo":
        payload = document[outbox.table.columns.payload]
        assert payload == {"at": 1_700_000_000_000, "share": 0.5, "count": 2}
        assert [type(one) for one in payload.values()] == [bson.Int64, float, int]
    assert found["outside"] == "publish an event within the session's transaction"
    assert (found["found"], found["handled"]) == ([True, False, True], [True, True])
    assert found["own"] == "of an invoice"
