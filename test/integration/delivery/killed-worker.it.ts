import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { startTestApp, type TestApp } from '../../support/app.js';
import { type StandIn, startStandIn } from '../../support/channel-services/stand-in.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { type ManagedProcess, startProcess } from '../../support/managed-process.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { answer, hang, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched } from '../../support/seed-alerts.js';

const WORKER = fileURLToPath(new URL('../../support/delivery-process.js', import.meta.url));

describe('A worker that is killed', () => {
  let app: TestApp;
  let world: World;
  let twilio: WebhookReceiver;
  let env: Record<string, string>;
  let groupId: string;
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-worker-'));

  before(async () => {
    twilio = await startWebhookReceiver();
    env = {
      TWILIO_ACCOUNT_SID: 'AC123',
      TWILIO_AUTH_TOKEN: 's3cr3t',
      TWILIO_FROM: '+15005550006',
      TWILIO_API_URL: twilio.url,
    };
    app = await startTestApp({ env });
  });
  after(async () => {
    await app.stop();
    await twilio.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    twilio.calls.length = 0;
    twilio.always(answer(201));
    const monitorId = await seedWatched(world);
    const body = { name: 'Phones', phoneNumbers: ['+353871234567'] };
    groupId = (await create(world.api, `/api/v1/monitor/${monitorId}/sms-action-group`, body)).id;
    await openIncident(world, monitorId);
  });

  function startWorker(name: string): ManagedProcess {
    const { issuer, audience } = app.issuer;
    return startProcess({
      args: [WORKER, String(app.clock.now())],
      env: { ...env, DATABASE_URL: app.databaseUrl, OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience },
      logFile: join(folder, `${name}.log`),
    });
  }

  it('during a delivery loses nothing: another worker sends the message', async function () {
    twilio.next(hang);
    const worker = startWorker('middle');
    await twilio.received(1);
    worker.kill('SIGKILL');
    await worker.ended(30_000);
    await app.plane.delivery.runDue();
    expect(twilio.calls, 'it may still be at it').to.have.length(1);
    app.clock.advance(30_000);
    await app.plane.delivery.runDue();
    expect(twilio.calls).to.have.length(2);
    expect((await deliveriesOf(world, groupId))[0]).to.include({ state: 'delivered', attempts: 1 });
  });

  it('after the outcome was stored causes no second message', async function () {
    const worker = startWorker('after');
    await eventually(
      'it is written down',
      async () => ((await deliveriesOf(world, groupId))[0]?.state === 'delivered' ? true : undefined),
      PATIENCE_MS,
      10,
    );
    worker.kill('SIGKILL');
    await worker.ended(30_000);
    app.clock.advance(3_600_000);
    await app.plane.delivery.runDue();
    expect(twilio.calls).to.have.length(1);
  });
});

describe('A worker that is killed between the edit of a message and the reply', () => {
  const secretKey = randomBytes(32);
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-worker-'));
  const env: Record<string, string> = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  let app: TestApp;
  let discord: StandIn;

  before(async () => {
    discord = await startStandIn('discordBot');
    env['DISCORD_API_URL'] = discord.receiver.url;
    app = await startTestApp({ env, secretBox: createSecretBox(secretKey) });
  });
  after(async () => {
    await app.stop();
    await discord.receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Has a worker do what is due until the service got so many more calls, and kills it. */
  async function killAfter(calls: number): Promise<void> {
    const { issuer, audience } = app.issuer;
    const { receiver } = discord;
    const worker = startProcess({
      args: [WORKER, String(app.clock.now()), secretKey.toString('hex')],
      env: { ...env, DATABASE_URL: app.databaseUrl, OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience },
      logFile: join(folder, 'worker.log'),
    });
    await receiver.received(receiver.calls.length + calls);
    worker.kill('SIGKILL');
    await worker.ended(30_000);
    app.clock.advance(30_000);
    await app.plane.delivery.runDue();
  }

  it('leaves both to another one, which edits the same message and replies once', async function () {
    const { receiver, service, room, obey } = discord;
    const { botToken: _, ...byWebhook } = service.group(receiver.url);
    const world = await makeWorld(app);
    const { id } = await seedGroup(world, 'discord', byWebhook);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await app.plane.delivery.runDue();
    await change(world, incidentId, { kind: 'recover' });
    receiver.next(obey, hang);
    await killAfter(2);
    expect(room.map(({ title, changes }) => [title, changes])).to.deep.equal([
      ['Recovered: Shop', 2],
      ['Recovered: Shop', 0],
    ]);
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).to.deep.equal(['delivered', 'delivered']);
  });

  it('or after a message or a reply that a bot sent was taken, doubles neither', async function () {
    const { receiver, service, room, obey, lose } = discord;
    room.length = 0;
    const world = await makeWorld(app);
    const { id } = await seedGroup(world, 'discord', service.group(receiver.url));
    const incidentId = await openIncident(world, await seedWatched(world, id));
    receiver.next(obey, lose);
    await killAfter(2);
    expect(room.map(({ title }) => title)).to.deep.equal(['Down: Shop']);
    await change(world, incidentId, { kind: 'recover' });
    receiver.next(obey, lose);
    await killAfter(2);
    expect(room.map(({ title }) => title)).to.deep.equal(['Recovered: Shop', 'Recovered: Shop']);
  });
});
