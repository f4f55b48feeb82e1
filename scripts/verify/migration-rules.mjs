// Checks that a migration neither blocks a big table nor breaks processes of the former version, which run beside it:
// docs/guides/contributing.md, "How to add a table".
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';

const FOLDER = 'control-plane/src/platform/db/migrations';
/** The rules apply from here on: the baseline runs on an empty database. */
const FIRST_NUMBER = 2;

/** Functions that have the same result for all rows of a statement, so that a default of them is stored once. */
const STABLE = new Set(['now', 'transaction_timestamp', 'statement_timestamp', 'make_interval', 'jsonb_build_object']);
const NAME = String.raw`(?:IF (?:NOT )?EXISTS )?(?:ONLY )?"?([a-z_]\w*)"?`;

/**
 * @param migrations path and source of each, in order; default: those of the control plane
 * @returns the faults of all migrations from `FIRST_NUMBER` on
 */
export async function checkMigrations(migrations = readMigrations()) {
  const known = [];
  return (await migrations).flatMap(({ path, text }) => {
    const faults = numberOf(path) < FIRST_NUMBER ? [] : findFaults(text, known);
    known.push(classOf(text));
    return faults.map((fault) => `${path}: ${fault}`);
  });
}

async function readMigrations() {
  const files = (await readdir(join(ROOT, FOLDER))).filter((name) => /^\d{4}-.*\.ts$/.test(name)).toSorted();
  return await Promise.all(
    files.map(async (name) => ({ path: `${FOLDER}/${name}`, text: await readFile(join(ROOT, FOLDER, name), 'utf8') })),
  );
}

function numberOf(path) {
  return Number(/(\d{4})-[^/]*$/.exec(path)[1]);
}

function classOf(text) {
  return /export class (\w+)/.exec(text)?.[1];
}

/**
 * @param text the source of a migration
 * @param known the names of the migrations before it
 */
function findFaults(text, known) {
  const isInTransaction = !/\btransaction = false\b/.test(text);
  const unusedSince = /\bcontracts = \{\s*unusedSince: '([^']*)'/.exec(text)?.[1];
  const statements = statementsOf(text);
  const created = new Set(
    statements.flatMap((one) => new RegExp(`^CREATE TABLE ${NAME}`, 'i').exec(one)?.[1]?.toLowerCase() ?? []),
  );
  const facts = { created, unusedSince, isInTransaction };
  const faults = statements.flatMap((statement, index) =>
    faultsOf(statement, { ...facts, before: statements.slice(0, index) }),
  );
  if (/\b(?:create|drop)IndexConcurrently\(|\binBatches\(/.test(text) && isInTransaction)
    faults.push('concurrent index builds and batches need `readonly transaction = false`.');
  if (/\bcontracts = /.test(text) && !known.includes(unusedSince))
    faults.push(`\`contracts\` names no earlier migration: ${unusedSince ?? 'nothing'}.`);
  return faults;
}

function faultsOf(statement, { created, unusedSince, isInTransaction, before }) {
  const faults = [];
  const refuse = (pattern, advice) => pattern.test(statement) && faults.push(`${shorten(statement)}: ${advice}.`);
  const index = /^CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?.*? ON (?:ONLY )?"?([a-z_]\w*)/i.exec(statement);
  if (index && !created.has(index[1].toLowerCase()))
    refuse(/./, 'it locks a table that exists; use createIndexConcurrently');
  if (/^DROP INDEX/i.test(statement)) refuse(/./, 'it locks the table; use dropIndexConcurrently');
  if (/^(?:VACUUM FULL|CLUSTER|REINDEX|LOCK|TRUNCATE|REFRESH)\b/i.test(statement)) refuse(/./, 'it locks the table');
  const changed = /^(?:UPDATE|DELETE FROM) (?:ONLY )?"?([a-z_]\w*)/i.exec(statement)?.[1]?.toLowerCase();
  if (changed && !created.has(changed) && isInTransaction)
    refuse(/./, 'it locks all rows that it changes; change them in a migration of its own, with inBatches');
  const dropped = new RegExp(`^DROP TABLE ${NAME}`, 'i').exec(statement)?.[1]?.toLowerCase();
  if (unusedSince === undefined && !created.has(dropped))
    refuse(
      /^(?:DROP (?:TABLE|VIEW|FUNCTION|TYPE|SEQUENCE)|ALTER (?:VIEW|FUNCTION|TYPE|SEQUENCE|INDEX) .*\bRENAME)\b/i,
      CONTRACTS,
    );
  const table = new RegExp(`^ALTER TABLE ${NAME}`, 'i').exec(statement)?.[1]?.toLowerCase();
  if (table && !created.has(table)) {
    const alteredBefore = before.filter((one) => new RegExp(`^ALTER TABLE ${table} `, 'i').test(one));
    faults.push(...faultsOfAlter(statement, { unusedSince, isInTransaction, alteredBefore }));
  }
  return faults;
}

const CONTRACTS =
  "processes of the former version may use it; do it one version later, with `contracts = { unusedSince: '…' }` naming the migration of the first version without it";

function faultsOfAlter(statement, { unusedSince, isInTransaction, alteredBefore }) {
  const faults = [];
  for (const action of actionsOf(statement)) {
    const refuse = (advice) => faults.push(`${shorten(action)}: ${advice}.`);
    if (/^(?:DROP (?:COLUMN )?(?!(?:CONSTRAINT|NOT|DEFAULT)\b)|RENAME\b)/i.test(action) && !unusedSince)
      refuse(CONTRACTS);
    if (/^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/i.test(action) && !unusedSince) refuse(CONTRACTS);
    const isValidated = alteredBefore.some((one) => /\bVALIDATE CONSTRAINT\b/i.test(one));
    if (/^ALTER (?:COLUMN )?\S+ SET NOT NULL/i.test(action) && !isValidated)
      refuse(
        'it reads the whole table under a lock; add CHECK (… IS NOT NULL) NOT VALID in an earlier migration, and VALIDATE CONSTRAINT in a statement before this one',
      );
    const validated = /^VALIDATE CONSTRAINT (\w+)/i.exec(action)?.[1];
    const isAddedHere = alteredBefore.concat(statement).some((one) => one.includes(`ADD CONSTRAINT ${validated} `));
    if (validated && isAddedHere && isInTransaction)
      refuse('it reads the whole table under the lock of ADD CONSTRAINT; validate it in a later migration');
    if (
      /^ADD (?:CONSTRAINT|CHECK|FOREIGN KEY|UNIQUE|PRIMARY KEY|EXCLUDE)\b/i.test(action) &&
      !/\bNOT VALID$|\bUSING INDEX\b/i.test(action)
    )
      refuse(
        'it reads the whole table under a lock; add it NOT VALID (or USING INDEX) and validate it in a later migration',
      );
    if (/^SET (?:LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i.test(action)) refuse('it rewrites the table');
    if (/^ADD (?:COLUMN )?(?!(?:CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY|EXCLUDE)\b)/i.test(action))
      for (const advice of faultsOfColumn(action)) refuse(advice);
  }
  return faults;
}

function faultsOfColumn(action) {
  const faults = [];
  const value = /\bDEFAULT (.*)$/i.exec(action)?.[1];
  if (/\bNOT NULL\b/i.test(action) && value === undefined)
    faults.push('existing rows have no value, and the former version writes none; add a constant DEFAULT');
  const called = [...(value ?? '').matchAll(/\b([a-z_]\w*)\s*\(/gi)].map(([, name]) => name.toLowerCase());
  if (called.some((name) => !STABLE.has(name) && name !== 'check'))
    faults.push(
      'a volatile DEFAULT rewrites the table; set the default in a statement of its own, and fill in batches',
    );
  if (/\b(?:GENERATED|SERIAL|BIGSERIAL|SMALLSERIAL)\b/i.test(action)) faults.push('it rewrites the table');
  if (/\b(?:REFERENCES|UNIQUE|PRIMARY KEY|CHECK)\b/i.test(action))
    faults.push('it reads the whole table under a lock; add the constraint by itself, NOT VALID');
  return faults;
}

/** The statements in the template and string literals of a source, without comments, each on one line; bodies of functions are left out. */
function statementsOf(text) {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const literals = [...code.matchAll(/`([^`]*)`|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g)];
  return literals
    .map(([, template, single, double]) => template ?? single ?? double)
    .flatMap((sql) =>
      sql
        .replaceAll(/--.*$/gm, '')
        .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
        .split(';'),
    )
    .map((sql) => sql.replaceAll(/\s+/g, ' ').trim())
    .filter((sql) => /^[A-Z]+ /i.test(sql));
}

/** The actions of an ALTER TABLE, which commas outside of brackets separate. */
function actionsOf(statement) {
  const list = statement.replace(new RegExp(`^ALTER TABLE ${NAME}\\s*`, 'i'), '');
  const actions = [''];
  let depth = 0;
  for (const sign of list) {
    if (sign === '(') depth++;
    if (sign === ')') depth--;
    if (sign === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += sign;
  }
  return actions.map((action) => action.trim());
}

function shorten(sql) {
  return sql.length > 80 ? `${sql.slice(0, 79)}…` : sql;
}
