import { createHash, randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import pino, { type Logger } from 'pino';
import { Database, type Tx } from '@watchpost/control-plane/platform/db/database';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { entities, migrations } from '@watchpost/control-plane/app/schema';
import { Partitions } from '@watchpost/control-plane/capabilities/results/partitions/partitions';
import { ManualClock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import { PATIENCE_MS } from './eventually.js';
import { testServerUrl } from './test-server.js';

/** What the clocks of most tests show. */
export const NOON = Date.UTC(2026, 10, 21, 12);

/** Which days a test database has the partitions of: those from `NOON` on, or also those from today on. */
export type TestDays = 'noon' | 'today';

/** A database of the test server. */
export interface BareDatabase {
  readonly url: string;
  /** Removes it, and ends the connections that are left. */
  drop(): Promise<void>;
}

/** Each runs one statement in a separate transaction. */
export interface TestStatements {
  sql: Tx['query'];
  /** The first column of the only row. */
  value: Tx['value'];
  /** The first column of each row. */
  column: Tx['column'];
}

/** A database of one test file's own, migrated and empty. */
export interface TestDatabase extends BareDatabase, TestStatements {
  /** Closed by `drop`. */
  readonly database: Database;
}

const MIGRATIONS = fileURLToPath(
  new URL('./migrations/', import.meta.resolve('@watchpost/control-plane/platform/db/migrate')),
);
const TEMPLATE_PREFIX = 'watchpost_template_';
/** Serialises the making of templates over all test processes of a server. */
const TEMPLATE_LOCK = 7_761_001;

const silent: Logger = pino({ level: 'silent' });

/** By name. */
const templates = new Map<string, Promise<void>>();
let schemaHash: Promise<string> | undefined;

export async function createTestDatabase(options: { poolSize?: number; days?: TestDays } = {}): Promise<TestDatabase> {
  const { url, drop } = await cloneTemplate(options.days);
  const database = await Database.open({
    url,
    poolSize: options.poolSize ?? 10,
    connectTimeoutMs: PATIENCE_MS,
    entities,
    migrations,
    logger: silent,
    refusesNesting: true,
  });
  return {
    url,
    database,
    sql: (...statement) => database.transaction((tx) => tx.query(...statement)),
    value: (...statement) => database.transaction((tx) => tx.value(...statement)),
    column: (...statement) => database.transaction((tx) => tx.column(...statement)),
    drop: async () => {
      await database.close();
      await drop();
    },
  };
}

/**
 * A clone of a database that was prepared once, which is far quicker than preparing each.
 * @param days `today` for what works by the system clock, which then finds all that its start makes
 */
export async function cloneTemplate(days: TestDays = 'noon'): Promise<BareDatabase> {
  const template = await ensureTemplate(days);
  // The copy of files takes a third of the processor time of the default strategy, the write-ahead log.
  return createDatabase(`TEMPLATE ${template} STRATEGY file_copy`);
}

/** A database with nothing in it, not even the migrations' tables. The caller drops it. */
export function createBlankDatabase(): Promise<BareDatabase> {
  return createDatabase('');
}

async function createDatabase(options: string): Promise<BareDatabase> {
  const server = await testServerUrl();
  const name = `watchpost_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} ${options}`));
  return {
    url: urlOfDatabase(server, name),
    drop: () =>
      onServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)).then(() => {}),
  };
}

/** @returns the name of the template, which exists */
async function ensureTemplate(days: TestDays): Promise<string> {
  const server = await testServerUrl();
  schemaHash ??= hashOfSchema();
  const plain = TEMPLATE_PREFIX + (await schemaHash);
  const nowMs = Date.now();
  const ofDay = (ms: number) => `${plain}_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`;
  // Yesterday's may be in use by a process that read the clock before midnight.
  const kept = [plain, ofDay(nowMs), ofDay(nowMs - DAY_MS)];
  const ensure = (name: string, from: string, prepare: (url: string) => Promise<void>) => {
    const known = templates.get(name) ?? makeTemplate(server, { name, from, kept, prepare });
    templates.set(name, known);
    return known;
  };
  await ensure(plain, 'template1', (url) => prepareForNoon(url));
  if (days === 'noon') return plain;
  await ensure(ofDay(nowMs), plain, (url) => prepareForToday(url, nowMs));
  return ofDay(nowMs);
}

interface Template {
  name: string;
  /** The database that it begins as a copy of. */
  from: string;
  /** The templates that are in use; all others are dropped. */
  kept: readonly string[];
  prepare(url: string): Promise<void>;
}

async function makeTemplate(server: string, { name, from, kept, prepare }: Template): Promise<void> {
  await onServer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await dropAbandoned(client);
    const known = await client.query<{ datname: string; datistemplate: boolean }>(
      `SELECT datname, datistemplate FROM pg_database WHERE datname LIKE $1`,
      [`${TEMPLATE_PREFIX}%`],
    );
    // The mark is set last, so one without it was cut short.
    const isUsed = (row: (typeof known.rows)[0]) => row.datistemplate && kept.includes(row.datname);
    if (known.rows.some((row) => row.datname === name && isUsed(row))) return;
    for (const { datname } of known.rows.filter((row) => !isUsed(row))) {
      await client.query(`ALTER DATABASE ${datname} IS_TEMPLATE false`);
      await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
    await prepare(urlOfDatabase(server, name));
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
  });
}

/**
 * Migrates a database and makes the partitions of the days at which most tests work: they cost eight times as much
 * processor time as the clone of a database that has them.
 */
async function prepareForNoon(url: string): Promise<void> {
  const db = await Database.open({
    url,
    poolSize: 2,
    connectTimeoutMs: PATIENCE_MS,
    entities: [],
    migrations,
    logger: silent,
  });
  await migrate(db, silent);
  await partitionsOf(db, NOON).makeAhead();
  await db.close();
}

/** Makes what a process that runs by the system clock makes when it starts, also where it starts after midnight. */
async function prepareForToday(url: string, nowMs: number): Promise<void> {
  const db = await Database.open({
    url,
    poolSize: 2,
    connectTimeoutMs: PATIENCE_MS,
    entities: [],
    migrations,
    logger: silent,
  });
  for (const startMs of [nowMs, nowMs + DAY_MS]) await partitionsOf(db, startMs).makeAhead();
  await db.close();
  const { Logger: JobsLogger, runMigrations } = await import('graphile-worker');
  await runMigrations({ connectionString: url, schema: 'jobs', logger: new JobsLogger(() => () => {}) });
}

function partitionsOf(db: Database, startMs: number): Partitions {
  return new Partitions({ db, clock: new ManualClock(startMs), retentionDays: 35 });
}

/** Databases of test processes that were killed before they could drop them. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `SELECT datname FROM pg_database d WHERE datname LIKE 'watchpost\\_test\\_%'
       AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = d.datname)
       AND (pg_stat_file('base/' || d.oid || '/PG_VERSION', true)).modification < now() - interval '15 minutes'`,
  );
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname}`);
}

/** What a template depends on. */
async function hashOfSchema(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(fileURLToPath(import.meta.url)));
  for (const file of (await readdir(MIGRATIONS, { recursive: true })).toSorted()) {
    if (file.endsWith('.js')) hash.update(file).update(await readFile(join(MIGRATIONS, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: urlOfDatabase(server, 'postgres'),
    connectionTimeoutMillis: PATIENCE_MS,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOfDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
