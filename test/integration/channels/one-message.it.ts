import { expect } from 'chai';
import type { ActionGroupType } from '@watchpost/control-plane/capabilities/channels/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { Place } from '../../support/channel-services/channel-service.js';
import { type Posted, type StandIn, startStandIn } from '../../support/channel-services/stand-in.js';
import { makeWorld, type World } from '../../support/seed.js';
import {
  change,
  deliveriesOf,
  openIncident,
  openTogether,
  seedGroup,
  seedWatched,
  timelineOf,
} from '../../support/seed-alerts.js';
import { answer, type Behaviour, type WebhookReceiver } from '../../support/webhook-receiver.js';

type Name = Parameters<typeof startStandIn>[0];
const ROOMS: readonly (readonly [name: string, type: ActionGroupType, standIn: Name])[] = [
  ['Discord by a webhook', 'discord', 'discord'],
  ['Discord by a bot', 'discord', 'discordBot'],
  ['Slack by a bot', 'slack', 'slackBot'],
  ['Telegram', 'telegram', 'telegram'],
  ['Matrix', 'matrix', 'matrix'],
  ['Mattermost by a bot', 'mattermost', 'mattermost'],
];

for (const [name, type, standInName] of ROOMS) {
  describe(`An incident in ${name}`, () => {
    let app: TestApp;
    let world: World;
    let receiver: WebhookReceiver;
    let standIn: StandIn;
    let room: Posted[];
    let obey: Behaviour;

    before(async () => {
      standIn = await startStandIn(standInName);
      ({ receiver, room, obey } = standIn);
      const { url } = receiver;
      app = await startTestApp({
        env: {
          ...{ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', SLACK_API_URL: url, DISCORD_API_URL: url, TELEGRAM_API_URL: url },
        },
      });
    });
    after(async () => {
      await app.stop();
      await receiver.stop();
    });
    beforeEach(async () => {
      world = await makeWorld(app);
      room.length = 0;
      receiver.calls.length = 0;
      receiver.next();
      receiver.always(obey);
    });

    const run = () => app.plane.delivery.runDue();
    const fields = (place: Place) => standIn.service.group(receiver.url, place);
    const group = (place: Place, of = world) => seedGroup(of, type, fields(place));
    const titles = () => room.map(({ title }) => title);
    const keepOpen = () =>
      world.api('PATCH', `/api/v1/workspaces/${world.workspaceId}`, { settings: { autoCloseIncidents: false } });
    const acknowledge = (incidentId: string) =>
      world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });

    async function opened(place: Place = 'one') {
      const { id } = await group(place);
      const monitorId = await seedWatched(world, id);
      const incidentId = await openIncident(world, monitorId);
      await run();
      expect(titles()).to.have.length(1);
      return { id, monitorId, incidentId };
    }

    it('is of a channel that is listed as one that edits', async () => {
      const { body } = await world.api<{ type: string; canEdit: boolean }[]>('GET', '/api/v1/channels');
      expect(body.find((channel) => channel.type === type)!.canEdit).to.equal(true);
    });

    it('is one message, which shows who acknowledged it, and how it is after each change', async () => {
      const { id, incidentId } = await opened();
      await acknowledge(incidentId);
      await run();
      expect(titles()).to.deep.equal(['Down, acknowledged: Shop']);
      expect(room[0]!.text)
        .to.match(/acknowledged by .+: somebody works on it/)
        .and.match(/Acknowledged by[:\s]+\S/);
      app.clock.advance(60_000);
      await change(world, incidentId, { kind: 'update', severity: 'partial' });
      await run();
      expect(titles()).to.deep.equal(['Partly down, acknowledged: Shop']);
      expect(room[0]!.text).to.match(/Duration[:\s]+1 min/);
      expect((await deliveriesOf(world, id))[0]).to.include({
        state: 'delivered',
        answer: 'Answered 200 OK. It edited the message of the incident.',
      });
    });

    it('is answered when it is over, so that people notice it', async () => {
      const { incidentId } = await opened();
      app.clock.advance(60_000);
      await change(world, incidentId, { kind: 'recover' });
      await run();
      expect(titles()).to.deep.equal(['Recovered: Shop', 'Recovered: Shop']);
      const [message, reply] = room as [Posted, Posted];
      expect(message.text)
        .to.match(/Until[:\s]/)
        .and.match(/Duration[:\s]+1 min/);
      expect(reply.text.trim().split('\n').slice(1).join('\n').trim()).to.equal('All is well again. It lasted 1 min.');
      if (standInName !== 'discord') expect(reply.replyTo, 'it answers the message').to.equal(message.number);
      expect((await timelineOf(world, incidentId)).filter((entry) => entry.type === 'notified')).to.have.length(2);
    });

    it('that fails again is the same message, and its readers are notified', async () => {
      await keepOpen();
      const { incidentId } = await opened();
      await change(world, incidentId, { kind: 'recover', autoClose: false });
      await run();
      await change(world, incidentId, { kind: 'relapse' });
      await run();
      expect(titles()).to.deep.equal(['Down: Shop', 'Recovered: Shop', 'Down again: Shop']);
    });

    it('is answered by notes, which leave the message as it is', async () => {
      const { incidentId } = await opened();
      const before = structuredClone(room[0]);
      await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'The disk is full.' });
      await run();
      expect(titles()).to.deep.equal(['Down: Shop', 'Note: Shop']);
      expect(room[0]).to.deep.equal(before);
      expect(room[1]!.text).to.include('The disk is full.');
    });

    if (standInName !== 'matrix')
      it('is posted anew where its message was deleted, and goes on there', async () => {
        const { incidentId } = await opened();
        room.shift();
        await acknowledge(incidentId);
        await run();
        expect(titles()).to.deep.equal(['Acknowledged: Shop']);
        await change(world, incidentId, { kind: 'update', severity: 'partial' });
        await run();
        expect(titles()).to.deep.equal(['Partly down, acknowledged: Shop']);
      });

    it('goes on in the new place of a group that moves, and leaves the old one alone', async () => {
      const { id, incidentId } = await opened();
      await world.api('PUT', `/api/v1/action-groups/${type}/${id}`, fields('two'));
      await acknowledge(incidentId);
      await run();
      await change(world, incidentId, { kind: 'recover' });
      await run();
      expect(titles()).to.deep.equal(['Down: Shop', 'Recovered: Shop', 'Recovered: Shop']);
      if (room[0]!.place !== undefined) expect(new Set(room.map(({ place }) => place)).size).to.equal(2);
      expect(room[0]!.changes).to.equal(0);
    });

    it('is edited and answered once each where the service answers 429 in between, whatever waits behind', async () => {
      const { incidentId } = await opened();
      await acknowledge(incidentId);
      await change(world, incidentId, { kind: 'recover' });
      receiver.next(answer(429, { 'retry-after': '60' }));
      await run();
      expect(titles()).to.deep.equal(['Down: Shop']);
      app.clock.advance(59_000);
      await run();
      expect(titles(), 'not before it allows it').to.deep.equal(['Down: Shop']);
      app.clock.advance(1_000);
      const usual = receiver.calls.length;
      receiver.next(obey, obey, answer(429, { 'retry-after': '60' }));
      await run();
      expect(titles(), 'the reply is refused').to.deep.equal(['Recovered: Shop']);
      app.clock.advance(60_000);
      await run();
      expect(titles()).to.deep.equal(['Recovered: Shop', 'Recovered: Shop']);
      expect(receiver.calls.length - usual).to.equal(5);
    });

    if (['discordBot', 'matrix', 'mattermost'].includes(standInName))
      it('is not posted twice where the answer of the service is lost', async () => {
        const { id } = await group('one');
        const incidentId = await openIncident(world, await seedWatched(world, id));
        const lost: Behaviour = (call, response, request) => {
          standIn.lose(call, response, request);
          request.socket.destroy();
        };
        receiver.always((call, ...rest) => (call.method === 'GET' ? obey(call, ...rest) : lost(call, ...rest)));
        await run();
        receiver.always(obey);
        app.clock.advance(10_000);
        await run();
        expect(titles()).to.deep.equal(['Down: Shop']);
        await acknowledge(incidentId);
        await run();
        expect(titles()).to.deep.equal(['Down, acknowledged: Shop']);
      });

    it('is edited at its place beside a digest, which is the message of none of several incidents', async () => {
      const { id } = await seedGroup(world, type, { ...fields('one'), digestAfter: 2 });
      const monitorIds = [await seedWatched(world, id), await seedWatched(world, id), await seedWatched(world, id)];
      const first = await openIncident(world, monitorIds[0]!);
      await run();
      await acknowledge(first);
      const [second, third] = await openTogether(world, monitorIds.slice(1));
      await run();
      expect(titles()).to.deep.equal(['Down, acknowledged: Shop', '2 incidents: Shop, Shop']);
      await change(world, second!, { kind: 'recover' });
      await run();
      expect(titles()).to.deep.equal(['Down, acknowledged: Shop', '2 incidents: Shop, Shop', 'Recovered: Shop']);
      await acknowledge(third!);
      await change(world, third!, { kind: 'update', severity: 'partial' });
      await run();
      expect(titles().slice(3), 'a digest of one incident is its message').to.deep.equal(['Partly down: Shop']);
      await change(world, third!, { kind: 'recover' });
      await run();
      expect(titles().slice(3)).to.deep.equal(['Recovered: Shop', 'Recovered: Shop']);
    });

    it('has a message in each group, and in each workspace, which others do not touch', async () => {
      const other = await makeWorld(app);
      const { incidentId, monitorId } = await opened('one');
      const second = await group('two');
      await world.api('POST', `/api/v1/action-groups/${second.id}/monitors/${monitorId}`);
      await run();
      const theirs = await seedWatched(other, (await group('three', other)).id);
      await openIncident(other, theirs);
      await run();
      expect(titles()).to.deep.equal(['Down: Shop', 'Down: Shop', 'Down: Shop']);
      await acknowledge(incidentId);
      await run();
      expect(titles()).to.deep.equal(['Down, acknowledged: Shop', 'Down, acknowledged: Shop', 'Down: Shop']);
    });

    it('has new messages once its own is a month old, and does not outlive it', async () => {
      const { incidentId } = await opened();
      const kept = () => app.sql('SELECT FROM channel_message WHERE incident_id = $1', [incidentId]);
      app.clock.advance(31 * 86_400_000);
      await app.plane.jobs.find(({ name }) => name === 'purge_deliveries')!.run();
      expect(await kept()).to.have.length(0);
      await acknowledge(incidentId);
      await run();
      expect(titles()).to.deep.equal(['Down: Shop', 'Acknowledged: Shop']);
      expect(await kept()).to.have.length(1);
      await app.sql('DELETE FROM incident WHERE id = $1', [incidentId]);
      expect(await kept()).to.have.length(0);
    });
  });
}
