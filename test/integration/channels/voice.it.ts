import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp, type TestMember } from '../../support/app.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched, timelineOf } from '../../support/seed-alerts.js';
import { TWILIO, twilioCall } from '../../support/signed-calls.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const NUMBER = '+353871234567';
const HOSTILE = '<Dial>+900</Dial> & "Shop" 🙂 https://evil.example/';
const created = answer(201, { 'content-type': 'application/json' }, '{"sid":"CA1","status":"queued"}');

describe('A call', () => {
  let app: TestApp;
  let twilio: WebhookReceiver;
  let world: World;
  let ann: TestMember;
  let groupId: string;
  let monitorId: string;

  before(async () => {
    twilio = await startWebhookReceiver();
    app = await startTestApp({ env: { ...TWILIO, TWILIO_API_URL: twilio.url } });
  });
  after(async () => {
    await app.stop();
    await twilio.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    twilio.calls.length = 0;
    twilio.always(created);
    ann = await world.member('Responder');
    await setNumber(ann, NUMBER);
    groupId = (await seedGroup(world, 'voice', { phoneNumbers: [NUMBER] })).id;
    monitorId = await seedWatched(world, groupId);
  });

  const run = () => app.plane.delivery.runDue();
  const forms = () => twilio.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const deliveries = () => deliveriesOf(world, groupId);
  const setNumber = (member: TestMember, phoneNumber: string) =>
    create(
      member.api,
      `/api/v1/workspaces/${world.workspaceId}/members/me`,
      { notificationPreferences: { phoneNumber } },
      'PATCH',
    );

  /** Opens an incident and calls. @returns it, and the URL that the provider asks */
  async function ring(): Promise<{ incidentId: string; url: string }> {
    const incidentId = await openIncident(world, monitorId);
    await run();
    return { incidentId, url: forms().at(-1)!['Url']! };
  }

  /** What the provider does at a URL that it was given. @returns the status, and the TwiML */
  async function request(url: string, form: Record<string, string> = {}, token?: string) {
    const { body, headers } = twilioCall(url, { CallSid: 'CA1', To: NUMBER, ...form }, token);
    const response = await fetch(url.replace(/^https?:\/\/[^/]+/, app.baseUrl), { method: 'POST', body, headers });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  }
  const report = (url: string, CallStatus: string) => request(`${url}/status`, { CallStatus });
  const notesOf = async (incidentId: string) =>
    (await timelineOf(world, incidentId)).filter(({ type }) => type.startsWith('notif')).map(({ type }) => type);

  it('is placed in the form of the provider, and reports twice what happened, in text that no markup leaves', async () => {
    await app.sql('UPDATE monitor SET name = $2 WHERE id = $1', [monitorId, HOSTILE]);
    const { url } = await ring();
    expect(twilio.calls[0]!.path).to.equal('/2010-04-01/Accounts/AC123/Calls.json');
    expect(forms()[0]).to.deep.include({ To: NUMBER, From: TWILIO.TWILIO_FROM, StatusCallback: `${url}/status` });
    const { status, type, text } = await request(url);
    expect([status, type]).to.deep.equal([200, 'text/xml; charset=utf-8']);
    const spoken = [...text.matchAll(/<Say>([^<]*)<\/Say>/g)].map(([, words]) => words!);
    expect(spoken).to.have.length(3);
    expect(spoken[0]).to.equal(spoken[1]);
    expect(spoken[0]).to.match(/^Watchpost\. Down: Dial \+900 \/Dial &amp; &quot;Shop&quot; evil\.example\/\. Since /);
    expect(spoken[2]).to.equal('Press 4 to acknowledge, 6 to escalate, or another key to repeat.');
    expect(text.replace(/<Say>[^<]*<\/Say>/g, '')).to.equal(
      `<?xml version="1.0" encoding="UTF-8"?><Response><Gather numDigits="1" timeout="8" action="${url}" method="POST"><Pause length="1"/></Gather></Response>`,
    );
    expect((await request(url, { Digits: '9' })).text, 'another key repeats').to.equal(text);
  });

  it('reads the words of the template of its group, bounded, and ours with a note where that fails', async () => {
    const rule = (template: string) => create(world.api, `/api/v1/action-groups/voice/${groupId}`, { template }, 'PUT');
    await rule('Wake up: {{ monitor.name }} <b>&\n{% for i in (1..300) %}very {% endfor %}long');
    const { incidentId, url } = await ring();
    const { text } = await request(url);
    const [, spoken] = /<Say>([^<]*)<\/Say>/.exec(text)!;
    expect(spoken).to.match(/^Watchpost\. Wake up: Shop b &amp;\. very very /);
    expect(spoken!.length).to.be.lessThan(600);
    await report(url, 'completed');
    await change(world, incidentId, { kind: 'recover' });
    await rule('{% for i in (1..1000000000) %}x{% endfor %}');
    const failing = await ring();
    expect((await request(failing.url)).text).to.include('Watchpost. Down: Shop. Since ');
    await report(failing.url, 'completed');
    await report(failing.url, 'busy');
    const [latest] = await deliveries();
    expect(latest).to.include({ state: 'delivered' });
    expect(latest!.answer).to.match(/^The call was answered\. The template failed, so the text is ours: /);
  });

  it('acknowledges by 4 as the member with the number, once', async () => {
    const { incidentId, url } = await ring();
    expect((await request(url, { Digits: '4' })).text).to.include('You acknowledged the incident of Shop.');
    const { body } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    expect(body).to.deep.include({ acknowledged: true, acknowledgedBy: ann.userId });
    const acknowledged = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'acknowledged');
    expect(acknowledged.map(({ detail }) => detail)).to.deep.equal([{ via: 'chat', client: 'a call' }]);
    await request(url, { Digits: '4' });
    expect((await timelineOf(world, incidentId)).filter(({ type }) => type === 'acknowledged')).to.have.length(1);
    await change(world, incidentId, { kind: 'recover' });
    expect((await request(url, { Digits: '4' })).text).to.include('The incident is closed.');
  });

  it('has the leads paged at once by 6', async () => {
    const lea = await world.member('Admin');
    const serviceGroupId = (await create(world.api, '/api/v1/service-group', { name: 'Shop' })).id;
    await create(world.api, `/api/v1/monitor/${monitorId}`, { serviceGroupId }, 'PUT');
    const teamId = (await create(world.api, '/api/v1/teams', { name: 'Web' })).id;
    for (const [{ userId }, teamRole] of [
      [ann, 'member'],
      [lea, 'lead'],
    ] as const)
      await create(world.api, `/api/v1/teams/${teamId}/members`, { userId, teamRole });
    const participants = [ann.userId];
    const schedule = {
      rotation: 'daily',
      timezone: 'UTC',
      handoffTime: '09:00',
      startDate: '2026-11-01',
      participants,
    };
    await create(world.api, `/api/v1/teams/${teamId}/schedule`, schedule, 'PUT');
    await create(world.api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    const page = () => app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
    const { incidentId, url } = await ring();
    const pagedTo = async () =>
      (await timelineOf(world, incidentId)).flatMap(({ type, detail }) => (type === 'paged' ? [detail['who']] : []));
    await page();
    expect(await pagedTo()).to.deep.equal(['onCall']);
    expect((await request(url, { Digits: '6' })).text).to.include(
      'The next step of the escalation policy is taken now.',
    );
    await page();
    expect(await pagedTo()).to.deep.equal(['onCall', 'leads']);
    expect((await request(url, { Digits: '6' })).text, 'it was the last step').to.include('Nobody is left to page');
    await page();
    expect(await pagedTo()).to.have.length(2);
    const { body } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit?action=incident.escalated`);
    expect(
      (body as unknown as { actor: { id: string }; via: string }[]).map(({ actor, via }) => [actor.id, via]),
    ).to.deep.equal([[ann.userId, 'chat']]);
  });

  it('obeys nobody else: not without the signature, not a number of no member, not below the role Responder', async () => {
    const { incidentId, url } = await ring();
    expect((await request(url, { Digits: '4' }, 'wrong')).status).to.equal(401);
    expect((await request(`${url}/status`, { CallStatus: 'busy' }, 'wrong')).status).to.equal(401);
    const elsewhere = url.replace(/[^/]+$/, '01a1fdfa-4600-74fe-988c-32d8da17e012');
    expect((await request(elsewhere, { Digits: '4' })).status, 'no such call').to.equal(401);
    await setNumber(ann, '+353871234568');
    expect((await request(url, { Digits: '4' })).text).to.include('Nothing was changed: this number');
    await setNumber(await world.member('Viewer'), NUMBER);
    for (const Digits of ['4', '6'])
      expect((await request(url, { Digits })).text).to.include('acknowledging needs the role Responder');
    app.clock.advance(12 * 60 * MINUTE_MS + 1);
    expect((await request(url, { Digits: '4' })).status, 'the call is over').to.equal(401);
    expect((await world.api('GET', `/api/v1/incident/${incidentId}`)).body).to.include({ acknowledged: false });
  });

  it('that nobody answers is repeated after one and three minutes, and the timeline has how the last one ended', async () => {
    const { incidentId, url } = await ring();
    expect(await notesOf(incidentId), 'it rings').to.deep.equal([]);
    for (const [status, waitMs] of [
      ['busy', MINUTE_MS],
      ['no-answer', 3 * MINUTE_MS],
    ] as const) {
      await report(url, status);
      await report(url, status);
      expect((await deliveries())[0]).to.include({ state: 'waiting' });
      const count = twilio.calls.length;
      app.clock.advance(waitMs - 1);
      await run();
      expect(twilio.calls).to.have.length(count);
      app.clock.advance(1);
      await run();
      expect(twilio.calls).to.have.length(count + 1);
    }
    expect(await notesOf(incidentId)).to.deep.equal([]);
    await report(url, 'failed');
    expect((await deliveries())[0]).to.include({ state: 'failed', answer: 'The call could not be connected.' });
    expect(await notesOf(incidentId)).to.deep.equal(['notification_failed']);
    app.clock.advance(60 * MINUTE_MS);
    await run();
    expect(twilio.calls).to.have.length(3);
  });

  it('that was answered is on the timeline, once', async () => {
    const { incidentId, url } = await ring();
    await report(url, 'ringing');
    await report(url, 'completed');
    await report(url, 'completed');
    await report(url, 'busy');
    expect((await deliveries())[0]).to.include({ state: 'delivered', answer: 'The call was answered.' });
    expect(await notesOf(incidentId)).to.deep.equal(['notified']);
  });

  it('about several alerts sums them up after five in a quarter of an hour, and 4 acknowledges what is open', async () => {
    const monitors = [monitorId];
    for (let count = 0; count < 6; count++) monitors.push(await seedWatched(world, groupId));
    const ids: string[] = [];
    for (const id of monitors) {
      app.clock.advance(1_000);
      ids.push(await openIncident(world, id));
      await run();
    }
    expect(twilio.calls).to.have.length(5);
    app.clock.advance(15 * MINUTE_MS);
    await run();
    expect(twilio.calls).to.have.length(6);
    const url = forms()[5]!['Url']!;
    expect((await request(url)).text).to.include('Watchpost. 2 alerts. Down: Shop. Since ');
    await create(
      world.api,
      `/api/v1/action-groups/voice/${groupId}`,
      { template: '{{ events.size }} sites{% for e in events %}, {{ e.monitor.name }}{% endfor %}' },
      'PUT',
    );
    expect((await request(url)).text).to.include('Watchpost. 2 sites, Shop, Shop.');
    await request(url, { Digits: '4' });
    const open = await Promise.all(ids.map(async (id) => (await world.api('GET', `/api/v1/incident/${id}`)).body));
    expect(open.map((incident) => incident['acknowledged'])).to.deep.equal([...Array(5).fill(false), true, true]);
  });

  it('is for those who agreed to SMS, counts as SMS, and is made for nothing that can wait', async () => {
    const { incidentId } = await ring();
    await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
    await change(world, incidentId, { kind: 'recover' });
    await run();
    expect(twilio.calls).to.have.length(1);
    await app.setPlan('Starter', { smsGroups: 1 }, world.owner);
    await app.sql('DELETE FROM alert_recipient');
    const full = await world.api('POST', '/api/v1/action-groups/voice', { name: 'More', phoneNumbers: [NUMBER] });
    expect([full.status, full.body['error']]).to.deep.equal([403, 'plan_limit_exceeded']);
    const { body } = await world.api('GET', `/api/v1/action-groups/voice/${groupId}`);
    expect(body).to.deep.include({ recipientsPending: [NUMBER] });
    await openIncident(world, monitorId);
    await run();
    expect(twilio.calls).to.have.length(1);
    expect((await deliveries())[0]).to.include({ state: 'failed', error: 'recipient_unconfirmed' });
  });
});
