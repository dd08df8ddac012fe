// The outbox of 'letters-mongo', written by outbox-kit 0.1.0 from its schema file.
// Change the schema file, not this script. Removes what was added beside its owner's table. Remove the connector first.

// Runs one command; passes: the error codes that are well, because what is asked for is there, or gone, already.
function run(database, command, passes) {
  try {
    db.getSiblingDB(database).runCommand(command);
  } catch (error) {
    if (!passes.includes(error.code)) throw error;
  }
}

// The collection mails is its owner's: nothing here makes, changes or drops it. Its owner goes on to update and
// delete documents as ever: only what is inserted is an event, so that a publisher may work beside the connector.

// The connector's user, and its role.
run("admin", {"dropUser": "letters_mongo_outbox"}, [11]);

run("admin", {"dropRole": "letters_mongo_outbox"}, [31]);
