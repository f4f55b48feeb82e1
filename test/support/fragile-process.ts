import pino from 'pino';
import pg from 'pg';
import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { composeIdentity } from '@watchpost/control-plane/app/compose-identity';
import { createServiceApp } from '@watchpost/control-plane/app/create-service-app';
import { entities, migrations } from '@watchpost/control-plane/app/schema';
import { readConfig } from '@watchpost/control-plane/config/config';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { listenHttp } from '@watchpost/control-plane/platform/http/http-server';
import type { FragileOrder } from './kill-at-each-moment.js';

// A control plane that does one thing at a given time and is killed at one moment of it: SIGKILL, so that nothing of it ends
// in order. The moments are before and after each write becomes permanent, which those of a transaction do together. If it
// lives to the end, it prints how many moments there were.
const { nowMs, killAt, key, tasks, request } = JSON.parse(process.argv[2]!) as FragileOrder;
const WRITE = /\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE\s[^$]*?\bSET\b/i;
let moments = 0;
const pass = () => {
  if (++moments === killAt) process.kill(process.pid, 'SIGKILL');
};
/** Connections in a transaction, and whether it has written. */
const transactions = new Map<unknown, boolean>();
const prototype = pg.Client.prototype as { query(...args: unknown[]): unknown };
const query = prototype.query;
prototype.query = function watched(this: unknown, ...args: unknown[]) {
  const [statement] = args as [string | { text?: string }];
  const text = typeof statement === 'string' ? statement : (statement.text ?? '');
  const isInTransaction = transactions.has(this);
  if (/^(START|BEGIN)/i.test(text)) transactions.set(this, false);
  else if (isInTransaction && WRITE.test(text)) transactions.set(this, true);
  const isEnd = /^(COMMIT|ROLLBACK)$/i.test(text);
  const isPermanent = isEnd ? text !== 'ROLLBACK' && transactions.get(this) : !isInTransaction && WRITE.test(text);
  if (isEnd) transactions.delete(this);
  if (!isPermanent) return query.apply(this, args);
  pass();
  const answer = query.apply(this, args) as Promise<unknown>;
  void answer.then(pass, () => {});
  return answer;
};

const config = readConfig();
const logger = pino({ level: 'silent' });
const clock = new ManualClock(nowMs);
const db = await Database.open({ url: config.databaseUrl!, poolSize: 4, entities, migrations, logger });
const secretBox = createSecretBox(Buffer.from(key, 'hex'));
let handler: (...call: Parameters<Parameters<typeof listenHttp>[0]>) => unknown = () => {};
const listener = await listenHttp((...call) => handler(...call), { host: '127.0.0.1', port: 0 });
const baseUrl = `http://127.0.0.1:${listener.port}`;
const platform = { config, db, clock, logger, registry: new Registry(), secretBox, baseUrl };
const plane = composeControlPlane(platform);
if (request) {
  const identity = await composeIdentity(platform);
  handler = createServiceApp({ platform, plane, identity, baseUrl, servesAgents: false }).callback();
  const { method, path, body, headers } = request;
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
}
for (const { name, run } of plane.periodicTasks) if (tasks?.includes(name)) await run();
if (tasks) await plane.delivery.runDue();
process.stdout.write(`moments: ${moments}`, () => process.exit());
