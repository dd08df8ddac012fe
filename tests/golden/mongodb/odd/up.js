// The outbox of 'odd', written by outbox-kit 0.1.0 from its schema file.
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
db.getSiblingDB("odd`Db").getCollectionInfos({ name: "sel'e\"ct\\" }).forEach((there) => {
  if (there.type !== "collection" || there.options.capped) throw new Error("it is there, and no plain collection");
});

// The outbox. Append only: the connector publishes inserts and nothing else. No images of what was before are kept:
// an insert has none.
run("odd`Db", {"create": "sel'e\"ct\\"}, [48]);

// What an event must look like: anything else would stop the router.
run("odd`Db", {
  "collMod": "sel'e\"ct\\",
  "validator": {
    "$jsonSchema": {
      "bsonType": "object",
      "description": "no other fields: the router reads all of a document, and one that it cannot read stops it",
      "required": ["eventId", "group", "user", "table", "whe\"re", "version", "destination", "slot", "At"],
      "additionalProperties": false,
      "properties": {
        "_id": {},
        "eventId": {
          "bsonType": "string",
          "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)",
          "description": "the event's id: header id, what consumers deduplicate by"
        },
        "group": {"bsonType": "string", "description": "what changed"},
        "user": {
          "bsonType": "string",
          "minLength": 1,
          "description": "which one changed: the message key"
        },
        "table": {"bsonType": "string", "description": "what happened: header eventType"},
        "whe\"re": {"bsonType": "binData", "description": "the event, serialised"},
        "version": {
          "bsonType": ["long", "int"],
          "description": "the aggregate's version: 1, 2, 3: header sequence"
        },
        "destination": {
          "bsonType": "string",
          "pattern": "^[A-Za-z0-9._-]{1,200}$(?!\\n)",
          "description": "header destination"
        },
        "slot": {"bsonType": "int", "minimum": 0, "maximum": 5, "description": "partition"},
        "_class": {"bsonType": ["string", "null"], "description": "not published"},
        "At": {
          "bsonType": "date",
          "description": "for retention; not read by the router; the application writes it"
        }
      },
      "allOf": [
        {
          "description": "a misspelt event would go to a topic that nobody reads",
          "anyOf": [
            {
              "properties": {"group": {"enum": ["Order"]}, "table": {"enum": ["It's \\ placed"]}}
            },
            {
              "properties": {"group": {"enum": ["outbox-kit.canary"]}, "table": {"enum": ["Canary"]}}
            }
          ]
        }
      ]
    },
    "$expr": {
      "$cond": [
        {"$eq": [{"$type": "$whe\"re"}, "binData"]},
        {
          "$and": [
            {"$gte": [{"$binarySize": "$whe\"re"}, 1]},
            {"$lte": [{"$binarySize": "$whe\"re"}, 900000]}
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
// collection is sharded by this index's beginning, group and user.
run("odd`Db", {
  "createIndexes": "sel'e\"ct\\",
  "indexes": [
    {"key": {"eventId": 1}, "name": "sel'e\"ct\\_id", "unique": true},
    {
      "key": {"group": 1, "user": 1, "version": 1},
      "name": "sel'e\"ct\\_version",
      "unique": true
    }
  ]
}, []);

// Nothing goes by its age: retention is keep.
run("odd`Db", {"dropIndexes": "sel'e\"ct\\", "index": "sel'e\"ct\\_At"}, [27]);

// The connector's rights: it may read this collection and watch it, and see what other ones are called; it may not
// write. The server lists it the databases that it has a right in.
run("admin", {
  "createRole": "odd\"cdc\\",
  "privileges": [
    {
      "resource": {"db": "odd`Db", "collection": "sel'e\"ct\\"},
      "actions": ["find", "changeStream"]
    },
    {"resource": {"db": "odd`Db", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, [51002]);

// The same for a role that was there.
run("admin", {
  "updateRole": "odd\"cdc\\",
  "privileges": [
    {
      "resource": {"db": "odd`Db", "collection": "sel'e\"ct\\"},
      "actions": ["find", "changeStream"]
    },
    {"resource": {"db": "odd`Db", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, []);

// The connector's user is made apart from this script, which knows no passwords:
//   db.getSiblingDB("admin").createUser({ user: "odd\"cdc\\", pwd: passwordPrompt(), roles: ["odd\"cdc\\"] })
