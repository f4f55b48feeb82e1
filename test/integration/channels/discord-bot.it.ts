import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { ChatRoom } from '../../support/chat-rooms/chat-room.js';
import { discordBotRoom } from '../../support/chat-rooms/discord-room.js';
import { makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched } from '../../support/seed-alerts.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

describe('A Discord group with a bot', () => {
  let app: TestApp;
  let world: World;
  let receiver: WebhookReceiver;
  let room: ChatRoom;

  before(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', DISCORD_API_URL: receiver.url } });
    receiver.always((call, response) => {
      const { status, body } = discordBotRoom.answer(room, call);
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  after(async () => {
    await app.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    room = new ChatRoom();
    receiver.calls.length = 0;
  });

  async function opened(place: string, fields: object = {}) {
    const { id } = await seedGroup(world, 'discord', { ...discordBotRoom.group(receiver.url, place), ...fields });
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await app.plane.delivery.runDue();
    return { id, incidentId };
  }

  it('posts to the channel of the webhook, and replies to its message', async () => {
    const { incidentId } = await opened('one');
    await change(world, incidentId, { kind: 'recover' });
    await app.plane.delivery.runDue();
    const [message, reply] = room.messages;
    expect(message!.place).to.match(/^\d+$/);
    expect([reply!.place, reply!.replyTo]).to.deep.equal([message!.place, message!.id]);
    expect(receiver.calls.map(({ method }) => method)).to.deep.equal(['GET', 'POST', 'PATCH', 'POST']);
  });

  it('posts to the thread that the URL of the webhook names', async () => {
    await opened('one', { webhookUrl: `${receiver.url}/api/webhooks/one/token?thread_id=42` });
    expect(room.messages.map(({ place }) => place)).to.deep.equal(['42']);
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
    expect(room.messages.map(({ place, edits }) => [place, edits])).to.deep.equal([
      ['forbidden/token', 1],
      ['one/token', 0],
    ]);
  });
});
