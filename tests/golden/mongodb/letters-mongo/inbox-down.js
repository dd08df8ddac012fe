// The inbox of those who read the events of 'letters-mongo', written by outbox-kit 0.1.0 from its schema file.
// Change the schema file, not this script. Removes the inbox: what comes again will be handled again.

// It is for the consumer's own database: put that one's name here, where it is another one.
// Runs one command; passes: the error codes that are well, because what is asked for is there, or gone, already.
function run(database, command, passes) {
  try {
    db.getSiblingDB(database).runCommand(command);
  } catch (error) {
    if (!passes.includes(error.code)) throw error;
  }
}

// What comes again will be handled again.
run("shop", {"drop": "inbox"}, [26]);

run("admin", {"dropRole": "letters_mongo_inbox"}, [31]);
