import { expect } from 'chai';
import type { AlertEventType } from '@watchpost/control-plane/capabilities/channels/alert-event';
import { channelOf } from '@watchpost/control-plane/capabilities/channels/registry';
import { sampleEvents } from '@watchpost/control-plane/capabilities/channels/samples/sample-events';
import { queueEvents } from '@watchpost/control-plane/capabilities/delivery/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import {
  answering,
  type CHANNEL_SERVICES,
  type StandIn,
  startStandIn,
} from '../../support/channel-services/stand-in.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched, timelineOf } from '../../support/seed-alerts.js';

type Type = keyof typeof CHANNEL_SERVICES;
const HOSTILE = '<b>*[x](https://evil.example)* @everyone';
const TYPES = ['ntfy', 'pushover', 'gotify', 'apprise', 'incidentIo', 'pagerduty', 'jiraServiceManagement'] as const;

describe('Messages to services', function () {
  let app: TestApp;
  let world: World;
  const services = new Map<Type, StandIn>();

  before(async () => {
    const env: Record<string, string> = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
    for (const type of TYPES) {
      const standIn = await startStandIn(type);
      services.set(type, standIn);
      if (standIn.service.variable) env[standIn.service.variable] = standIn.receiver.url;
    }
    app = await startTestApp({ env });
  });
  after(async () => {
    await app.stop();
    for (const { receiver } of services.values()) await receiver.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    for (const { receiver, obey } of services.values()) {
      receiver.calls.length = 0;
      receiver.always(obey);
    }
  });

  const run = () => app.plane.delivery.runDue();
  const of = (type: Type) => services.get(type)!;
  const bodiesOf = (type: Type) =>
    of(type).receiver.calls.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  async function seedService(type: Type, more: object = {}): Promise<string> {
    const { service, receiver } = of(type);
    return (await seedGroup(world, type, { ...service.group(receiver.url), ...more })).id;
  }

  async function publish(monitorId: string, type: AlertEventType): Promise<void> {
    const about = { workspaceId: world.workspaceId, workspaceName: 'Acme', monitor: { id: monitorId } as never };
    const sample = sampleEvents(about, app.clock.now()).find((event) => event.type === type)!;
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    const { workspaceId, atMs, detail } = sample;
    const event = { workspaceId, monitorKey: key, type, incidentId: null, atMs, detail };
    await app.db.transaction((tx) => queueEvents(app, tx, [event]));
    await run();
  }

  /** Everything that happens to an incident, to a certificate and to a name, and a test. @returns the incident */
  async function sendAll(type: Type): Promise<string> {
    const id = await seedService(type);
    const monitorId = await seedWatched(world, id);
    await app.sql('UPDATE monitor SET name = $2 WHERE id = $1', [monitorId, HOSTILE]);
    const incidentId = await openIncident(world, monitorId);
    await run();
    await change(world, incidentId, { kind: 'update', severity: 'partial' });
    await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
    await create(world.api, `/api/v1/incident/${incidentId}/notes`, { note: HOSTILE });
    await change(world, incidentId, { kind: 'recover' });
    await run();
    await publish(monitorId, 'monitor.certificate_expiring');
    await publish(monitorId, 'monitor.dns_changed');
    await create(world.api, `/api/v1/action-groups/${id}/test`);
    expect(of(type).refused, type).to.deep.equal([]);
    return incidentId;
  }

  it('show no secret of a group, whatever happens to it', async () => {
    for (const type of services.keys()) {
      const { service, receiver } = of(type);
      const id = await seedService(type);
      receiver.always(answering(service.refusal.answer));
      const incidentId = await openIncident(world, await seedWatched(world, id));
      await run();
      const shown = JSON.stringify([await deliveriesOf(world, id), await timelineOf(world, incidentId)]);
      const { fields } = channelOf(type);
      for (const { name, kind } of fields)
        if (kind === 'secret' || kind === 'secretUrl')
          expect(shown, name).to.not.include(String(service.group(receiver.url)[name]));
    }
  });

  it('ring in ntfy by the priority of the group while something fails only', async () => {
    await sendAll('ntfy');
    expect(bodiesOf('ntfy').map(({ priority }) => priority)).to.deep.equal([5, 5, 2, 2, 3, 5, 5, 2]);
  });

  it('to incident.io have one key for an incident, and close at once what is about none', async () => {
    const incidentId = await sendAll('incidentIo');
    const steps = bodiesOf('incidentIo').map(
      ({ deduplication_key: key, status }) => `${key === incidentId} ${String(status)}`,
    );
    expect(steps).to.deep.equal([
      ...['true firing', 'true firing', 'true firing', 'true resolved'],
      ...['false firing', 'false resolved', 'false firing', 'false resolved', 'false firing', 'false resolved'],
    ]);
  });

  it('to PagerDuty trigger, acknowledge and resolve one alert, and are changes where nothing fails', async () => {
    const incidentId = await sendAll('pagerduty');
    const steps = of('pagerduty').receiver.calls.map(({ path, body }) => {
      const { dedup_key: key, event_action: action } = JSON.parse(body) as Record<string, string>;
      return [path.slice('/v2/'.length), action, key === incidentId];
    });
    expect(steps).to.deep.equal([
      ['enqueue', 'trigger', true],
      ['enqueue', 'trigger', true],
      ['enqueue', 'acknowledge', true],
      ['enqueue', 'resolve', true],
      ['change/enqueue', undefined, false],
      ['change/enqueue', undefined, false],
      ['enqueue', 'trigger', false],
      ['enqueue', 'resolve', false],
    ]);
  });

  it('to Jira Service Management create, annotate, acknowledge and close one alert', async () => {
    const incidentId = await sendAll('jiraServiceManagement');
    const paths = of('jiraServiceManagement').receiver.calls.map(({ path }) =>
      path.replace('/jsm/ops/integration/v2/alerts', '').replace('?identifierType=alias', ''),
    );
    const ofIncident = ['', '/notes', '/acknowledge', '/notes', '/close'];
    expect(paths.slice(0, 5)).to.deep.equal(ofIncident.map((path) => path && `/${incidentId}${path}`));
    expect(paths.slice(5).map((path) => path.split('/').at(-1))).to.deep.equal(['', 'close', '', 'close', '', 'close']);
    const responders = [
      { type: 'team', name: 'Operations' },
      { type: 'user', username: 'ann@example.com' },
    ];
    expect(bodiesOf('jiraServiceManagement')[0]).to.deep.include({ alias: incidentId, responders });
  });

  it('go to the service that the group names in place of the one of Atlassian', async () => {
    const { receiver } = of('jiraServiceManagement');
    receiver.always(answering({ status: 202 }));
    const id = await seedService('jiraServiceManagement', { apiUrl: `${receiver.url}/` });
    await create(world.api, `/api/v1/action-groups/${id}/test`);
    expect(receiver.calls.map(({ path }) => path.replace(/[\da-f]{8}-[\da-f-]+/, 'id'))).to.deep.equal([
      '/v2/alerts',
      '/v2/alerts/id/close?identifierType=alias',
    ]);
  });

  it('that are refused state in words what is refused: a key is tried again, a message is given up', async () => {
    const cases: [Type, number, string, string, string][] = [
      ['pushover', 400, '{"token":"invalid"}', 'waiting', 'Pushover refused the API token (400).'],
      ['pushover', 400, '{"device":"invalid for this user"}', 'waiting', 'Pushover refused the device (400).'],
      ['pushover', 400, '{"message":"cannot be blank"}', 'failed', 'Pushover refused the message (400).'],
      ['pagerduty', 400, '{"errors":["\'payload\' is invalid"]}', 'failed', 'PagerDuty refused the message (400).'],
      ['jiraServiceManagement', 401, '', 'waiting', 'Jira Service Management refused the API key (401).'],
      ['incidentIo', 422, '', 'failed', 'incident.io refused the message (422).'],
      ['apprise', 204, '', 'waiting', 'Apprise has nothing to notify: no configuration, or no URL (204).'],
      ['gotify', 503, '', 'waiting', 'Answered 503 Service Unavailable.'],
    ];
    for (const [type, status, body, state, sentence] of cases) {
      const id = await seedService(type);
      of(type).receiver.always(answering({ status, body }));
      await openIncident(world, await seedWatched(world, id));
      await run();
      expect((await deliveriesOf(world, id))[0], type).to.include({ state, answer: sentence });
    }
  });

  it('begin again with the first request when the second one failed', async () => {
    const { receiver, busy } = of('jiraServiceManagement');
    const id = await seedService('jiraServiceManagement');
    receiver.next(answering({ status: 202 }), busy(60));
    await publish(await seedWatched(world, id), 'monitor.dns_changed');
    expect((await deliveriesOf(world, id))[0]).to.include({ state: 'waiting', statusCode: 429 });
    app.clock.advance(60_000);
    await run();
    expect((await deliveriesOf(world, id))[0]).to.include({ state: 'delivered' });
    const [first, ...others] = bodiesOf('jiraServiceManagement').flatMap(({ alias }) => alias ?? []);
    expect(others.filter((alias) => alias === first)).to.have.length(1);
  });

  it('need fields that look as those of the service do', async () => {
    const { url } = of('ntfy').receiver;
    const cases: [Type, object, string][] = [
      ['ntfy', { topicUrl: url, priority: '6' }, 'topicUrl,priority'],
      ['ntfy', { topicUrl: `${url}/topic?auth=x` }, 'topicUrl'],
      ['pushover', { userKey: 'short', device: 'a b' }, 'userKey,device'],
      ['pagerduty', { integrationKey: 'short' }, 'integrationKey'],
      ['incidentIo', { token: 'Bearer inc_1' }, 'token'],
      ['apprise', { key: 'a' }, 'urls'],
      ['jiraServiceManagement', { responders: 'Operations' }, 'responders'],
    ];
    for (const [type, more, paths] of cases) {
      const body = { name: type, ...of(type).service.group(url), ...more };
      const answered = await world.api('POST', `/api/v1/action-groups/${type}`, body);
      expect(answered.status, type).to.equal(400);
      const { details } = answered.body as unknown as { details: { path: string }[] };
      expect(details.map(({ path }) => path).join(), type).to.equal(paths);
    }
    const id = await seedService('ntfy');
    const { body: read } = await world.api('GET', `/api/v1/action-groups/ntfy/${id}`);
    const { name, topicUrl, token } = read as unknown as Record<string, string>;
    expect(topicUrl).to.match(/\*\*\*/);
    await create(world.api, `/api/v1/action-groups/ntfy/${id}`, { name, topicUrl, token }, 'PUT');
  });
});
