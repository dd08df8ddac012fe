// The outbox of 'odd', written by outbox-kit 0.1.0 from its schema file.
// Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.

// Runs one command; passes: the error codes that are well, because what is asked for is there, or gone, already.
function run(database, command, passes) {
  try {
    db.getSiblingDB(database).runCommand(command);
  } catch (error) {
    if (!passes.includes(error.code)) throw error;
  }
}

// All events still in it go with it.
run("odd`Db", {"drop": "sel'e\"ct\\"}, [26]);

// The connector's user, and its role.
run("admin", {"dropUser": "odd\"cdc\\"}, [11]);

run("admin", {"dropRole": "odd\"cdc\\"}, [31]);
