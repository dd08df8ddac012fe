// The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
// Each statement stands alone, in no transaction around all of them, and can be run again.

// Runs one command; passes: the error codes that are well, because what is asked for is there, or gone, already.
function run(database, command, passes) {
  try {
    db.getSiblingDB(database).runCommand(command);
  } catch (error) {
    if (!passes.includes(error.code)) throw error;
  }
}

// Changes documents from before, 5,000 at a time. The connector's stream has no updates in it, and the validator is not
// asked: it says what is written now. Whoever runs this needs the rights of readWrite and dbAdmin.
function fill(database, name, filter, pipeline) {
  const there = db.getSiblingDB(database).getCollection(name);
  for (;;) {
    const ids = there.find(filter, { _id: 1 }).limit(5000).toArray().map((found) => found._id);
    const some = { _id: { $in: ids }, ...filter };
    if (!ids.length || !there.updateMany(some, pipeline, { bypassDocumentValidation: true }).modifiedCount) return;
  }
}

// EXPAND: before the new code is deployed; the old code does not notice

// 1. let the validator pass what both may write
//    when: before the new code is deployed
//    why: events that only the new code writes must not be refused

// What an event must look like: anything else would stop the router.
run("shop", {
  "collMod": "outbox",
  "validator": {
    "$or": [
      {
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
              "bsonType": "object",
              "description": "the event, a document; an array in it holds values of one type, or the router fails"
            },
            "sequence": {
              "bsonType": ["long", "int"],
              "description": "the aggregate's version: 1, 2, 3: header sequence"
            },
            "tenant": {"bsonType": "string", "description": "header tenant"},
            "created_at": {
              "bsonType": "date",
              "description": "for retention; not read by the router; the application writes it"
            }
          },
          "allOf": [
            {
              "description": "a misspelt event would go to a topic that nobody reads",
              "anyOf": [
                {"properties": {"aggregatetype": {"enum": ["Order"]}, "type": {"enum": ["A"]}}},
                {
                  "properties": {
                    "aggregatetype": {"enum": ["outbox-kit.canary"]},
                    "type": {"enum": ["Canary"]}
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
      {
        "$jsonSchema": {
          "bsonType": "object",
          "description": "no other fields: the router reads all of a document, and one that it cannot read stops it",
          "required": ["_id", "kind", "the key", "it's", "body", "sequence", "who", "At"],
          "additionalProperties": false,
          "properties": {
            "_id": {
              "bsonType": "string",
              "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)",
              "description": "the event's id: header id, what consumers deduplicate by"
            },
            "kind": {"bsonType": "string", "description": "what changed"},
            "the key": {
              "bsonType": "string",
              "minLength": 1,
              "description": "which one changed: the message key"
            },
            "it's": {"bsonType": "string", "description": "what happened: header eventType"},
            "body": {
              "bsonType": "object",
              "description": "the event, a document; an array in it holds values of one type, or the router fails"
            },
            "sequence": {
              "bsonType": ["long", "int"],
              "description": "the aggregate's version: 1, 2, 3: header sequence"
            },
            "who": {"bsonType": "string", "description": "header tenant"},
            "At": {
              "bsonType": "date",
              "description": "for retention; not read by the router; the application writes it"
            }
          },
          "allOf": [
            {
              "description": "a misspelt event would go to a topic that nobody reads",
              "anyOf": [
                {"properties": {"kind": {"enum": ["Order"]}, "it's": {"enum": ["A"]}}},
                {
                  "properties": {"kind": {"enum": ["outbox-kit.canary"]}, "it's": {"enum": ["Canary"]}}
                }
              ]
            }
          ]
        },
        "$expr": {
          "$cond": [
            {"$eq": [{"$type": "$body"}, "object"]},
            {
              "$and": [
                {"$gte": [{"$bsonSize": "$body"}, 1]},
                {"$lte": [{"$bsonSize": "$body"}, 900000]}
              ]
            },
            true
          ]
        }
      }
    ]
  },
  "validationLevel": "strict",
  "validationAction": "error"
}, []);

// 2. drop the index 'outbox_version'
//    when: before the new code is deployed
//    why: where the new code leaves its fields out, all its events would be the same event

run("shop", {"dropIndexes": "outbox", "index": "outbox_version"}, [27]);

// 3. drop the index 'outbox_created_at'
//    when: before the new code is deployed
//    why: nothing goes by its field any more

run("shop", {"dropIndexes": "outbox", "index": "outbox_created_at"}, [27]);

// MIGRATE: while both may write

// 4. outbox-kit deploy-connector --probe
//    when: while nobody writes, and after the connector has passed the last row (outbox-kit status); then the
//          connector's new config, then the new code
//    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
//   ~ transforms.outbox.collection.field.event.key = aggregateid -> the key [wire]
//   ~ transforms.outbox.collection.field.event.payload = payload -> body [wire]
//   ~ transforms.outbox.collection.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence,tenant:header:tenant -> it's:header:eventType,kind:header:aggregateType,sequence:header:sequence,who:header:tenant [wire]
//   ~ transforms.outbox.route.by.field = aggregatetype -> kind [wire]

// 5. fill 'kind', 'the key', 'it's', 'body', 'who', 'At'
//    when: after the last old writer is gone; before that where it is only a new name
//    why: events from before have nothing there; put in what you know better than this script does
fill("shop", "outbox", {"kind": {"$exists": false}, "aggregatetype": {"$exists": true}}, [{"$set": {"kind": "$aggregatetype"}}]);
fill("shop", "outbox", {"the key": {"$exists": false}, "aggregateid": {"$exists": true}}, [{"$set": {"the key": "$aggregateid"}}]);
fill("shop", "outbox", {"it's": {"$exists": false}, "type": {"$exists": true}}, [{"$set": {"it's": "$type"}}]);
fill("shop", "outbox", {"body": {"$exists": false}, "payload": {"$exists": true}}, [{"$set": {"body": "$payload"}}]);
fill("shop", "outbox", {"who": {"$exists": false}, "tenant": {"$exists": true}}, [{"$set": {"who": "$tenant"}}]);
fill("shop", "outbox", {"At": {"$exists": false}, "created_at": {"$exists": true}}, [{"$set": {"At": "$created_at"}}]);

// CONTRACT: when nobody needs the old any more

// 6. let the validator pass only what the new code writes
//    when: after the last old writer is gone
//    why: what nobody may write any more; the server does not look at documents that are there

// What an event must look like: anything else would stop the router.
run("shop", {
  "collMod": "outbox",
  "validator": {
    "$jsonSchema": {
      "bsonType": "object",
      "description": "no other fields: the router reads all of a document, and one that it cannot read stops it",
      "required": ["_id", "kind", "the key", "it's", "body", "sequence", "who", "At"],
      "additionalProperties": false,
      "properties": {
        "_id": {
          "bsonType": "string",
          "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)",
          "description": "the event's id: header id, what consumers deduplicate by"
        },
        "kind": {"bsonType": "string", "description": "what changed"},
        "the key": {
          "bsonType": "string",
          "minLength": 1,
          "description": "which one changed: the message key"
        },
        "it's": {"bsonType": "string", "description": "what happened: header eventType"},
        "body": {
          "bsonType": "object",
          "description": "the event, a document; an array in it holds values of one type, or the router fails"
        },
        "sequence": {
          "bsonType": ["long", "int"],
          "description": "the aggregate's version: 1, 2, 3: header sequence"
        },
        "who": {"bsonType": "string", "description": "header tenant"},
        "At": {
          "bsonType": "date",
          "description": "for retention; not read by the router; the application writes it"
        }
      },
      "allOf": [
        {
          "description": "a misspelt event would go to a topic that nobody reads",
          "anyOf": [
            {"properties": {"kind": {"enum": ["Order"]}, "it's": {"enum": ["A"]}}},
            {
              "properties": {"kind": {"enum": ["outbox-kit.canary"]}, "it's": {"enum": ["Canary"]}}
            }
          ]
        }
      ]
    },
    "$expr": {
      "$cond": [
        {"$eq": [{"$type": "$body"}, "object"]},
        {
          "$and": [{"$gte": [{"$bsonSize": "$body"}, 1]}, {"$lte": [{"$bsonSize": "$body"}, 900000]}]
        },
        true
      ]
    }
  },
  "validationLevel": "strict",
  "validationAction": "error"
}, []);

// 7. make the index 'outbox_version'
//    when: after the last old writer is gone
//    why: every event has its fields by now

run("shop", {
  "createIndexes": "outbox",
  "indexes": [{"key": {"kind": 1, "the key": 1, "sequence": 1}, "name": "outbox_version", "unique": true}]
}, []);

// 8. let events go 7 days after 'At'
//    when: after the last old writer is gone

run("shop", {
  "createIndexes": "outbox",
  "indexes": [{"key": {"At": 1}, "name": "outbox_At", "expireAfterSeconds": 604800}]
}, [85]);

// The same for an index that was there.
run("shop", {"collMod": "outbox", "index": {"name": "outbox_At", "expireAfterSeconds": 604800}}, []);

// 9. take 'aggregatetype', 'aggregateid', 'type', 'payload', 'tenant', 'created_at' out of the documents
//    when: after the last old writer is gone, and after the connector runs with its new config
//    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
// fill("shop", "outbox", {"aggregatetype": {"$exists": true}}, [{"$unset": "aggregatetype"}]);
// fill("shop", "outbox", {"aggregateid": {"$exists": true}}, [{"$unset": "aggregateid"}]);
// fill("shop", "outbox", {"type": {"$exists": true}}, [{"$unset": "type"}]);
// fill("shop", "outbox", {"payload": {"$exists": true}}, [{"$unset": "payload"}]);
// fill("shop", "outbox", {"tenant": {"$exists": true}}, [{"$unset": "tenant"}]);
// fill("shop", "outbox", {"created_at": {"$exists": true}}, [{"$unset": "created_at"}]);
