import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { Place } from '../../support/channel-services/channel-service.js';
import { type StandIn, startStandIn } from '../../support/channel-services/stand-in.js';
import { makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched } from '../../support/seed-alerts.js';

describe('A Discord group with a bot', () => {
  let app: TestApp;
  let world: World;
  let standIn: StandIn;

  before(async () => {
    standIn = await startStandIn('discordBot');
    const { url } = standIn.receiver;
    app = await startTestApp({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', DISCORD_API_URL: url } });
  });
  after(async () => {
    await app.stop();
    await standIn.receiver.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    standIn.room.length = 0;
    standIn.receiver.calls.length = 0;
  });

  const fieldsOf = (place: Place) => standIn.service.group(standIn.receiver.url, place);

  async function opened(place: Place, fields: object = {}) {
    const { id } = await seedGroup(world, 'discord', { ...fieldsOf(place), ...fields });
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await app.plane.delivery.runDue();
    return { id, incidentId };
  }

  it('posts to the channel of the webhook, and replies to its message', async () => {
    const { incidentId } = await opened('one');
    await change(world, incidentId, { kind: 'recover' });
    await app.plane.delivery.runDue();
    const [message, reply] = standIn.room;
    expect(message!.place).to.match(/^\d+$/);
    expect([reply!.place, reply!.replyTo]).to.deep.equal([message!.place, message!.number]);
    expect(standIn.receiver.calls.map(({ method }) => method)).to.deep.equal(['GET', 'POST', 'PATCH', 'POST']);
  });

  it('posts to the thread that the URL of the webhook names', async () => {
    await opened('one', { webhookUrl: `${fieldsOf('one')['webhookUrl'] as string}?thread_id=42` });
    expect(standIn.room.map(({ place }) => place)).to.deep.equal(['42']);
  });

  it('is notified by the webhook where the bot may not write, or has a wrong token, and the delivery states it', async () => {
    const { id, incidentId } = await opened('forbidden');
    expect((await deliveriesOf(world, id))[0]).to.include({
      state: 'delivered',
      answer:
        'Answered 200 OK. The bot could not post: Answered 403 Forbidden (50001). The bot may not see the channel.',
    });
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await opened('one', { botToken: 'token-2' });
    expect(standIn.room.map(({ place, changes }) => [place, changes])).to.deep.equal([
      ['webhook 100000000000000009', 1],
      ['webhook 100000000000000001', 0],
    ]);
  });
});
