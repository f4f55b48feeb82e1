import { expect } from 'chai';
import { channelOf } from '@watchpost/control-plane/capabilities/channels/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import { answering, type StandIn, startStandIn } from '../../support/channel-services/stand-in.js';
import { groupBody } from '../../support/group-body.js';
import type { Json } from '../../support/product.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched } from '../../support/seed-alerts.js';
import { hangUp } from '../../support/webhook-receiver.js';

const TYPES = ['telegram', 'googleChat', 'mattermost', 'rocketChat', 'matrix'] as const;
type Type = (typeof TYPES)[number];

describe('Chats with an interface of their own', () => {
  let app: TestApp;
  let world: World;
  const services = new Map<Type, StandIn>();

  before(async () => {
    for (const type of TYPES) services.set(type, await startStandIn(type));
    const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', TELEGRAM_API_URL: of('telegram').receiver.url };
    app = await startTestApp({ env });
  });
  after(async () => {
    await app?.stop();
    for (const { receiver } of services.values()) await receiver.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    for (const { receiver, messages, obey } of services.values()) {
      receiver.calls.length = messages.length = 0;
      receiver.next();
      receiver.always(obey);
    }
  });

  const of = (type: Type) => services.get(type)!;
  const run = () => app.plane.delivery.runDue();
  const bodiesOf = (type: Type): Json[] => of(type).receiver.calls.map(({ body }) => JSON.parse(body));
  const seed = (type: Type) => seedGroup(world, type, of(type).service.group(of(type).receiver.url));

  async function opened(type: Type): Promise<{ groupId: string; incidentId: string }> {
    const { id: groupId } = await seed(type);
    const incidentId = await openIncident(world, await seedWatched(world, groupId));
    await run();
    return { groupId, incidentId };
  }

  it('are listed with their fields, and their groups are created over REST and by documents', async () => {
    const { body: channels } = await world.api<{ type: string; fields: { name: string }[]; canEdit: boolean }[]>(
      'GET',
      '/api/v1/channels',
    );
    const actionGroups: Record<string, object> = {};
    for (const type of TYPES) {
      const listed = channels.find((channel) => channel.type === type)!;
      expect(listed.fields.map(({ name }) => name)).to.deep.equal(channelOf(type).fields.map(({ name }) => name));
      expect(listed.canEdit, type).to.equal(['telegram', 'mattermost', 'matrix'].includes(type));
      const made = await create<Json>(world.api, `/api/v1/action-groups/${type}`, groupBody(type));
      const { body: read } = await world.api('GET', `/api/v1/action-groups/${type}/${made.id}`);
      expect(read, type).to.deep.equal(made);
      const shown = Object.fromEntries(listed.fields.map(({ name }) => [name, read[name]]));
      const sentBack = await world.api('PUT', `/api/v1/action-groups/${type}/${made.id}`, shown);
      expect(sentBack.body, 'what was read can be sent back').to.deep.include(shown);
      actionGroups[type.toLowerCase()] = { type, ...groupBody(type), name: `${type} by document` };
    }
    const document = { apiVersion: 'watchpost/v1', project: 'chats', actionGroups };
    const { status, body } = await world.api('POST', '/api/v1/config/apply', { document });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.changes).to.have.length(TYPES.length);
  });

  it('refuse wrong values with all faults at once, in words', async () => {
    const faultsOf = async (type: Type, more: object) => {
      const { status, body } = await world.api('POST', `/api/v1/action-groups/${type}`, {
        ...groupBody(type),
        ...more,
      });
      expect(status).to.equal(400);
      return Object.fromEntries(body.details.map(({ path, message }: Json) => [path, message]));
    };
    expect(await faultsOf('matrix', { roomId: '#ops:example.com', accessToken: 'a b' })).to.deep.equal({
      roomId: 'must be the ID of a room, which begins with !; an alias, which begins with #, is no ID',
      accessToken: 'must be ASCII without spaces',
    });
    expect(Object.keys(await faultsOf('telegram', { botToken: '../x', chatId: 'ops', topicId: 'x' }))).to.have.members([
      'botToken',
      'chatId',
      'topicId',
    ]);
    const both = { serverUrl: 'https://mattermost.example.com', botToken: 'x' };
    expect((await faultsOf('mattermost', both))['webhookUrl']).to.match(/^must be given as one of these/);
  });

  it('in Telegram go on in the supergroup that a group became, and name its new ID', async () => {
    const { receiver, obey } = of('telegram');
    receiver.always((call, response, request) => {
      const body = JSON.parse(call.body);
      if (body.chat_id !== -1009) {
        const parameters = { migrate_to_chat_id: -1009 };
        const moved = { ok: false, error_code: 400, description: 'Bad Request: group chat was upgraded', parameters };
        answering({ status: 400, body: JSON.stringify(moved) })(call, response, request);
      } else obey({ ...call, body: JSON.stringify({ ...body, chat_id: '-1001234567890' }) }, response, request);
    });
    const { groupId } = await opened('telegram');
    expect(of('telegram').messages).to.have.length(1);
    expect((await deliveriesOf(world, groupId))[0]).to.include({
      state: 'delivered',
      answer: 'Answered 200 OK. The chat has another ID now: -1009.',
    });
  });

  it('in Telegram count an edit that changes nothing as made', async () => {
    const { groupId, incidentId } = await opened('telegram');
    const unchanged = { ok: false, error_code: 400, description: 'Bad Request: message is not modified: …' };
    of('telegram').receiver.next(answering({ status: 400, body: JSON.stringify(unchanged) }));
    await change(world, incidentId, { kind: 'update', severity: 'partial' });
    await run();
    expect((await deliveriesOf(world, groupId))[0]).to.include({ state: 'delivered', attempts: 1 });
    expect(of('telegram').messages).to.have.length(1);
  });

  it('in Telegram never show the token, whatever goes wrong', async () => {
    const { receiver } = of('telegram');
    const { id } = await seed('telegram');
    await openIncident(world, await seedWatched(world, id));
    const shown: unknown[] = [];
    const echo = answering({ status: 404, body: receiver.url + '/bot123456789:AAEexample' });
    for (const behaviour of [hangUp, echo, answering({ status: 200, body: 'no JSON' })]) {
      receiver.always(behaviour);
      shown.push((await world.api('POST', `/api/v1/action-groups/${id}/test`)).body);
    }
    receiver.always(hangUp);
    await run();
    shown.push(await deliveriesOf(world, id), app.warnings);
    shown.push((await world.api('GET', `/api/v1/action-groups/telegram/${id}`)).body);
    shown.push((await world.api('GET', `/api/v1/action-groups/${id}/messages`)).body);
    expect(receiver.calls[0]!.path).to.include('/bot123456789:AAEexample');
    expect(JSON.stringify(shown)).to.not.include('AAEexample').and.not.include('/bot');
  });

  it('in Google Chat are one thread for an incident, and none for what belongs to none', async () => {
    const { groupId, incidentId } = await opened('googleChat');
    await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
    await run();
    await create(world.api, `/api/v1/action-groups/${groupId}/test`);
    expect(bodiesOf('googleChat').map(({ thread }) => thread?.threadKey)).to.deep.equal([
      incidentId,
      incidentId,
      undefined,
    ]);
  });

  it('in Google Chat and Matrix are there once, even if the answer to the first attempt is lost', async () => {
    for (const type of ['googleChat', 'matrix'] as const) {
      const { receiver, obey, messages } = of(type);
      receiver.next((call, _response, request) => {
        const answered = { writeHead: () => answered, end: () => request.socket.destroy() };
        obey(call, answered as never, request);
      });
      const { groupId } = await opened(type);
      app.clock.advance(10_000);
      await run();
      expect(receiver.calls, type).to.have.length(2);
      expect(messages, type).to.have.length(1);
      expect((await deliveriesOf(world, groupId))[0], type).to.include({ state: 'delivered', attempts: 2 });
    }
  });

  it('describe each incident of a digest', async () => {
    for (const type of TYPES) {
      const { id } = await seedGroup(world, type, { ...of(type).service.group(of(type).receiver.url), digestAfter: 2 });
      for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) {
        const monitorId = await seedWatched(world, id);
        await app.sql('UPDATE monitor SET name = $2 WHERE id = $1', [monitorId, name]);
        await openIncident(world, monitorId);
      }
      await run();
      expect(of(type).refused, type).to.deep.equal([]);
      expect(of(type).messages, type).to.have.length(1);
      const { text } = of(type).messages[0]!;
      for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth'])
        expect(text, type).to.include(`Down: ${name} · Since `);
    }
  });

  it('in Mattermost come by a webhook too, and each change is a message there', async () => {
    const { receiver } = of('mattermost');
    receiver.always(answering({ status: 200, body: 'ok' }));
    const { id } = await seedGroup(world, 'mattermost', { webhookUrl: `${receiver.url}/hooks/abcdefghijklmnop` });
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await change(world, incidentId, { kind: 'recover' });
    await run();
    expect(receiver.calls.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      'POST /hooks/abcdefghijklmnop',
      'POST /hooks/abcdefghijklmnop',
    ]);
    expect(bodiesOf('mattermost').map(({ attachments }) => attachments[0].text.split('\n')[0])).to.deep.equal([
      '**🔴 Down:\u2060 Shop**',
      '**🟢 Recovered:\u2060 Shop**',
    ]);
    expect((await deliveriesOf(world, id))[0]!.destination).to.match(/\*\*\*mnop$/);
  });
});
