import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { answer, hang, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { change, deliveriesOf, openIncident, seedWatched } from '../../support/seed-alerts.js';

const created = answer(201, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}');

describe('An SMS', () => {
  let app: TestApp;
  let twilio: WebhookReceiver;
  let world: World;
  let monitorId: string;
  let groupId: string;

  before(async () => {
    twilio = await startWebhookReceiver();
    app = await startTestApp({
      env: {
        TWILIO_ACCOUNT_SID: 'AC123',
        TWILIO_AUTH_TOKEN: 's3cr3t',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: twilio.url,
      },
    });
  });
  after(async () => {
    await app.stop();
    await twilio.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    twilio.calls.length = 0;
    twilio.always(created);
    monitorId = await seedWatched(world);
    const body = { name: 'Phones', phoneNumbers: ['+353871234567'] };
    groupId = (await create(world.api, `/api/v1/monitor/${monitorId}/sms-action-group`, body)).id;
  });

  const run = () => app.plane.delivery.runDue();
  const texts = () => twilio.calls.map(({ body }) => new URLSearchParams(body).get('Body')!);

  it('is sent in the form of the provider', async () => {
    await openIncident(world, monitorId);
    await run();
    const [call] = twilio.calls;
    expect(call).to.include({ method: 'POST', path: '/2010-04-01/Accounts/AC123/Messages.json' });
    expect(call!.headers.authorization).to.equal(`Basic ${Buffer.from('AC123:s3cr3t').toString('base64')}`);
    expect(call!.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    const form = Object.fromEntries(new URLSearchParams(call!.body));
    expect(form).to.include({ To: '+353871234567', From: '+15005550006' });
    expect(form.Body).to.match(
      /^Watchpost: Down: Shop\. Since 21 Nov 2026, 12:\d\d UTC, seen from North Europe, Ireland\./,
    );
    expect(form.Body!.length).to.be.at.most(320);
  });

  it('is retried after an error or silence of the provider, and not to an unknown number', async () => {
    twilio.next(answer(500), answer(429, { 'retry-after': '60' }), answer(400, {}, '{"code":21211,"message":"bad"}'));
    await openIncident(world, monitorId);
    await run();
    app.clock.advance(6_000);
    await run();
    app.clock.advance(60_000);
    await run();
    expect((await deliveriesOf(world, groupId))[0]).to.include({
      state: 'failed',
      attempts: 3,
      answer: 'The SMS provider answered 400 (error 21211).',
    });
  });

  it('is sent at most five times in 15 minutes, and the next one sums up the rest', async () => {
    const incidentId = await openIncident(world, monitorId);
    await run();
    // Ten failures and recoveries.
    for (let count = 0; count < 10; count++) {
      app.clock.advance(MINUTE_MS / 2);
      await change(world, incidentId, { kind: 'update', severity: count % 2 === 0 ? 'partial' : 'down' });
      await run();
    }
    expect(twilio.calls).to.have.length(5);
    const waiting = (await deliveriesOf(world, groupId)).filter(({ state }) => state === 'waiting');
    expect(waiting).to.have.length(6);
    app.clock.advance(15 * MINUTE_MS - 10 * (MINUTE_MS / 2) - 1);
    await run();
    expect(twilio.calls, 'the quarter of an hour is not over').to.have.length(5);
    app.clock.advance(1);
    await run();
    expect(twilio.calls).to.have.length(6);
    expect(texts()[5]).to.match(/^Watchpost: 6 alerts: /);
    const deliveries = await deliveriesOf(world, groupId);
    expect(deliveries.every(({ state }) => state === 'delivered')).to.equal(true);
    expect(deliveries[0]!.answer).to.include('It summed up 6 alerts.');
  });

  it('that sums up waiting alerts is sent by another group of the monitor when its own is disabled', async () => {
    const body = { name: 'More phones', phoneNumbers: ['+353871234567'] };
    app.clock.advance(1);
    const other = await create(world.api, `/api/v1/monitor/${monitorId}/sms-action-group`, body);
    const incidentId = await openIncident(world, monitorId);
    for (let count = 0; count < 7; count++)
      await change(world, incidentId, { kind: 'update', severity: count % 2 === 0 ? 'partial' : 'down' });
    await run();
    expect(twilio.calls).to.have.length(5);
    await world.api('PUT', `/api/v1/action-groups/sms/${groupId}`, { isEnabled: false });
    app.clock.advance(15 * MINUTE_MS);
    await run();
    expect(twilio.calls).to.have.length(6);
    expect(texts()[5]).to.match(/^Watchpost: 3 alerts: /);
    const states = (await deliveriesOf(world, other.id)).map(({ state }) => state);
    expect(states).to.deep.equal(['delivered', 'delivered', 'delivered']);
  });

  it('of ASCII text is in the GSM 7-bit alphabet, also where it is cut, and not longer than two parts', async () => {
    const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
    await app.sql('UPDATE monitor SET name = $2 WHERE id = $1', [monitorId, ascii.repeat(3)]);
    const incidentId = await openIncident(world, monitorId);
    await run();
    for (const severity of ['partial', 'down', 'partial', 'down', 'partial', 'down'] as const)
      await change(world, incidentId, { kind: 'update', severity });
    await run();
    app.clock.advance(15 * MINUTE_MS);
    await run();
    expect(texts()[0]).to.include('...').and.have.length.at.most(306);
    expect(texts().at(-1)).to.match(/^Watchpost: 2 alerts: /);
    // 3GPP TS 23.038 §6.2.1, as far as it is ASCII, with the extension table.
    for (const text of texts()) expect(text).to.match(/^[\n\r\f@$_ !"#%&'()*+,\-./0-9:;<=>?A-Za-z^{}\\[~\]|]*$/);
  });

  it('contains only links to this service', async () => {
    await app.sql(`UPDATE monitor SET name = 'https://evil.example/x' WHERE id = $1`, [monitorId]);
    await openIncident(world, monitorId);
    await run();
    expect(texts()[0]).not.to.match(/evil\.example|https:\/\//);
  });

  it('is not sent for events that are not urgent', async () => {
    const incidentId = await openIncident(world, monitorId);
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'On it' });
    await run();
    expect(texts()).to.have.length(1);
  });

  it('is given up after ten seconds without an answer of the provider', async () => {
    twilio.next(hang);
    await openIncident(world, monitorId);
    const started = performance.now();
    await run();
    expect(performance.now() - started).to.be.at.least(9_000);
    expect((await deliveriesOf(world, groupId))[0]).to.include({
      state: 'waiting',
      answer: 'There was no answer within 10 s.',
    });
  });

  it('has an outcome that states what to do when there is no provider', async () => {
    const other = await startTestApp();
    try {
      const there = await makeWorld(other);
      const watched = await seedWatched(there);
      const body = { name: 'Phones', phoneNumbers: ['+353871234567'] };
      const { id } = await create(there.api, `/api/v1/monitor/${watched}/sms-action-group`, body);
      await openIncident(there, watched);
      await other.plane.delivery.runDue();
      const [delivery] = await deliveriesOf(there, id);
      expect(delivery!.state).to.equal('failed');
      expect(delivery!.answer).to.include('TWILIO_ACCOUNT_SID');
    } finally {
      await other.stop();
    }
  });
});
