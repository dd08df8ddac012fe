// The outbox of 'orders-mongo', written by outbox-kit 0.1.0 from its schema file.
// Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.

// Runs one command; passes: the error codes that are well, because what is asked for is there, or gone, already.
function run(database, command, passes) {
  try {
    db.getSiblingDB(database).runCommand(command);
  } catch (error) {
    if (!passes.includes(error.code)) throw error;
  }
}

// The connector can watch and read nothing else than a plain collection from which nothing goes unasked.
db.getSiblingDB("shop").getCollectionInfos({ name: "outbox" }).forEach((there) => {
  if (there.type !== "collection" || there.options.capped) throw new Error("it is there, and no plain collection");
});

// The outbox. Append only: the connector publishes inserts and nothing else. No images of what was before are kept:
// an insert has none.
run("shop", {"create": "outbox"}, [48]);

// What an event must look like: anything else would stop the router.
run("shop", {
  "collMod": "outbox",
  "validator": {
    "$jsonSchema": {
      "bsonType": "object",
      "description": "no other fields: the router reads all of a document, and one that it cannot read stops it",
      "required": [
        "_id",
        "aggregatetype",
        "aggregateid",
        "type",
        "payload",
        "sequence",
        "tenant",
        "urgent",
        "created_at"
      ],
      "additionalProperties": false,
      "properties": {
        "_id": {
          "bsonType": "string",
          "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)",
          "description": "the event's id: header id, what consumers deduplicate by"
        },
        "aggregatetype": {"bsonType": "string", "description": "what changed"},
        "aggregateid": {
          "bsonType": "string",
          "minLength": 1,
          "description": "which one changed: the message key"
        },
        "type": {"bsonType": "string", "description": "what happened: header eventType"},
        "payload": {
          "bsonType": ["object", "null"],
          "description": "the event, a document; an array in it holds values of one type, or the router fails"
        },
        "sequence": {
          "bsonType": ["long", "int"],
          "description": "the aggregate's version: 1, 2, 3: header sequence"
        },
        "tenant": {"bsonType": "string", "description": "header tenantId"},
        "urgent": {"bsonType": "bool", "description": "header urgent"},
        "created_at": {
          "bsonType": "date",
          "description": "for retention; not read by the router; the application writes it"
        }
      },
      "allOf": [
        {
          "description": "a misspelt event would go to a topic that nobody reads",
          "anyOf": [
            {
              "properties": {
                "aggregatetype": {"enum": ["Order"]},
                "type": {"enum": ["OrderDeleted", "OrderPlaced"]}
              }
            },
            {
              "properties": {"aggregatetype": {"enum": ["outbox-kit.canary"]}, "type": {"enum": ["Canary"]}}
            }
          ]
        },
        {
          "description": "only the events declared as tombstones have no payload",
          "oneOf": [
            {
              "properties": {"type": {"enum": ["OrderDeleted"]}, "payload": {"bsonType": "null"}}
            },
            {
              "properties": {
                "type": {"not": {"enum": ["OrderDeleted"]}},
                "payload": {"not": {"bsonType": "null"}}
              }
            }
          ]
        }
      ]
    },
    "$expr": {
      "$cond": [
        {"$eq": [{"$type": "$payload"}, "object"]},
        {
          "$and": [
            {"$gte": [{"$bsonSize": "$payload"}, 1]},
            {"$lte": [{"$bsonSize": "$payload"}, 900000]}
          ]
        },
        true
      ]
    }
  },
  "validationLevel": "strict",
  "validationAction": "error"
}, []);

// One version of an aggregate is one event: two writers with the same version cannot both commit. A sharded
// collection is sharded by this index's beginning, aggregatetype and aggregateid.
run("shop", {
  "createIndexes": "outbox",
  "indexes": [
    {
      "key": {"aggregatetype": 1, "aggregateid": 1, "sequence": 1},
      "name": "outbox_version",
      "unique": true
    }
  ]
}, []);

// The server takes events away by itself, 7 days old; the connector passes over that.
run("shop", {
  "createIndexes": "outbox",
  "indexes": [{"key": {"created_at": 1}, "name": "outbox_created_at", "expireAfterSeconds": 604800}]
}, [85]);

// The same for an index that was there.
run("shop", {"collMod": "outbox", "index": {"name": "outbox_created_at", "expireAfterSeconds": 604800}}, []);

// The connector's rights: it may read this collection and watch it, and see what other ones are called; it may not
// write. The server lists it the databases that it has a right in.
run("admin", {
  "createRole": "orders_mongo_outbox",
  "privileges": [
    {"resource": {"db": "shop", "collection": "outbox"}, "actions": ["find", "changeStream"]},
    {"resource": {"db": "shop", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, [51002]);

// The same for a role that was there.
run("admin", {
  "updateRole": "orders_mongo_outbox",
  "privileges": [
    {"resource": {"db": "shop", "collection": "outbox"}, "actions": ["find", "changeStream"]},
    {"resource": {"db": "shop", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, []);

// The connector's user is made apart from this script, which knows no passwords:
//   db.getSiblingDB("admin").createUser({ user: "orders_mongo_outbox", pwd: passwordPrompt(), roles: ["orders_mongo_outbox"] })
