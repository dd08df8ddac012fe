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
          "required": ["_id", "aggregatetype", "aggregateid", "type", "payload", "sequence", "created_at"],
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
          "required": [
            "_id",
            "aggregatetype",
            "aggregateid",
            "type",
            "payload",
            "sequence",
            "t",
            "n",
            "f",
            "u",
            "p",
            "maybe",
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
            "t": {"bsonType": "string", "description": "header t"},
            "n": {"bsonType": ["long", "int"], "description": "header n"},
            "f": {"bsonType": "bool", "description": "header f"},
            "u": {
              "bsonType": "string",
              "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)",
              "description": "header u"
            },
            "p": {"bsonType": "int", "minimum": 0, "maximum": 5, "description": "partition"},
            "maybe": {"bsonType": ["string", "null"], "description": "header maybe"},
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
      }
    ]
  },
  "validationLevel": "strict",
  "validationAction": "error"
}, []);

// MIGRATE: while both may write

// 2. outbox-kit deploy-connector --probe
//    when: after the last old writer is gone, and the connector has passed its last event, which lacks what is read
//          from now on
//    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
//   ~ transforms.outbox.collection.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence -> type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence,t:header:t,n:header:n,f:header:f,u:header:u,p:partition,maybe:header:maybe [wire]

// 3. fill 't', 'n', 'f', 'u', 'p', 'maybe'
//    when: after the last old writer is gone; before that where it is only a new name
//    why: events from before have nothing there; put in what you know better than this script does
fill("shop", "outbox", {"t": {"$exists": false}}, [{"$set": {"t": ""}}]);
fill("shop", "outbox", {"n": {"$exists": false}}, [{"$set": {"n": 0}}]);
fill("shop", "outbox", {"f": {"$exists": false}}, [{"$set": {"f": false}}]);
fill("shop", "outbox", {"u": {"$exists": false}}, [{"$set": {"u": "00000000-0000-0000-0000-000000000000"}}]);
fill("shop", "outbox", {"p": {"$exists": false}}, [{"$set": {"p": 0}}]);
fill("shop", "outbox", {"maybe": {"$exists": false}}, [{"$set": {"maybe": null}}]);

// CONTRACT: when nobody needs the old any more

// 4. let the validator pass only what the new code writes
//    when: after the last old writer is gone
//    why: what nobody may write any more; the server does not look at documents that are there

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
        "t",
        "n",
        "f",
        "u",
        "p",
        "maybe",
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
        "t": {"bsonType": "string", "description": "header t"},
        "n": {"bsonType": ["long", "int"], "description": "header n"},
        "f": {"bsonType": "bool", "description": "header f"},
        "u": {
          "bsonType": "string",
          "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)",
          "description": "header u"
        },
        "p": {"bsonType": "int", "minimum": 0, "maximum": 5, "description": "partition"},
        "maybe": {"bsonType": ["string", "null"], "description": "header maybe"},
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
              "properties": {"aggregatetype": {"enum": ["outbox-kit.canary"]}, "type": {"enum": ["Canary"]}}
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
