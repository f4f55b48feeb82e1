import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { resealAll } from '@watchpost/control-plane/app/admin/reseal/reseal';
import { SEALED_COLUMNS } from '@watchpost/control-plane/app/admin/reseal/reseal-command';
import { joinInstallation } from '@watchpost/control-plane/platform/coordination/join-installation';
import { ConsoleSessions } from '@watchpost/control-plane/capabilities/sign-in/index';
import { createSecretBox, type SecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { insertAuthority } from '@watchpost/control-plane/capabilities/fleet/certificates/authority-store';
import { makeAuthority } from '@watchpost/control-plane/capabilities/fleet/certificates/make-authority';
import { ensureProviderSetup, readProviderSetup } from '@watchpost/control-plane/embedded/provider/provider-setup';
import { linkTo } from '../incidents/seed-evidence.js';
import { openIncident, seedHook, seedWatched } from '../../support/seed-alerts.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create, makeWorld, type World, seedHeartbeat } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';
import { startWebhookReceiver } from '../../support/webhook-receiver.js';

const FORMER = randomBytes(32);
const NEXT = randomBytes(32);

describe('A change of the encryption key', () => {
  let app: TestApp;
  let world: World;
  const hook = startedForSuite(() => startWebhookReceiver());
  /** As processes have it before, during and after the change. */
  const former = createSecretBox([FORMER, NEXT]);
  const during = createSecretBox([NEXT, FORMER]);
  const later = createSecretBox(NEXT);

  before(async () => {
    app = await startTestApp({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }, secretBox: former });
    world = await makeWorld(app);
  });
  after(() => app.stop());

  const reseal = (box: SecretBox = during, report?: (line: string) => void) =>
    resealAll({ db: app.db, secretBox: box }, SEALED_COLUMNS, report);

  /** Something in each sealed column. */
  async function sealEverything(): Promise<void> {
    const { clock, db } = app;
    const monitor = { url: 'https://shop.example/', http: { headers: { authorization: 'Bearer s3cr3t' } } };
    const headers = { 'idempotency-key': `key-${clock.now()}` };
    expect((await world.api('POST', '/api/v1/monitor', monitor, headers)).status).to.equal(201);
    expect((await world.api('POST', '/api/v1/workspaces', { name: 'Other' }, headers)).status).to.equal(201);
    await seedHeartbeat(world);
    const { id } = await seedHook(world, hook.url, { authorization: 'Bearer hook' });
    await create(world.api, `/api/v1/action-groups/${id}/rotate-secret`);
    const authority = await makeAuthority(former, clock.now());
    await db.transaction((tx) => insertAuthority(tx, authority));
    const address = { issuer: 'http://127.0.0.1:8080', audience: 'watchpost-api' };
    await ensureProviderSetup({ db, clock, secretBox: former }, address);
    const browser = { userAgent: null, remoteAddress: null, idToken: 'e30.e30.', former: undefined };
    await new ConsoleSessions({ db, clock, secretBox: former }).open(world.owner.userId, browser);
    await joinInstallation(db, former);
  }

  /** Columns of the whole schema with a value that this box has sealed, as bytes or as text. */
  async function sealedColumns(box: SecretBox): Promise<string[]> {
    const columns = await app.sql<{ table: string; column: string; type: string }>(
      `SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
         AND c.table_schema = current_schema() AND c.data_type IN ('bytea', 'text', 'jsonb', 'json', 'ARRAY')
       ORDER BY 1, 2`,
    );
    expect(columns.length).to.be.above(100);
    const prefix = box.sealPrefix;
    // Three bytes make four digits of base64, whatever follows.
    const base64 = prefix.subarray(0, 3).toString('base64');
    const found: string[] = [];
    for (const { table, column, type } of columns) {
      const holds =
        type === 'bytea'
          ? `substring("${column}" FOR ${prefix.length}) = decode('${prefix.toString('hex')}', 'hex')`
          : `strpos("${column}"::text, '${prefix.toString('hex')}') > 0 OR "${column}"::text ~ '(^|")${base64.replaceAll('+', '\\+')}[A-Za-z0-9+/_-]{30}'`;
      const rows = await app.sql(`SELECT FROM "${table}" WHERE ${holds} LIMIT 1`);
      if (rows.length > 0) found.push(`${table}.${column}`);
    }
    return found;
  }

  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);

  it('is possible for every sealed column of the schema, and a second run does nothing', async () => {
    await sealEverything();
    expect(await sealedColumns(former)).to.have.members(known);
    const lines: string[] = [];
    const { resealed, unreadable } = await reseal(during, (line) => lines.push(line));
    expect(resealed).to.be.at.least(known.length);
    expect(unreadable).to.equal(0);
    expect(lines.map((line) => line.split(':')[0])).to.have.members(known);
    expect(await sealedColumns(former)).to.deep.equal([]);
    expect(await sealedColumns(later)).to.have.members(known);
    expect(await reseal()).to.deep.equal({ resealed: 0, unreadable: 0 });
  });

  it('leaves everything readable with the new key alone', async () => {
    await sealEverything();
    await reseal();
    for (const { table, column, reads, context } of SEALED_COLUMNS) {
      const row = reads.map((name) => `'${name}', ${name}::text`).join(', ');
      const values = await app.sql<{ sealed: Buffer; row: Record<string, string> }>(
        `SELECT ${column} AS sealed, jsonb_build_object(${row}) AS row FROM ${table} WHERE ${column} IS NOT NULL`,
      );
      expect(values.length, `${table}.${column}`).to.be.above(0);
      for (const value of values) later.open(value.sealed, context(value.row));
    }
    expect(await readProviderSetup({ db: app.db, clock: app.clock, secretBox: later })).to.not.equal(null);
    await joinInstallation(app.db, later);
  });

  it('goes on beside a service that writes, delivers and answers repeated requests', async () => {
    const { id, secret } = await seedHook(world, hook.url, { authorization: 'Bearer hook' });
    expect(secret).to.be.a('string');
    const monitorId = await seedWatched(world, id);
    const body = { url: 'https://shop.example/', http: { headers: { authorization: 'Bearer first' } } };
    const headers = { 'idempotency-key': 'beside' };
    const first = await world.api('POST', '/api/v1/monitor', body, headers);
    const over = new AbortController();
    const writing = (async () => {
      for (let count = 0; !over.signal.aborted; count++) {
        const http = { headers: { authorization: `Bearer number ${count}` } };
        const { status } = await world.api('PUT', `/api/v1/monitor/${first.body.id}`, { http });
        expect(status).to.equal(200);
      }
    })();
    for (let round = 0; round < 5; round++) await reseal();
    over.abort();
    await writing;
    expect((await reseal()).unreadable).to.equal(0);
    expect(await sealedColumns(former)).to.deep.equal([]);
    const again = await world.api('POST', '/api/v1/monitor', body, headers);
    expect(again.body).to.deep.equal(first.body);
    await openIncident(world, monitorId);
    await app.plane.delivery.runDue();
    expect(hook.calls.at(-1)!.headers['authorization']).to.equal('Bearer hook');
  });

  it('goes on where it was ended, and reports what no key opens', async () => {
    await sealEverything();
    const [some] = SEALED_COLUMNS;
    await resealAll({ db: app.db, secretBox: during }, [some!]);
    const { resealed } = await reseal();
    expect(resealed).to.be.above(0);
    await seedHook(world, hook.url, { authorization: 'Bearer hook' });
    const withoutFormer = await reseal(createSecretBox(NEXT));
    expect(withoutFormer.unreadable).to.be.above(0);
    expect(withoutFormer.resealed).to.equal(0);
    expect((await reseal()).unreadable).to.equal(0);
  });

  it('ends the links of the former key once that is taken away, and not before', async () => {
    const link = await linkTo(app, await openIncident(world, await seedWatched(world)));
    const token = Buffer.from(link.split('/').at(-1)!, 'base64url');
    const [id, signature] = [token.subarray(0, 16), token.subarray(16)];
    expect(during.isSigned(id, signature, 'incident-evidence')).to.equal(true);
    expect(later.isSigned(id, signature, 'incident-evidence')).to.equal(false);
  });
});
