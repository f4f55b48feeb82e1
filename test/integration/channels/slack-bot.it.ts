import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched } from '../../support/seed-alerts.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const BOT = { botToken: 'xoxb-1', channel: 'C0000000001' };

describe('A Slack group with a bot', () => {
  let app: TestApp;
  let world: World;
  let slack: WebhookReceiver;

  before(async () => {
    slack = await startWebhookReceiver();
    app = await startTestApp({ env: { SLACK_API_URL: slack.url } });
  });
  after(async () => {
    await app.stop();
    await slack.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    slack.calls.length = 0;
    slack.next();
    answerAll({ ok: true, channel: 'C0000000001', ts: '1503435956.000247' });
  });

  const answerAll = (body: object) => slack.always(answer(200, {}, JSON.stringify(body)));
  const run = () => app.plane.delivery.runDue();
  const createWith = (fields: object) => world.api('POST', '/api/v1/action-groups/slack', { name: 'Team', ...fields });
  const sent = () => slack.calls.map(({ path, body }) => ({ path, ...JSON.parse(body) }));

  it('has a token and a channel, in place of a webhook, and shows no token', async () => {
    const webhookUrl = 'https://hooks.slack.com/services/T0/B0/abcdefghijkl';
    for (const wrong of [{}, { botToken: 'xoxb-1' }, { channel: 'C1' }, { ...BOT, webhookUrl }]) {
      const { status, body } = await createWith(wrong);
      expect([status, body.details[0].path], JSON.stringify(wrong)).to.deep.equal([400, 'webhookUrl']);
    }
    const { status, body } = await createWith(BOT);
    expect(status).to.equal(201);
    expect(body).to.include({ botToken: '***', channel: 'C0000000001', webhookUrl: null });
    const kept = await world.api('PUT', `/api/v1/action-groups/slack/${body.id}`, { botToken: '***', channel: 'C2' });
    expect(kept.status).to.equal(200);
    const turned = await world.api('PUT', `/api/v1/action-groups/slack/${body.id}`, {
      ...{ webhookUrl, botToken: null, channel: null },
    });
    expect(turned.body).to.include({ webhookUrl: 'https://hooks.slack.com/***ijkl', botToken: null });
  });

  it('answers the message in its thread, and in the channel too where it is over', async () => {
    const { id } = await seedGroup(world, 'slack', BOT);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'The disk is full.' });
    await change(world, incidentId, { kind: 'recover' });
    await run();
    const thread_ts = '1503435956.000247';
    expect(
      sent().map(({ path, channel, ts, ...rest }) => [path, channel, ts, rest.thread_ts, rest.reply_broadcast]),
    ).to.deep.equal([
      ['/api/chat.postMessage', BOT.channel, undefined, undefined, undefined],
      ['/api/chat.postMessage', BOT.channel, undefined, thread_ts, false],
      ['/api/chat.update', BOT.channel, thread_ts, undefined, undefined],
      ['/api/chat.postMessage', BOT.channel, undefined, thread_ts, true],
    ]);
    expect(slack.calls.every(({ headers }) => headers['authorization'] === 'Bearer xoxb-1')).to.equal(true);
    expect((await deliveriesOf(world, id))[0]!.destination).to.equal(BOT.channel);
  });

  it('states what Slack refuses in words, and waits where that can be set right', async () => {
    const cases = [
      [
        'channel_not_found',
        'waiting',
        'Slack has no such channel, or the bot was not invited to it (channel_not_found).',
      ],
      ['invalid_auth', 'waiting', 'Slack refused the bot token (invalid_auth).'],
      ['something_new', 'waiting', 'Slack answered with an error (something_new).'],
      ['<b>no</b>', 'waiting', 'Slack answered with an error (unknown).'],
      ['invalid_blocks', 'failed', 'Slack refused the message (invalid_blocks).'],
    ] as const;
    for (const [error, state, sentence] of cases) {
      answerAll({ ok: false, error });
      const { id } = await seedGroup(world, 'slack', BOT);
      await openIncident(world, await seedWatched(world, id));
      await run();
      expect((await deliveriesOf(world, id))[0]).to.include({ state, answer: sentence, statusCode: 200 });
      await world.api('DELETE', `/api/v1/action-groups/${id}`);
    }
  });

  it('waits as long as Slack asks for', async () => {
    slack.next(answer(429, { 'retry-after': '30' }, JSON.stringify({ ok: false, error: 'ratelimited' })));
    const { id } = await seedGroup(world, 'slack', BOT);
    await openIncident(world, await seedWatched(world, id));
    await run();
    app.clock.advance(29_000);
    await run();
    expect(slack.calls).to.have.length(1);
    app.clock.advance(1_000);
    await run();
    expect((await deliveriesOf(world, id))[0]!.state).to.equal('delivered');
  });

  it('sends a new message where the rules of the workspace let the old one not be edited', async () => {
    const { id } = await seedGroup(world, 'slack', BOT);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await run();
    slack.next(answer(200, {}, JSON.stringify({ ok: false, error: 'edit_window_closed' })));
    await change(world, incidentId, { kind: 'recover' });
    await run();
    expect(sent().map(({ path }) => path)).to.deep.equal([
      '/api/chat.postMessage',
      '/api/chat.update',
      '/api/chat.postMessage',
    ]);
    expect(sent()[2]!.blocks[0].text.text).to.equal('🟢 Recovered: Shop');
  });
});
