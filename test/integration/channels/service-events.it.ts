import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create, makeWorld, nobodysId, type World } from '../../support/seed.js';
import { deliveriesOf, openIncident, seedGroup, seedHook, seedWatched, timelineOf } from '../../support/seed-alerts.js';
import { callAsService, jiraEvent, pagerdutyEvent, type SignedCall } from '../../support/signed-calls.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const KEY = '0123456789abcdef0123456789abcdef';
const API_KEY = '0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d';
const SECRET = 'pagerduty-webhook-secret';

describe('What people do in PagerDuty and Jira Service Management', () => {
  let app: TestApp;
  let world: World;
  let receiver: WebhookReceiver;

  before(async () => {
    receiver = await startWebhookReceiver();
    receiver.always(answer(202, { 'content-type': 'application/json' }, '{"status":"success"}'));
    const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', PAGERDUTY_EVENTS_URL: receiver.url, JSM_API_URL: receiver.url };
    app = await startTestApp({ env });
  });
  after(async () => {
    await app.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
  });

  const pagerduty = (of = world, body: object = {}) =>
    seedGroup(of, 'pagerduty', { integrationKey: KEY, webhookSecret: SECRET, ...body }).then(({ id }) => ({
      type: 'pagerduty',
      id,
    }));
  const jira = () =>
    seedGroup(world, 'jiraServiceManagement', { apiKey: API_KEY }).then(({ id }) => ({
      type: 'jiraServiceManagement',
      id,
    }));
  const call = (group: { type: string; id: string }, signed: SignedCall) => callAsService(app, 'events', group, signed);
  const read = async (incidentId: string) => (await world.api('GET', `/api/v1/incident/${incidentId}`)).body;
  const eventsTo = async (groupId: string) =>
    (await deliveriesOf(world, groupId)).map(({ eventType }) => eventType).toReversed();

  it('is so here, with the name of the person, and is sent to every group but that one', async () => {
    const group = await pagerduty();
    const hook = await seedHook(world, `${receiver.url}/hook`);
    const incidentId = await openIncident(world, await seedWatched(world, group.id, hook.id));
    await app.plane.delivery.runDue();
    expect((await call(group, pagerdutyEvent(SECRET, 'incident.acknowledged', incidentId))).status).to.equal(200);
    expect(await read(incidentId)).to.include({ acknowledged: true, acknowledgedBy: null });
    const entry = (await timelineOf(world, incidentId)).find(({ type }) => type === 'acknowledged')!;
    expect(entry.detail).to.deep.equal({ via: 'service', client: 'PagerDuty', person: 'Jane Doe' });
    const evidence = await world.api('GET', `/api/v1/incident/${incidentId}/evidence`);
    expect(JSON.stringify(evidence.body.timeline)).to.include('Jane Doe acknowledged it in PagerDuty.');
    expect((await call(group, pagerdutyEvent(SECRET, 'incident.resolved', incidentId))).status).to.equal(200);
    expect(await read(incidentId)).to.include({ isClosed: true, status: 'Resolved' });
    await app.plane.delivery.runDue();
    expect(await eventsTo(hook.id)).to.deep.equal(['incident.opened', 'incident.acknowledged', 'incident.resolved']);
    expect(await eventsTo(group.id)).to.deep.equal(['incident.opened']);
    const audit = `/api/v1/workspaces/${world.workspaceId}/audit?action=incident.acknowledged`;
    const [audited] = (await world.api('GET', audit)).body;
    expect(audited).to.deep.include({
      via: 'service',
      actor: { type: 'system', id: null, name: 'Jane Doe (PagerDuty)' },
    });
  });

  it('ends the paging of people', async () => {
    const group = await pagerduty();
    const incidentId = await openIncident(world, await seedWatched(world, group.id));
    await call(group, pagerdutyEvent(SECRET, 'incident.acknowledged', incidentId));
    expect(
      await app.sql('SELECT FROM incident_paging WHERE incident_id = $1 AND due_at IS NOT NULL', [incidentId]),
    ).to.have.length(0);
  });

  it('in Jira Service Management is so here too', async () => {
    const group = await jira();
    const incidentId = await openIncident(world, await seedWatched(world, group.id));
    expect((await call(group, jiraEvent(API_KEY, 'Acknowledge', incidentId))).status).to.equal(200);
    expect((await read(incidentId)).acknowledged).to.equal(true);
    const entry = (await timelineOf(world, incidentId)).find(({ type }) => type === 'acknowledged')!;
    expect(entry.detail).to.include({ client: 'Jira Service Management', person: 'jane@example.com' });
    expect((await call(group, jiraEvent(API_KEY, 'Close', incidentId))).status).to.equal(200);
    expect((await read(incidentId)).isClosed).to.equal(true);
  });

  it('changes nothing the second time', async () => {
    const group = await pagerduty();
    const incidentId = await openIncident(world, await seedWatched(world, group.id));
    const once = pagerdutyEvent(SECRET, 'incident.acknowledged', incidentId);
    await call(group, once);
    await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: false }, 'PATCH');
    expect((await call(group, once)).status).to.equal(200);
    expect((await read(incidentId)).acknowledged).to.equal(false);
  });

  it('is nothing where no person did it, where it is something else, and in another workspace', async () => {
    const group = await pagerduty();
    const jsm = await jira();
    const theirs = await pagerduty(await makeWorld(app));
    const incidentId = await openIncident(world, await seedWatched(world, group.id));
    const acknowledged = 'incident.acknowledged';
    const calls: [typeof group, SignedCall][] = [
      [
        group,
        pagerdutyEvent(SECRET, acknowledged, incidentId, { type: 'inbound_integration_reference', summary: 'x' }),
      ],
      [group, pagerdutyEvent(SECRET, 'incident.annotated', incidentId)],
      [group, pagerdutyEvent(SECRET, 'constructor', incidentId)],
      [group, pagerdutyEvent(SECRET, acknowledged, nobodysId())],
      [group, pagerdutyEvent(SECRET, acknowledged, "x' OR 1=1 --")],
      [theirs, pagerdutyEvent(SECRET, acknowledged, incidentId)],
      [jsm, jiraEvent(API_KEY, 'Acknowledge', incidentId, '')],
      [jsm, jiraEvent(API_KEY, 'AddNote', incidentId)],
      [jsm, { ...jiraEvent(API_KEY, 'Acknowledge', incidentId), body: '[null' }],
      [jsm, { ...jiraEvent(API_KEY, 'Acknowledge', incidentId), body: '' }],
    ];
    for (const [to, signed] of calls) {
      const { status, body } = await call(to, signed);
      expect([status, body], signed.body).to.deep.equal([200, {}]);
    }
    expect(await read(incidentId)).to.include({ acknowledged: false, isClosed: false });
  });

  it('is refused alike where it is not signed, and where there is no such group', async () => {
    const group = await pagerduty();
    const jsm = await jira();
    const mute = await pagerduty(world, { webhookSecret: null });
    const incidentId = await openIncident(world, await seedWatched(world, group.id));
    const good = pagerdutyEvent(SECRET, 'incident.resolved', incidentId);
    const cases: [typeof group, SignedCall][] = [
      [group, pagerdutyEvent('other', 'incident.resolved', incidentId)],
      [group, { ...good, body: `${good.body} ` }],
      [group, { body: good.body, headers: {} }],
      [{ ...group, id: nobodysId() }, good],
      [{ ...group, type: 'jiraServiceManagement' }, good],
      [{ ...group, type: 'slack' }, good],
      [mute, pagerdutyEvent('', 'incident.resolved', incidentId)],
      [mute, pagerdutyEvent('null', 'incident.resolved', incidentId)],
      [jsm, jiraEvent('other', 'Close', incidentId)],
      [jsm, { ...jiraEvent(API_KEY, 'Close', incidentId), headers: { 'x-watchpost-secret': API_KEY } }],
    ];
    const answers = new Set<string>();
    for (const [to, signed] of cases) {
      const { status, body } = await call(to, signed);
      answers.add(JSON.stringify([status, { ...body, requestId: '' }]));
    }
    expect([...answers]).to.have.length(1);
    expect([...answers][0]).to.match(/^\[401/);
    expect((await read(incidentId)).isClosed).to.equal(false);
  });
});
