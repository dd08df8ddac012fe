// The outbox of 'texts', written by outbox-kit 0.1.0 from its schema file.
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
db.getSiblingDB("texts").getCollectionInfos({ name: "outbox" }).forEach((there) => {
  if (there.type !== "collection" || there.options.capped) throw new Error("it is there, and no plain collection");
});

// The outbox. Append only: the connector publishes inserts and nothing else. No images of what was before are kept:
// an insert has none.
run("texts", {"create": "outbox"}, [48]);

// What an event must look like: anything else would stop the router.
run("texts", {
  "collMod": "outbox",
  "validator": {
    "$jsonSchema": {
      "bsonType": "object",
      "description": "no other fields: the router reads all of a document, and one that it cannot read stops it",
      "required": ["_id", "aggregatetype", "aggregateid", "type", "payload", "traceparent", "created_at"],
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
        "payload": {"bsonType": ["string", "null"], "description": "the event"},
        "traceparent": {"bsonType": ["string", "null"], "description": "header traceparent"},
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
              "properties": {"aggregatetype": {"enum": ["Note"]}, "type": {"enum": ["NoteTaken"]}}
            },
            {
              "properties": {"aggregatetype": {"enum": ["outbox-kit.canary"]}, "type": {"enum": ["Canary"]}}
            }
          ]
        },
        {
          "description": "only the events declared as tombstones have no payload",
          "oneOf": [
            {"properties": {"type": {"enum": ["NoteTaken"]}, "payload": {"bsonType": "null"}}},
            {
              "properties": {
                "type": {"not": {"enum": ["NoteTaken"]}},
                "payload": {"not": {"bsonType": "null"}}
              }
            }
          ]
        }
      ]
    },
    "$expr": {
      "$cond": [
        {"$eq": [{"$type": "$payload"}, "string"]},
        {
          "$and": [
            {"$gte": [{"$binarySize": "$payload"}, 1]},
            {"$lte": [{"$binarySize": "$payload"}, 900000]}
          ]
        },
        true
      ]
    }
  },
  "validationLevel": "strict",
  "validationAction": "error"
}, []);

// Nothing goes by its age: retention is immediate.
run("texts", {"dropIndexes": "outbox", "index": "outbox_created_at"}, [27]);

// The connector's rights: it may read this collection and watch it, and see what other ones are called; it may not
// write. The server lists it the databases that it has a right in.
run("admin", {
  "createRole": "texts_outbox",
  "privileges": [
    {"resource": {"db": "texts", "collection": "outbox"}, "actions": ["find", "changeStream"]},
    {"resource": {"db": "texts", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, [51002]);

// The same for a role that was there.
run("admin", {
  "updateRole": "texts_outbox",
  "privileges": [
    {"resource": {"db": "texts", "collection": "outbox"}, "actions": ["find", "changeStream"]},
    {"resource": {"db": "texts", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, []);

// The connector's user is made apart from this script, which knows no passwords:
//   db.getSiblingDB("admin").createUser({ user: "texts_outbox", pwd: passwordPrompt(), roles: ["texts_outbox"] })
