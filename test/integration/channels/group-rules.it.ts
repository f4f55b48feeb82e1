import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { endWaits } from '@watchpost/control-plane/capabilities/delivery/rules/end-waits';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { startTestApp, type TestApp } from '../../support/app.js';
import { startProcess } from '../../support/managed-process.js';
import { makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, openTogether, seedHook, seedWatched } from '../../support/seed-alerts.js';
import { answer, hang, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const WORKER = fileURLToPath(new URL('../../support/delivery-process.js', import.meta.url));
const MONDAY = Date.UTC(2026, 10, 23, 12);

interface Body {
  type: string;
  data: { detail?: { change?: string }; incident: { id: string } | null; items?: Body[] };
}

describe('An action group with rules', () => {
  const secretKey = randomBytes(32);
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-rules-'));
  let app: TestApp;
  let world: World;
  let receiver: WebhookReceiver;

  before(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp({
      env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
      secretBox: createSecretBox(secretKey),
    });
  });
  after(async () => {
    await app.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    // Noon of the next Monday.
    app.clock.set(MONDAY + Math.ceil((app.clock.now() - MONDAY) / (7 * DAY_MS)) * 7 * DAY_MS);
    world = await makeWorld(app);
    receiver.calls.length = 0;
    receiver.next();
    receiver.always(answer(200));
  });

  const run = () => app.plane.delivery.runDue();
  const bodies = () =>
    receiver.calls.filter(({ path }) => path !== '/always').map(({ body }) => JSON.parse(body) as Body);
  const types = () => bodies().map(({ type, data }) => data.detail?.change ?? type);
  const rule = async (groupId: string, rules: object, of = world) => {
    const { status, body } = await of.api<object>('PUT', `/api/v1/action-groups/webhook/${groupId}`, rules);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const ruled = async (rules: object, of = world) => {
    const { id } = await seedHook(of, receiver.url);
    await rule(id, rules, of);
    return { groupId: id, monitorId: await seedWatched(of, id) };
  };
  const waitFor = async (ms: number) => {
    app.clock.advance(ms);
    await run();
  };
  const acknowledge = (incidentId: string) =>
    world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
  const office = (outside: 'hold' | 'drop') => ({
    hours: { timezone: 'UTC', days: ['tuesday'], start: '09:00', end: '17:00', outside },
  });
  const TO_TUESDAY = 21 * HOUR_MS;

  it('has none at first, and shows those that it is given', async () => {
    const { id } = await seedHook(world, receiver.url);
    const { body } = await world.api<object>('GET', `/api/v1/action-groups/${id}`);
    expect(body).to.include({ delay: 'PT0S', hours: null, repeatEvery: null, digestAfter: null });
    const shown = await rule(id, { severities: ['warning', 'down', 'down'], delay: 'PT120S', repeatEvery: 'P1D' });
    expect(shown).to.deep.include({ severities: ['down', 'warning'], delay: 'PT2M', repeatEvery: 'PT24H' });
    const faulty = { severities: [], delay: 'PT3H', repeatEvery: 'PT1M', digestAfter: 1, hours: { timezone: 'Mars' } };
    const refused = await world.api<{ details: { path: string }[] }>(
      'PUT',
      `/api/v1/action-groups/webhook/${id}`,
      faulty,
    );
    expect(refused.status).to.equal(400);
    expect(new Set(refused.body.details.map(({ path }) => path.split('.')[0]))).to.deep.equal(
      new Set(['severities', 'delay', 'repeatEvery', 'digestAfter', 'hours']),
    );
  });

  it('hears of an incident when it becomes one of its severities, and then of its end', async () => {
    const { monitorId } = await ruled({ severities: ['partial'] });
    const incidentId = await openIncident(world, monitorId);
    await run();
    expect(types()).to.deep.equal([]);
    await change(world, incidentId, { kind: 'update', severity: 'partial', regions: ['northeurope'] });
    await run();
    expect(types()).to.deep.equal(['incident.opened']);
    await change(world, incidentId, { kind: 'recover' });
    await run();
    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved']);
  });

  it('hears nothing of an incident of other severities, nor of its end', async () => {
    const { monitorId } = await ruled({ severities: ['partial'] });
    const incidentId = await openIncident(world, monitorId);
    await run();
    await change(world, incidentId, { kind: 'recover' });
    await run();
    expect(types()).to.deep.equal([]);
  });

  it('is notified of an incident that lasts longer than its delay, and of its end', async () => {
    const { monitorId } = await ruled({ delay: 'PT5M' });
    const incidentId = await openIncident(world, monitorId);
    await run();
    await waitFor(4 * MINUTE_MS);
    expect(types()).to.deep.equal([]);
    await waitFor(MINUTE_MS);
    expect(types()).to.deep.equal(['incident.opened']);
    await change(world, incidentId, { kind: 'recover' });
    await run();
    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved']);
  });

  it('hears nothing of an incident that is over, or acknowledged, within its delay', async () => {
    const { groupId, monitorId } = await ruled({ delay: 'PT5M' });
    const other = await seedWatched(world, groupId);
    const over = await openIncident(world, monitorId);
    const acknowledged = await openIncident(world, other);
    await run();
    await change(world, over, { kind: 'recover' });
    await acknowledge(acknowledged);
    await run();
    await waitFor(6 * MINUTE_MS);
    await change(world, acknowledged, { kind: 'recover' });
    await run();
    expect(types()).to.deep.equal([]);
    expect(await app.sql('SELECT FROM notification_wait WHERE group_id = $1', [groupId])).to.deep.equal([]);
  });

  it('hears when its hours begin of what is open then, and of nothing that is over', async () => {
    const { groupId, monitorId } = await ruled(office('hold'));
    const { id: always } = await seedHook(world, `${receiver.url}/always`);
    const over = await openIncident(world, monitorId);
    const open = await openIncident(world, await seedWatched(world, groupId, always));
    await run();
    await change(world, over, { kind: 'recover' });
    await run();
    expect(types()).to.deep.equal([]);
    await waitFor(TO_TUESDAY);
    expect(bodies().map(({ type, data }) => [type, data.incident?.id])).to.deep.equal([['incident.opened', open]]);
    await waitFor(9 * HOUR_MS);
    await change(world, open, { kind: 'recover' });
    await run();
    expect(types(), 'the end is after hours').to.have.length(1);
    await waitFor(7 * DAY_MS - 9 * HOUR_MS);
    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved']);
    expect(
      (await deliveriesOf(world, always)).map(({ eventType }) => eventType),
      'a group without hours',
    ).to.deep.equal(['incident.resolved', 'incident.opened']);
  });

  it('lists what it drops outside its hours, with the reason', async () => {
    const { groupId, monitorId } = await ruled(office('drop'));
    const incidentId = await openIncident(world, monitorId);
    await run();
    await waitFor(TO_TUESDAY);
    await change(world, incidentId, { kind: 'recover' });
    await run();
    expect(types()).to.deep.equal([]);
    const [dropped, ...others] = await deliveriesOf(world, groupId);
    expect(others).to.deep.equal([]);
    expect(dropped).to.include({ state: 'cancelled', attempts: 0, error: 'not_sent' });
    expect(dropped!.answer).to.equal('It happened outside the hours of the channel.');
  });

  it('is reminded of an incident until it is acknowledged', async () => {
    const { monitorId } = await ruled({ repeatEvery: 'PT1H' });
    const incidentId = await openIncident(world, monitorId);
    await run();
    await waitFor(HOUR_MS);
    await waitFor(HOUR_MS);
    expect(types()).to.deep.equal(['incident.opened', 'reminded', 'reminded']);
    await acknowledge(incidentId);
    await run();
    await waitFor(3 * HOUR_MS);
    expect(types()).to.deep.equal(['incident.opened', 'reminded', 'reminded', 'incident.acknowledged']);
  });

  it('gets as one message what waits, once there is as much as its rule names', async () => {
    const { groupId, monitorId } = await ruled({ digestAfter: 3 });
    const monitorIds = [monitorId];
    while (monitorIds.length < 5) monitorIds.push(await seedWatched(world, groupId));
    receiver.next(answer(429, { 'retry-after': '60' }));
    const ids = await openTogether(world, monitorIds);
    await run();
    expect(
      bodies().map(({ type }) => type),
      'all are one message from the first attempt on',
    ).to.deep.equal(['digest']);
    const later = await openIncident(world, await seedWatched(world, groupId));
    await waitFor(2 * MINUTE_MS);
    const [first, again, single] = bodies();
    expect(again, 'the retried message is the same').to.deep.equal(first);
    expect(receiver.calls[1]!.headers['webhook-id']).to.equal(receiver.calls[0]!.headers['webhook-id']);
    expect(again!.data.items!.map(({ data }) => data.incident!.id)).to.deep.equal(ids);
    expect(single!.data.incident!.id).to.equal(later);
    expect((await deliveriesOf(world, groupId)).map(({ state }) => state)).to.deep.equal(Array(6).fill('delivered'));
  });

  it('words its messages by its template, and by ours with a note where that fails', async () => {
    const template =
      '{{ monitor.name }} in {{ workspace.name }}\n{{ incident.failureReason }}\n{{ event.type }} {{ incident.x }}';
    const { groupId, monitorId } = await ruled({ template });
    const preview = (body: object) =>
      world.api<{ type: string; title: string; sentences: string[]; templateFailure: string | null }[]>(
        'POST',
        '/api/v1/channels/messages',
        { type: 'webhook', ...body },
      );
    const invented = await preview({ template });
    expect(invented.body[0]!.sentences[0]).to.include('503 where 200 to 299 was expected.');
    await openIncident(world, monitorId);
    await run();
    const [{ data }] = bodies() as unknown as [{ data: { message: { title: string; body: string } } }];
    expect(data.message.title).to.match(/^Shop in /);
    expect(data.message.body).to.equal('The server at 203.0.113.7:443 refused the connection.\nincident.opened');
    const real = await preview({ template });
    expect(real.body[0]).to.deep.include({ sentences: [data.message.body], templateFailure: null });
    const costly = '{% for i in (1..1000000000) %}x{% endfor %}';
    expect((await preview({ template: costly })).body[0]!.templateFailure).to.be.a('string');
    await rule(groupId, { template: costly });
    await openIncident(world, await seedWatched(world, groupId));
    await run();
    const [latest] = await deliveriesOf(world, groupId);
    expect(latest).to.include({ state: 'delivered' });
    expect(latest!.answer).to.include('The template failed, so the text is ours');
    const refused = await world.api<{ details: { path: string; message: string }[] }>(
      'PUT',
      `/api/v1/action-groups/webhook/${groupId}`,
      { template: 'One\n{% if %}' },
    );
    expect(refused.status).to.equal(400);
    expect(refused.body.details[0]).to.deep.include({ path: 'template' });
    expect(refused.body.details[0]!.message).to.include('at line 2, column 6');
  });

  it('words a digest by a template that reads all events, and by ours where it would hide some', async () => {
    const template =
      '{{ events.size }} in {{ workspace.name }}\n{% for e in events %}{{ e.monitor.name }}: {{ e.type }} {{ e.incident.id }}\n{% endfor %}';
    const { groupId, monitorId } = await ruled({ digestAfter: 2, template });
    const monitorIds = [monitorId, await seedWatched(world, groupId)];
    const ids = await openTogether(world, monitorIds);
    await run();
    interface Digest extends Body {
      data: Body['data'] & { message?: { title: string; body: string } };
    }
    const [{ data }] = bodies() as [Digest];
    expect(data.items).to.have.length(2);
    expect(data.message!.title).to.match(/^2 in /);
    expect(data.message!.body.split('\n')).to.deep.equal(ids.map((id) => `Shop: incident.opened ${id}`));
    await rule(groupId, { template: '{{ monitor.name }} fails' });
    for (const id of ids) await change(world, id, { kind: 'recover' });
    await run();
    const [, { data: later }] = bodies() as [Digest, Digest];
    expect([later.items!.length, later.message]).to.deep.equal([2, undefined]);
    for (const [type, count] of [
      ['webhook', 1],
      ['slack', 1],
      ['sms', 1],
      ['email', 1],
      ['voice', 1],
      ['pagerduty', 0],
    ] as const) {
      const { body } = await world.api<{ type: string; title: string; text: string | null }[]>(
        'POST',
        '/api/v1/channels/messages',
        { type, template },
      );
      const digests = body.filter((message) => message.type === 'digest');
      expect(digests, type).to.have.length(count);
      for (const { title, text } of digests) {
        expect(title).to.match(/^2 in /);
        if (text !== null) expect(text).to.match(/Shop: incident.*Example API: incident/s);
      }
    }
  });

  it('ends its waits in another process, and after that one is killed', async function () {
    const ruledBy = await Promise.all(
      [{ delay: 'PT5M' }, office('hold'), { repeatEvery: 'PT1H' }].map((rules) => ruled(rules)),
    );
    const incidentIds: string[] = [];
    for (const { monitorId } of ruledBy) incidentIds.push(await openIncident(world, monitorId));
    await run();
    expect(types(), 'of the group that is reminded').to.deep.equal(['incident.opened']);
    app.clock.advance(TO_TUESDAY);
    receiver.always(hang);
    const { issuer, audience } = app.issuer;
    const worker = startProcess({
      args: [WORKER, String(app.clock.now()), secretKey.toString('hex')],
      env: {
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        DATABASE_URL: app.databaseUrl,
        OIDC_ISSUER: issuer,
        OIDC_AUDIENCE: audience,
      },
      logFile: join(folder, 'worker.log'),
    });
    await receiver.received(4);
    worker.kill('SIGKILL');
    await worker.ended(30_000);
    receiver.always(answer(200));
    await waitFor(5 * MINUTE_MS);
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    expect(types().slice(1, 4), 'what the other process tried').to.have.members([
      'incident.opened',
      'incident.opened',
      'reminded',
    ]);
    expect(ids.slice(4), 'is sent again, as the same messages').to.have.members(ids.slice(1, 4));
    const reasons = await app.sql<{ reason: string }>('SELECT reason FROM notification_wait WHERE workspace_id = $1', [
      world.workspaceId,
    ]);
    expect(reasons, 'what is left is the next reminder').to.have.length(1);
    for (const incidentId of incidentIds) await change(world, incidentId, { kind: 'recover' });
    await run();
  });

  it('does not let the waits of another workspace delay it', async () => {
    const other = await makeWorld(app);
    const many = await ruled({ delay: 'PT5M' }, other);
    await ruled({ delay: 'PT5M' }).then(({ monitorId }) => openIncident(world, monitorId));
    await run();
    await app.sql(
      `INSERT INTO notification_wait (group_id, subject_id, reason, workspace_id, due_at)
       SELECT $1, gen_random_uuid(), 'first', $2, $3 FROM generate_series(1, 5000)`,
      [many.groupId, other.workspaceId, new Date(app.clock.now())],
    );
    app.clock.advance(5 * MINUTE_MS);
    expect(await endWaits(app)).to.be.lessThan(100);
    const left = await app.sql('SELECT FROM notification_wait WHERE workspace_id = $1', [world.workspaceId]);
    expect(left, 'its wait is among the first that end').to.deep.equal([]);
    await run();
    expect(types()).to.deep.equal(['incident.opened']);
    expect(await app.sql('SELECT FROM notification_wait WHERE workspace_id = $1', [other.workspaceId])).to.deep.equal(
      [],
    );
  });
});
