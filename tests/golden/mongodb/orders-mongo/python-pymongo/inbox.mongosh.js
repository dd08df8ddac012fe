// The inbox of those who read the events of 'orders-mongo', written by outbox-kit 0.1.0 from its schema file.
// Change the schema file, not this script. For the consumer's own database. Can be run again at any time.

// It is for the consumer's own database: put that one's name here, where it is another one.
// Runs one command; passes: the error codes that are well, because what is asked for is there, or gone, already.
function run(database, command, passes) {
  try {
    db.getSiblingDB(database).runCommand(command);
  } catch (error) {
    if (!passes.includes(error.code)) throw error;
  }
}

// A message that is in it has been handled, once for each consumer.
run("shop", {"create": "inbox"}, [48]);

// A row that lacks one of these would not be found again.
run("shop", {
  "collMod": "inbox",
  "validator": {
    "$jsonSchema": {
      "bsonType": "object",
      "properties": {
        "consumer": {"bsonType": "string"},
        "message_id": {"bsonType": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)"},
        "received_at": {"bsonType": "date"}
      },
      "required": ["consumer", "message_id", "received_at"]
    }
  },
  "validationLevel": "strict",
  "validationAction": "error"
}, []);

// The second of two inserts is refused, and its transaction with it: the message was handled.
run("shop", {
  "createIndexes": "inbox",
  "indexes": [{"key": {"consumer": 1, "message_id": 1}, "name": "inbox_handled", "unique": true}]
}, []);

// The server takes them away by itself, 14 days old. A message can come again for as long as its row is in the
// outbox, and then as long as its topic keeps it, a week unless told otherwise.
run("shop", {
  "createIndexes": "inbox",
  "indexes": [{"key": {"received_at": 1}, "name": "inbox_received_at", "expireAfterSeconds": 1209600}]
}, [85]);

// The same for an index that was there.
run("shop", {"collMod": "inbox", "index": {"name": "inbox_received_at", "expireAfterSeconds": 1209600}}, []);

// What a consumer may: remember a message, and forget it. Grant the role to the consumer's user.
run("admin", {
  "createRole": "orders_mongo_inbox",
  "privileges": [
    {
      "resource": {"db": "shop", "collection": "inbox"},
      "actions": ["find", "insert", "remove"]
    }
  ],
  "roles": []
}, [51002]);

// The same for a role that was there.
run("admin", {
  "updateRole": "orders_mongo_inbox",
  "privileges": [
    {
      "resource": {"db": "shop", "collection": "inbox"},
      "actions": ["find", "insert", "remove"]
    }
  ],
  "roles": []
}, []);
