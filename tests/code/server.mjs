// What a MongoDB shell's `db` would do to collections, indexes and roles, with a query library in the server's place.
import { readFileSync } from "node:fs";
import { Aggregator, Query, updateMany } from "mingo";

let collections, roles;
const revived = (key, held) =>
  held && typeof held === "object" && "when" in held ? new Date(held.when)
    : held && typeof held === "object" && "bytes" in held ? new Uint8Array(Buffer.from(held.bytes, "base64")) : held;
const shown = (held) =>
  held instanceof Date ? { when: held.getTime() }
    : held instanceof Uint8Array ? { bytes: Buffer.from(held).toString("base64") }
      : Array.isArray(held) ? held.map(shown)
        : held && typeof held === "object" ? Object.fromEntries(Object.entries(held).map(([name, one]) => [name, shown(one)]))
          : held;

function refuse(code, why) {
  throw Object.assign(new Error(why), { code });
}

function known(name) {
  return collections[name] ?? refuse(26, `no collection ${name}`);
}

function unique(collection, index) {
  if (!index.unique) return;
  const keys = collection.documents.map((one) => JSON.stringify(Object.keys(index.key).map((name) => one[name] ?? null)));
  if (new Set(keys).size !== keys.length) refuse(11000, `two documents alike in ${index.name}`);
}

const COMMANDS = {
  create: (name) => {
    if (collections[name]) refuse(48, "it is there");
    collections[name] = { validator: null, indexes: {}, documents: [] };
  },
  drop: (name) => delete collections[known(name) && name],
  collMod: (name, { validator, index }) => {
    if (validator) known(name).validator = validator;
    if (index) (known(name).indexes[index.name] ?? refuse(27, "no such index")).expireAfterSeconds = index.expireAfterSeconds;
  },
  createIndexes: (name, { indexes }) => {
    for (const index of indexes) {
      const there = known(name).indexes[index.name];
      if (there && JSON.stringify(there.key) !== JSON.stringify(index.key)) refuse(86, "another one has the name");
      if (there && there.expireAfterSeconds !== index.expireAfterSeconds) refuse(85, "it has other options");
      unique(known(name), index);
      known(name).indexes[index.name] = { ...index };
    }
  },
  dropIndexes: (name, { index }) => {
    if (!known(name).indexes[index]) refuse(27, "no such index");
    delete known(name).indexes[index];
  },
  createRole: (name, { privileges }) => {
    if (roles[name]) refuse(51002, "it is there");
    roles[name] = privileges;
  },
  updateRole: (name, { privileges }) => {
    roles[roles[name] ? name : refuse(31, "no such role")] = privileges;
  },
  dropRole: (name) => delete roles[roles[name] ? name : refuse(31, "no such role")],
  dropUser: () => refuse(11, "no such user"),
  aggregate: (name, { pipeline, bypassDocumentValidation }) => {
    if (!bypassDocumentValidation) refuse(121, "the validator would be asked");
    new Aggregator(pipeline, { collectionResolver: (into) => known(into).documents }).run(known(name).documents);
  },
};

const db = {
  getSiblingDB: () => ({
    getCollectionInfos: () => [],
    runCommand: (command) => {
      const [[verb, name]] = Object.entries(command);
      COMMANDS[verb](name, command);
    },
    getCollection: (name) => ({
      find: (filter, projection) => {
        const cursor = new Query(filter).find(known(name).documents, projection);
        return Object.assign(cursor, { toArray: () => cursor.all() });
      },
      updateMany: (filter, pipeline, { bypassDocumentValidation }) => {
        if (!bypassDocumentValidation) refuse(121, "the validator would be asked");
        return updateMany(known(name).documents, filter, pipeline);
      },
    }),
  }),
};

function done({ script, collection, insert }) {
  if (script) new Function("db", script)(db);
  else {
    known(collection).documents.push(...insert);
    for (const index of Object.values(known(collection).indexes)) unique(known(collection), index);
  }
  return shown(structuredClone({ collections, roles }));
}

const jobs = JSON.parse(readFileSync(0, "utf8"), revived);
console.log(JSON.stringify(jobs.map((actions) => {
  [collections, roles] = [{}, {}];
  return actions.map(done);
})));
