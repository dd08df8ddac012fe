// The outbox of 'letters-mongo', written by outbox-kit 0.1.0 from its schema file.
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
db.getSiblingDB("shop").getCollectionInfos({ name: "mails" }).forEach((there) => {
  if (there.type !== "collection" || there.options.capped) throw new Error("it is there, and no plain collection");
});

// The collection mails is its owner's: nothing here makes, changes or drops it. Its owner goes on to update and
// delete documents as ever: only what is inserted is an event, so that a publisher may work beside the connector.

// The connector's rights: it may read this collection and watch it, and see what other ones are called; it may not
// write. The server lists it the databases that it has a right in.
run("admin", {
  "createRole": "letters_mongo_outbox",
  "privileges": [
    {"resource": {"db": "shop", "collection": "mails"}, "actions": ["find", "changeStream"]},
    {"resource": {"db": "shop", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, [51002]);

// The same for a role that was there.
run("admin", {
  "updateRole": "letters_mongo_outbox",
  "privileges": [
    {"resource": {"db": "shop", "collection": "mails"}, "actions": ["find", "changeStream"]},
    {"resource": {"db": "shop", "collection": ""}, "actions": ["listCollections"]}
  ],
  "roles": []
}, []);

// The connector's user is made apart from this script, which knows no passwords:
//   db.getSiblingDB("admin").createUser({ user: "letters_mongo_outbox", pwd: passwordPrompt(), roles: ["letters_mongo_outbox"] })
