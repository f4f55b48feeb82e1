import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { RETRY_WAITS_MS } from '@watchpost/control-plane/capabilities/delivery/sending/decide-retry';
import { answer, hangUp, type ReceivedCall, startWebhookReceiver } from '../../support/webhook-receiver.js';
import {
  change,
  deliveriesOf,
  openIncident,
  seedGroup,
  seedHook,
  seedWatched,
  timelineOf,
} from '../../support/seed-alerts.js';
import { appForSuite, receiverForEach, worldForEach } from '../../support/suite.js';

/** The signature of Standard Webhooks, computed without a library. */
function signatureOf({ headers, body }: ReceivedCall, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('Delivery of events', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const world = worldForEach(app);
  const hook = receiverForEach();

  const types = () => hook.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type);

  it('states on the timeline and in the list that a message failed because 1,000 wait for its receiver', async () => {
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    await app.sql(
      `WITH event AS (
         INSERT INTO alert_event (id, workspace_id, type, at, fanned_out, subject)
         VALUES (gen_random_uuid(), $1, 'incident.opened', $4, true, '{}') RETURNING id
       ), lane AS (
         INSERT INTO delivery_lane (workspace_id, lane, outlet, owner_id, due_at) VALUES ($1, $3, 'webhook', $5, 'infinity')
       )
       INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, created, state)
       SELECT gen_random_uuid(), $1, event.id, $2, 'webhook', $3, $3, 'old:' || number, $4, 'waiting'
       FROM event, generate_series(1, 1000) AS number`,
      [world.workspaceId, id, `webhook:${id}`, new Date(app.clock.now()), world.owner.userId],
    );
    const incidentId = await openIncident(world, monitorId);
    await app.plane.delivery.runDue();
    const [newest] = await deliveriesOf(world, id);
    const answer = 'Too many messages wait for this destination already.';
    expect(newest).to.include({ incidentId, state: 'failed', answer, attempts: 0 });
    const [failed] = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notification_failed');
    expect(failed!.detail).to.include({ channel: 'webhook', groupId: id, event: 'incident.opened', answer });
  });

  it('sends a signed webhook with monitor and incident as they were at the time of the event', async () => {
    const { id, secret } = await seedHook(world, `${hook.url}/in?key=k3y`, {
      Authorization: 'Bearer s3cr3t',
      'X-Team': 'shop',
    });
    const monitorId = await seedWatched(world, id);
    const incidentId = await openIncident(world, monitorId);
    app.clock.advance(65 * SECOND_MS);
    await change(world, incidentId, { kind: 'recover' });
    await app.plane.delivery.runDue();

    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved']);
    const [opened] = hook.calls;
    expect(opened!.path).to.equal('/in?key=k3y');
    expect(opened!.headers).to.include({
      authorization: 'Bearer s3cr3t',
      'x-team': 'shop',
      'content-type': 'application/json',
    });
    const at = new Date(Number(opened!.headers['webhook-timestamp']) * 1_000);
    expect(at.getTime()).to.equal(app.clock.now());
    expect(opened!.headers['webhook-signature']).to.equal(signatureOf(opened!, secret));
    const { timestamp, data } = JSON.parse(opened!.body);
    expect(Date.parse(timestamp)).to.equal(app.clock.now() - 65 * SECOND_MS);
    expect(data).to.have.keys('workspaceId', 'monitor', 'incident');
    expect(data.monitor).to.include({ id: monitorId, name: 'Shop', url: 'https://shop.example/' });
    expect(data.incident).to.deep.include({
      id: incidentId,
      isClosed: false,
      severity: 'down',
      regions: ['northeurope'],
    });
    const resolved = JSON.parse(hook.calls[1]!.body).data.incident;
    expect(resolved).to.include({ isClosed: true, status: 'Resolved', durationFormatted: '1 min 5 s' });
    const [last, first] = await deliveriesOf(world, id);
    expect(first).to.deep.include({
      incidentId,
      monitorId,
      monitorName: 'Shop',
      state: 'delivered',
      attempts: 1,
      statusCode: 200,
      purpose: 'group',
    });
    expect(first!.eventId).to.equal(opened!.headers['webhook-id']);
    expect(last!.eventType).to.equal('incident.resolved');
    const notified = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notified');
    expect(notified.map(({ detail }) => detail.event)).to.deep.equal(['incident.opened', 'incident.resolved']);
    expect(notified[0]!.detail).to.include({ channel: 'webhook', destination: `${hook.url}/***` });
  });

  it('reports everything that people do to an incident, in order', async () => {
    const { id } = await seedHook(world, hook.url);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'On it' });
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { status: 'Investigating' });
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { status: 'Resolved' });
    await app.plane.delivery.runDue();
    expect(types()).to.deep.equal([
      'incident.opened',
      'incident.acknowledged',
      'incident.note_added',
      'incident.updated',
      'incident.resolved',
    ]);
    expect(JSON.parse(hook.calls[2]!.body).data.detail).to.include({ note: 'On it' });
    expect(JSON.parse(hook.calls[0]!.body).data.incident.acknowledged).to.equal(false);
    expect(JSON.parse(hook.calls[1]!.body).data.incident.acknowledged).to.equal(true);
  });

  it('sends nothing about an event that was rolled back', async () => {
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    await openIncident(world, monitorId);
    await app.plane.delivery.runDue();
    const { status } = await world.api('PATCH', `/api/v1/incident/${(await deliveriesOf(world, id))[0]!.incidentId}`, {
      acknowledged: true,
      status: 'Nonsense',
    });
    expect(status).to.equal(400);
    await app.plane.delivery.runDue();
    expect(types()).to.deep.equal(['incident.opened']);
  });

  it('retries the same message on schedule until it is accepted, and not afterwards', async () => {
    const { id } = await seedHook(world, hook.url);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    hook.next(answer(500), hangUp, answer(302, { location: 'http://127.0.0.1:1/elsewhere' }));
    await app.plane.delivery.runDue();
    let [delivery] = await deliveriesOf(world, id);
    expect(delivery).to.include({ state: 'waiting', attempts: 1, statusCode: 500 });
    for (const waitMs of RETRY_WAITS_MS.slice(0, 3)) {
      const waited = Date.parse(delivery!.nextAttempt!) - app.clock.now();
      expect(waited).to.be.within(waitMs, waitMs * 1.2);
      app.clock.advance(waited - 1);
      const before = hook.calls.length;
      await app.plane.delivery.runDue();
      expect(hook.calls, 'it is not early').to.have.length(before);
      app.clock.advance(1);
      await app.plane.delivery.runDue();
      expect(hook.calls).to.have.length(before + 1);
      [delivery] = await deliveriesOf(world, id);
    }
    expect(delivery).to.include({ state: 'delivered', attempts: 4, statusCode: 200, nextAttempt: null });
    const { attemptLog } = (
      await world.api<{ attemptLog: { outcome: string; statusCode: number; nextAttempt: string | null }[] }>(
        'GET',
        `/api/v1/deliveries/${delivery!.id}`,
      )
    ).body;
    expect(attemptLog.map(({ outcome, statusCode }) => [outcome, statusCode])).to.deep.equal([
      ['failed', 500],
      ['failed', null],
      ['failed', 302],
      ['sent', 200],
    ]);
    expect(attemptLog.map(({ nextAttempt }) => nextAttempt === null)).to.deep.equal([false, false, false, true]);
    expect(new Set(hook.calls.map(({ headers }) => headers['webhook-id']))).to.have.length(1);
    expect(new Set(hook.calls.map(({ body }) => body))).to.have.length(1);
    app.clock.advance(48 * 60 * MINUTE_MS);
    await app.plane.delivery.runDue();
    expect(hook.calls).to.have.length(4);
    expect((await timelineOf(world, incidentId)).filter(({ type }) => type === 'notified')).to.have.length(1);
  });

  it('gives up after the last retry, reports that on the timeline, and sends the next message', async () => {
    const { id } = await seedHook(world, hook.url);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    hook.next(...RETRY_WAITS_MS.map(() => answer(503)), answer(503));
    await app.plane.delivery.runDue();
    await change(world, incidentId, { kind: 'recover' });
    for (const waitMs of RETRY_WAITS_MS) {
      app.clock.advance(waitMs * 1.2);
      await app.plane.delivery.runDue();
    }
    const [resolved, opened] = await deliveriesOf(world, id);
    expect(opened).to.include({ state: 'failed', attempts: RETRY_WAITS_MS.length + 1, nextAttempt: null });
    expect(resolved).to.include({ state: 'delivered', attempts: 1 });
    expect(types().at(-1)).to.equal('incident.resolved');
    const failed = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notification_failed');
    expect(failed.map(({ detail }) => detail.answer)).to.deep.equal(['Answered 503 Service Unavailable.']);
  });

  it('keeps the order of each receiver, and one that hangs does not delay the others', async () => {
    const other = await startWebhookReceiver();
    try {
      const stuck = await seedHook(world, hook.url);
      const fine = await seedHook(world, other.url);
      const incidentId = await openIncident(world, await seedWatched(world, stuck.id, fine.id));
      await change(world, incidentId, { kind: 'recover' });
      hook.always(hangUp);
      await app.plane.delivery.runDue();
      expect(other.calls).to.have.length(2);
      expect(hook.calls, 'the later event waits for the earlier one').to.have.length(1);
      hook.always(answer(200));
      app.clock.advance(6 * SECOND_MS);
      await app.plane.delivery.runDue();
      expect(types()).to.deep.equal(['incident.opened', 'incident.opened', 'incident.resolved']);
    } finally {
      await other.stop();
    }
  });

  it('waits as long as Retry-After of a 429 answer asks', async () => {
    const { id } = await seedHook(world, hook.url);
    await openIncident(world, await seedWatched(world, id));
    hook.next(answer(429, { 'retry-after': '90' }));
    await app.plane.delivery.runDue();
    const [delivery] = await deliveriesOf(world, id);
    expect(Date.parse(delivery!.nextAttempt!) - app.clock.now()).to.equal(90 * SECOND_MS);
    app.clock.advance(90 * SECOND_MS);
    await app.plane.delivery.runDue();
    expect(hook.calls).to.have.length(2);
  });

  it('sends once to a receiver that answers 200 and never ends its body', async () => {
    const { id } = await seedHook(world, hook.url);
    await openIncident(world, await seedWatched(world, id));
    hook.always((_call, response) => response.writeHead(200).write('thank you, and …'));
    await app.plane.delivery.runDue();
    expect((await deliveriesOf(world, id)).map(({ state, attempts }) => [state, attempts])).to.deep.equal([
      ['delivered', 1],
    ]);
    app.clock.advance(24 * 3_600 * SECOND_MS);
    await app.plane.delivery.runDue();
    expect(hook.calls).to.have.length(1);
  });

  it('disables the group of a receiver that answers 410', async () => {
    const { id } = await seedHook(world, hook.url);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await change(world, incidentId, { kind: 'recover' });
    hook.always(answer(410));
    await app.plane.delivery.runDue();
    expect((await world.api('GET', `/api/v1/action-groups/${id}`)).body.isEnabled).to.equal(false);
    expect(hook.calls).to.have.length(1);
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).to.deep.equal(['cancelled', 'failed']);
  });

  it('sends each message once, however many workers run', async () => {
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    const incidentId = await openIncident(world, monitorId);
    for (let count = 0; count < 20; count++)
      await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: `note ${count}` });
    await Promise.all(Array.from({ length: 4 }, () => app.plane.delivery.runDue()));
    expect(hook.calls).to.have.length(21);
    const notes = hook.calls.slice(1).map(({ body }) => JSON.parse(body).data.detail.note as string);
    expect(notes).to.deep.equal(Array.from({ length: 20 }, (_, count) => `note ${count}`));
  });

  it('resends with the same id from another worker when one dies during an attempt', async () => {
    const { id } = await seedHook(world, hook.url);
    await openIncident(world, await seedWatched(world, id));
    // A worker that died: it claimed the lane and stored no outcome.
    await app.plane.delivery.runDue();
    await app.sql(`UPDATE delivery SET state = 'waiting', finished_at = NULL WHERE group_id = $1`, [id]);
    await app.sql(`UPDATE delivery_lane SET due_at = $2, ready = false, lease = gen_random_uuid() WHERE lane = $1`, [
      `webhook:${id}`,
      new Date(app.clock.now() + 30 * SECOND_MS),
    ]);
    await app.plane.delivery.runDue();
    expect(hook.calls, 'its lease still holds').to.have.length(1);
    app.clock.advance(30 * SECOND_MS);
    await app.plane.delivery.runDue();
    expect(hook.calls).to.have.length(2);
    expect(hook.calls[0]!.headers['webhook-id']).to.equal(hook.calls[1]!.headers['webhook-id']);
  });

  it('signs with both secrets for a day after a rotation', async () => {
    const { id, secret: former } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    const { body } = await world.api<{ secret: string }>('POST', `/api/v1/action-groups/${id}/rotate-secret`);
    const incidentId = await openIncident(world, monitorId);
    await app.plane.delivery.runDue();
    app.clock.advance(24 * 60 * MINUTE_MS);
    await change(world, incidentId, { kind: 'recover' });
    await app.plane.delivery.runDue();
    const signatures = hook.calls.map((call) => ({
      given: call.headers['webhook-signature'],
      now: signatureOf(call, body.secret),
      former: signatureOf(call, former),
    }));
    expect(signatures[0]!.given).to.equal(`${signatures[0]!.now} ${signatures[0]!.former}`);
    expect(signatures[1]!.given).to.equal(signatures[1]!.now);
  });

  it('reports the end of an outage whose monitor was deleted, and by whom, to the groups that were notified of it', async () => {
    const [{ person } = {}] = await app.sql('SELECT coalesce(name, email) AS person FROM user_account WHERE id = $1', [
      world.owner.userId,
    ]);
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    await openIncident(world, monitorId);
    await app.plane.delivery.runDue();
    await world.api('DELETE', `/api/v1/monitor/${monitorId}`);
    await app.plane.delivery.runDue();
    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved']);
    expect(JSON.parse(hook.calls[1]!.body).data.detail).to.deep.equal({ reason: 'The monitor was deleted.', person });
  });

  it('sends nothing for a disabled group or to a removed recipient', async () => {
    const { id } = await seedHook(world, hook.url);
    const mails = await seedGroup(world, 'email', { recipients: ['ann@example.test', 'ben@example.test'] });
    const monitorId = await seedWatched(world, id, mails.id);
    await world.api('PUT', `/api/v1/action-groups/webhook/${id}`, { isEnabled: false });
    await openIncident(world, monitorId);
    // Queued for both; then one is removed.
    await app.plane.delivery.runDue();
    expect(hook.calls).to.have.length(0);
    expect(await deliveriesOf(world, id)).to.deep.equal([]);
    expect((await deliveriesOf(world, mails.id)).map(({ destination }) => destination)).to.have.members([
      'ann@example.test',
      'ben@example.test',
    ]);
  });

  it('reports minor changes to webhooks only', async () => {
    const { id } = await seedHook(world, hook.url);
    const mails = await seedGroup(world, 'email', { recipients: ['ann@example.test'] });
    const incidentId = await openIncident(world, await seedWatched(world, id, mails.id));
    await change(world, incidentId, { kind: 'update', regions: ['northeurope', 'eastus2'] });
    await change(world, incidentId, { kind: 'update', regions: ['northeurope'], severity: 'partial' });
    await app.plane.delivery.runDue();
    expect(types()).to.deep.equal(['incident.opened', 'incident.updated', 'incident.updated']);
    expect(await deliveriesOf(world, mails.id)).to.have.length(2);
  });

  it('does not change the ETag of the incident, so that a reader can still acknowledge it', async () => {
    const { id } = await seedHook(world, hook.url);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    const { headers } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    await app.plane.delivery.runDue();
    const change = { acknowledged: true };
    const match = { 'if-match': headers.get('etag')! };
    expect((await world.api('PATCH', `/api/v1/incident/${incidentId}`, change, match)).status).to.equal(200);
  });

  it('retries when the secrets of the group cannot be opened', async () => {
    const { id } = await seedHook(world, hook.url);
    await openIncident(world, await seedWatched(world, id));
    const secrets = await app.value<Buffer>('SELECT secrets FROM action_group WHERE id = $1', [id]);
    await app.sql('UPDATE action_group SET secrets = $2 WHERE id = $1', [id, Buffer.from('of another key')]);
    await app.plane.delivery.runDue();
    expect((await deliveriesOf(world, id))[0]).to.include({ state: 'waiting', attempts: 1 });
    await app.sql('UPDATE action_group SET secrets = $2 WHERE id = $1', [id, secrets]);
    app.clock.advance(6 * SECOND_MS);
    await app.plane.delivery.runDue();
    expect(hook.calls).to.have.length(1);
  });

  it('keeps deliveries for 30 days', async () => {
    const { id } = await seedHook(world, hook.url);
    await openIncident(world, await seedWatched(world, id));
    await app.plane.delivery.runDue();
    const purge = app.plane.jobs.find(({ name }) => name === 'purge_deliveries')!;
    app.clock.advance(30 * 24 * 60 * MINUTE_MS);
    await purge.run();
    expect(await deliveriesOf(world, id)).to.have.length(1);
    app.clock.advance(1);
    await purge.run();
    expect(await deliveriesOf(world, id)).to.deep.equal([]);
    expect(await app.sql('SELECT FROM delivery_lane WHERE lane = $1', [`webhook:${id}`])).to.deep.equal([]);
  });
});
