import { expect } from 'chai';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp, type TestMember } from '../../support/app.js';
import { create, makeWorld, nobodysId, type World } from '../../support/seed.js';
import { openIncident, seedGroup, seedWatched, timelineOf } from '../../support/seed-alerts.js';
import {
  callAsService,
  discordCall,
  discordKeys,
  discordPress,
  type SignedCall,
  slackCall,
  slackPress,
} from '../../support/signed-calls.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const SIGNING = '8f742231b10e8888abcd99yyyzzz85a5';
const OK = answer(200, { 'content-type': 'application/json' }, '{"ok":true,"id":"55"}');

describe('Presses of the button in a message', () => {
  let app: TestApp;
  let world: World;
  /** Slack, Discord, and the address where Slack takes what a person reads. */
  let chat: WebhookReceiver;
  const keys = discordKeys();

  before(async () => {
    chat = await startWebhookReceiver();
    chat.always(OK);
    const env = {
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      SLACK_API_URL: chat.url,
      DISCORD_API_URL: chat.url,
      TELEGRAM_API_URL: chat.url,
    };
    app = await startTestApp({ env });
  });
  after(async () => {
    await app.stop();
    await chat.stop();
  });
  beforeEach(async () => {
    // What the test before left to send.
    await app.plane.delivery.runDue();
    world = await makeWorld(app);
    chat.calls.length = 0;
    chat.next();
  });

  const slackGroup = (of = world, body: object = {}) =>
    seedGroup(of, 'slack', {
      webhookUrl: `${chat.url}/services/T0/B0/abcdefghijkl`,
      signingSecret: SIGNING,
      botToken: 'xoxb-1',
      ...body,
    }).then(({ id }) => ({ type: 'slack', id }));
  const discordGroup = () =>
    seedGroup(world, 'discord', {
      webhookUrl: `${chat.url}/api/webhooks/1/abcdefghijkl`,
      publicKey: keys.publicKey,
      botToken: 'bot-1',
    }).then(({ id }) => ({ type: 'discord', id }));
  const press = (user: string, incidentId: string) =>
    slackPress(SIGNING, app.clock.now(), { user, incidentId, answerTo: `${chat.url}/actions` });
  const shown = () => JSON.parse(chat.calls.at(-1)!.body).blocks[0].text.text as string;
  const call = (group: { type: string; id: string }, signed: SignedCall) => callAsService(app, 'press', group, signed);
  const me = (of = world) => `/api/v1/workspaces/${of.workspaceId}/members/me`;
  const codeIn = (text: string) => /(\d{6}) is the code/.exec(text)![1]!;
  const audit = async (action: string) =>
    (await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit?action=${action}`)).body;
  const isAcknowledged = async (incidentId: string) =>
    (await world.api('GET', `/api/v1/incident/${incidentId}`)).body.acknowledged as boolean;

  async function link(member: Pick<TestMember, 'api'>, type: string, id: string, of = world): Promise<void> {
    await create(member.api, me(of), { chatAccounts: [{ type, id }] }, 'PATCH');
    const code = codeIn(chat.calls.at(-1)!.body);
    await create(member.api, `${me(of)}/chat-accounts/confirm`, { type, id, code });
  }

  describe('in Slack', () => {
    it('acknowledge as the member who has linked the account, and show that person alone what became of it', async () => {
      const group = await slackGroup();
      const responder = await world.member('Responder');
      await link(responder, 'slack', 'U1');
      const incidentId = await openIncident(world, await seedWatched(world, group.id));
      await app.plane.delivery.runDue();
      const [button] = JSON.parse(chat.calls.at(-1)!.body).blocks.at(-1).elements;
      expect(button).to.include({ action_id: 'acknowledge', value: incidentId });
      expect((await call(group, press('U1', incidentId))).status).to.equal(200);
      expect(JSON.parse(chat.calls.at(-1)!.body)).to.include({ response_type: 'ephemeral', replace_original: false });
      expect(shown()).to.equal('You acknowledged the incident of Shop. Nobody else is paged for it.');
      expect((await world.api('GET', `/api/v1/incident/${incidentId}`)).body).to.include({
        acknowledged: true,
        acknowledgedBy: responder.userId,
      });
      const entry = (await timelineOf(world, incidentId)).find(({ type }) => type === 'acknowledged')!;
      expect(entry.detail).to.deep.equal({ via: 'chat', client: 'Slack' });
      const [audited] = await audit('incident.acknowledged');
      expect(audited).to.deep.include({ via: 'chat' });
      expect(audited.actor).to.include({ type: 'user', id: responder.userId });
    });

    it('change nothing for an account that nobody has linked, and for a member who may not', async () => {
      const group = await slackGroup();
      const incidentId = await openIncident(world, await seedWatched(world, group.id));
      const viewer = await world.member('Viewer');
      await create(viewer.api, me(), { chatAccounts: [{ type: 'slack', id: 'U2' }] }, 'PATCH');
      for (const user of ['U1', 'U2']) {
        expect((await call(group, press(user, incidentId))).status).to.equal(200);
        expect(shown()).to.match(
          new RegExp(`^Nothing was changed: this Slack account \\(${user}\\) is linked to no member`),
        );
      }
      const code = codeIn(chat.calls[0]!.body);
      await create(viewer.api, `${me()}/chat-accounts/confirm`, { type: 'slack', id: 'U2', code });
      await call(group, press('U2', incidentId));
      expect(shown()).to.match(
        /^Nothing was changed: acknowledging needs the role Responder, and yours .* is Viewer\.$/,
      );
      const responder = await world.member('Responder');
      await link(responder, 'slack', 'U3');
      await create(
        world.api,
        `/api/v1/workspaces/${world.workspaceId}/members/${responder.memberId}`,
        { status: 'suspended' },
        'PATCH',
      );
      await call(group, press('U3', incidentId));
      expect(shown()).to.match(/is linked to no member/);
      expect(await isAcknowledged(incidentId)).to.equal(false);
    });

    it('have no effect where the same call comes again, also after the acknowledgement was taken back', async () => {
      const group = await slackGroup();
      await link(await world.member('Responder'), 'slack', 'U1');
      const incidentId = await openIncident(world, await seedWatched(world, group.id));
      const once = press('U1', incidentId);
      const first = await call(group, once);
      await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: false }, 'PATCH');
      const before = chat.calls.length;
      const again = await call(group, once);
      expect([again.status, again.body]).to.deep.equal([first.status, first.body]);
      expect(chat.calls).to.have.length(before);
      expect(await isAcknowledged(incidentId)).to.equal(false);
      await call(group, press('U1', incidentId));
      expect(await isAcknowledged(incidentId), 'another press').to.equal(true);
    });

    it('are refused alike where the signature is wrong or old, and where there is no such group', async () => {
      const group = await slackGroup();
      const mute = await slackGroup(world, { signingSecret: null });
      await link(await world.member('Responder'), 'slack', 'U1');
      const incidentId = await openIncident(world, await seedWatched(world, group.id));
      const good = press('U1', incidentId);
      const old = slackPress(SIGNING, app.clock.now() - 5 * MINUTE_MS - 1_000, { user: 'U1', incidentId });
      const cases: [string, { type: string; id: string }, SignedCall][] = [
        ['another secret', group, slackPress('other', app.clock.now(), { user: 'U1', incidentId })],
        ['a changed body', group, { ...good, body: `${good.body}&x=1` }],
        ['another time', group, { ...good, headers: { ...good.headers, 'x-slack-request-timestamp': '1' } }],
        ['old', group, old],
        ['unsigned', group, { body: good.body, headers: {} }],
        ['no such group', { ...group, id: nobodysId() }, good],
        ['no id', { ...group, id: 'x' }, good],
        ['another type', { ...group, type: 'discord' }, good],
        ['no type', { ...group, type: 'nothing' }, good],
        ['a type without a button', { ...group, type: 'email' }, good],
        ['a group without the secret', mute, slackPress('', app.clock.now(), { user: 'U1', incidentId })],
        ['the same, by the word null', mute, slackPress('null', app.clock.now(), { user: 'U1', incidentId })],
      ];
      const answers = new Set<string>();
      for (const [what, to, signed] of cases) {
        const { status, body } = await call(to, signed);
        expect(status, what).to.equal(401);
        answers.add(JSON.stringify({ ...body, requestId: '' }));
      }
      expect([...answers]).to.have.length(1);
      expect(await isAcknowledged(incidentId)).to.equal(false);
      expect((await call(group, good)).status).to.equal(200);
    });

    it('of another workspace cannot acknowledge, whatever incident they name', async () => {
      const other = await makeWorld(app);
      const theirs = await slackGroup(other);
      await link(await other.member('Responder'), 'slack', 'U1', other);
      const group = await slackGroup();
      const incidentId = await openIncident(world, await seedWatched(world, group.id));
      await call(theirs, press('U1', incidentId));
      expect(shown()).to.equal('The incident does not exist any more.');
      await call(group, press('U1', incidentId));
      expect(shown()).to.match(/linked to no member/);
      expect(await isAcknowledged(incidentId)).to.equal(false);
    });

    it('of something else, and hostile bodies, are answered and change nothing', async () => {
      const group = await slackGroup();
      await link(await world.member('Responder'), 'slack', 'U1');
      for (const payload of [
        { type: 'view_submission' },
        { type: 'block_actions', user: { id: 'U1' }, actions: [{ action_id: 'open' }], response_url: chat.url },
        { type: 'block_actions', user: { id: 'U1' }, actions: [], response_url: 'file:///etc/passwd' },
        { type: 7, user: null },
        [],
      ])
        expect((await call(group, slackCall(SIGNING, app.clock.now(), payload))).status).to.equal(200);
      for (const incidentId of ['', 'x'.repeat(2_000), '../..', "'; --", nobodysId()]) {
        expect((await call(group, press('U1', incidentId))).status, incidentId).to.equal(200);
        expect(shown()).to.equal('The incident does not exist any more.');
      }
      const large = await call(group, { body: 'x'.repeat(200_000), headers: {} });
      expect([large.status, large.body.error]).to.deep.equal([413, 'payload_too_large']);
    });

    it('of a closed incident, or one that somebody else has acknowledged, report that', async () => {
      const group = await slackGroup();
      await link(await world.member('Responder'), 'slack', 'U1');
      const incidentId = await openIncident(world, await seedWatched(world, group.id));
      await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
      await call(group, press('U1', incidentId));
      expect(shown()).to.equal('Somebody else acknowledged the incident of Shop before.');
      await create(world.api, `/api/v1/incident/${incidentId}`, { status: 'Resolved' }, 'PATCH');
      await call(group, press('U1', incidentId));
      expect(shown()).to.equal('The incident is closed. Nothing is left to do.');
    });
  });

  describe('in Discord', () => {
    it('acknowledge, and the answer is shown to that person alone', async () => {
      const group = await discordGroup();
      await link(await world.member('Responder'), 'discord', '900000000000000001');
      expect(chat.calls.map(({ path }) => path)).to.deep.equal([
        '/api/v10/users/@me/channels',
        '/api/v10/channels/55/messages',
      ]);
      const incidentId = await openIncident(world, await seedWatched(world, group.id));
      await app.plane.delivery.runDue();
      const [row] = JSON.parse(chat.calls.at(-1)!.body).components;
      expect(row.components[0]).to.include({ type: 2, custom_id: `acknowledge:${incidentId}` });
      const stranger = await call(group, discordPress(keys, app.clock.now(), '7', incidentId));
      expect(stranger.body).to.include({ type: 4 });
      expect(stranger.body.data).to.include({ flags: 64 });
      expect(await isAcknowledged(incidentId)).to.equal(false);
      const { body } = await call(group, discordPress(keys, app.clock.now(), '900000000000000001', incidentId));
      expect(body.data.content).to.equal('You acknowledged the incident of Shop\\. Nobody else is paged for it\\.');
      expect(await isAcknowledged(incidentId)).to.equal(true);
    });

    it('register the URL: a signed PING is answered, and one with a wrong signature is 401', async () => {
      const group = await discordGroup();
      const good = await call(group, discordCall(keys, app.clock.now(), { type: 1 }));
      expect([good.status, good.body]).to.deep.equal([200, { type: 1 }]);
      const bad = discordCall(discordKeys(), app.clock.now(), { type: 1 });
      const old = discordCall(keys, app.clock.now() - 6 * MINUTE_MS, { type: 1 });
      for (const wrong of [bad, old, { ...bad, headers: {} }]) expect((await call(group, wrong)).status).to.equal(401);
      await create(world.api, `/api/v1/action-groups/discord/${group.id}`, { publicKey: 'no key' }, 'PUT');
      expect((await call(group, bad)).status).to.equal(401);
    });
  });

  describe('in Telegram', () => {
    it('acknowledge, and the answer is an alert for that person; a code sets the webhook of the bot', async () => {
      const botToken = '123456789:AAEexampleexampleexampleexample_01';
      const { id } = await seedGroup(world, 'telegram', { botToken, chatId: '-100123' });
      const group = { type: 'telegram', id };
      await link(await world.member('Responder'), 'telegram', '4242');
      const [set, sent] = chat.calls;
      expect([set!.path, sent!.path]).to.deep.equal([`/bot${botToken}/setWebhook`, `/bot${botToken}/sendMessage`]);
      const { url, secret_token: secret } = JSON.parse(set!.body);
      expect(url).to.equal(`${app.baseUrl}/api/v1/channels/telegram/press/${id}`);
      const incidentId = await openIncident(world, await seedWatched(world, id));
      await app.plane.delivery.runDue();
      const { reply_markup: markup } = JSON.parse(chat.calls.at(-1)!.body);
      const [[{ callback_data: data }]] = markup.inline_keyboard;
      const pressed = (from: number, key = secret) => ({
        body: JSON.stringify({ update_id: from, callback_query: { id: `q${from}`, from: { id: from }, data } }),
        headers: { 'x-telegram-bot-api-secret-token': key },
      });
      expect((await call(group, pressed(4242, botToken))).status, 'another secret').to.equal(401);
      const stranger = await call(group, pressed(1));
      expect(stranger.body).to.include({ method: 'answerCallbackQuery', callback_query_id: 'q1', show_alert: true });
      expect(stranger.body.text)
        .to.match(/^Nothing was changed: this Telegram account \(1\)/)
        .and.have.length.at.most(200);
      expect(await isAcknowledged(incidentId)).to.equal(false);
      expect((await call(group, pressed(4242))).body.text).to.match(/^You acknowledged/);
      expect(await isAcknowledged(incidentId)).to.equal(true);
      expect((await call(group, { ...pressed(1), body: '{"update_id":1,"message":{}}' })).body).to.deep.equal({});
    });
  });

  describe('in Mattermost', () => {
    it('acknowledge, and the answer is shown to that person alone', async () => {
      const user = 'xdq4fdt77pncbef59f4k1qe83o';
      const { id } = await seedGroup(world, 'mattermost', {
        serverUrl: chat.url,
        botToken: 'b0ttoken',
        channelId: '4xp9fdt77pncbef59f4k1qe83o',
        pressToken: 'random text of ours',
      });
      const group = { type: 'mattermost', id };
      await link(await world.member('Responder'), 'mattermost', user);
      expect(chat.calls.map(({ path }) => path)).to.deep.equal([
        '/api/v4/users/me',
        '/api/v4/channels/direct',
        '/api/v4/posts',
      ]);
      expect(JSON.parse(chat.calls[1]!.body)).to.deep.equal(['55', user]);
      const incidentId = await openIncident(world, await seedWatched(world, id));
      await app.plane.delivery.runDue();
      const [action] = JSON.parse(chat.calls.at(-1)!.body).props.attachments[0].actions;
      expect(action.integration.url).to.equal(`${app.baseUrl}/api/v1/channels/mattermost/press/${id}`);
      let clicks = 0;
      const pressed = (context: object, by = user) => ({
        body: JSON.stringify({ user_id: by, trigger_id: `t${++clicks}`, context }),
        headers: {},
      });
      const { context } = action.integration;
      expect((await call(group, pressed({ ...context, pressToken: 'guessed' }))).status).to.equal(401);
      expect((await call(group, pressed({ incidentId }))).status).to.equal(401);
      const stranger = await call(group, pressed(context, 'u'.repeat(26)));
      expect(stranger.body.ephemeral_text).to.match(/^Nothing was changed/);
      expect(await isAcknowledged(incidentId)).to.equal(false);
      expect((await call(group, pressed(context))).body.ephemeral_text).to.match(/^You acknowledged/);
      expect(await isAcknowledged(incidentId)).to.equal(true);
      const preview = await world.api('GET', `/api/v1/action-groups/${id}/messages`);
      expect(JSON.stringify(preview.body)).not.to.include('random text of ours');
    });
  });

  describe('need a chat account, which', () => {
    it('a code links that the bot sends there', async () => {
      await slackGroup();
      const responder = await world.member('Responder');
      const { chatAccounts } = await create<{ chatAccounts: object[] }>(
        responder.api,
        me(),
        { chatAccounts: [{ type: 'slack', id: 'U1' }] },
        'PATCH',
      );
      expect(chatAccounts).to.deep.equal([{ type: 'slack', id: 'U1', isConfirmed: false }]);
      const [sent] = chat.calls;
      expect(sent!.path).to.equal('/api/chat.postMessage');
      expect(sent!.headers['authorization']).to.equal('Bearer xoxb-1');
      expect(JSON.parse(sent!.body)).to.include({ channel: 'U1' });
      const confirm = (code: string) =>
        responder.api('POST', `${me()}/chat-accounts/confirm`, { type: 'slack', id: 'U1', code });
      const code = codeIn(sent!.body);
      expect((await confirm(code === '000000' ? '000001' : '000000')).status).to.equal(400);
      const linked = await confirm(code);
      expect(linked.body).to.deep.equal({ type: 'slack', id: 'U1', isConfirmed: true });
      const [audited] = await audit('member.chat_account_linked');
      expect(audited.changes).to.deep.equal({
        'chatAccount.type': { from: null, to: 'slack' },
        'chatAccount.id': { from: null, to: 'U1' },
      });
      await create(responder.api, me(), { chatAccounts: null }, 'PATCH');
      expect((await responder.api('GET', me())).body.chatAccounts).to.deep.equal([]);
      expect(await audit('member.chat_account_unlinked')).to.have.length(1);
    });

    it('is sent no other code when a second one is added, and another one when it is asked for again', async () => {
      await slackGroup();
      const responder = await world.member('Responder');
      const link = async (...ids: string[]) => {
        const before = chat.calls.length;
        const chatAccounts = ids.map((id) => ({ type: 'slack', id }));
        await create(responder.api, me(), { chatAccounts }, 'PATCH');
        return chat.calls.slice(before).map(({ body }) => JSON.parse(body).channel);
      };
      expect(await link('U1')).to.deep.equal(['U1']);
      expect(await link('U1', 'U2')).to.deep.equal(['U2']);
      expect(await link('U1', 'U2')).to.have.members(['U1', 'U2']);
      app.clock.advance(8 * DAY_MS);
      expect(await link('U1', 'U2', 'U3'), 'codes that ended').to.have.members(['U1', 'U2', 'U3']);
    });

    it('five wrong codes make useless, until another is sent', async () => {
      await slackGroup();
      const responder = await world.member('Responder');
      const add = () => create(responder.api, me(), { chatAccounts: [{ type: 'slack', id: 'U1' }] }, 'PATCH');
      const confirm = (code: string) =>
        responder.api('POST', `${me()}/chat-accounts/confirm`, { type: 'slack', id: 'U1', code });
      await add();
      const code = codeIn(chat.calls.at(-1)!.body);
      for (let wrong = 0; wrong < 5; wrong++)
        expect((await confirm(code === '000000' ? '000001' : '000000')).status).to.equal(400);
      expect((await confirm(code)).status).to.equal(429);
      await add();
      expect((await confirm(codeIn(chat.calls.at(-1)!.body))).status).to.equal(200);
      await create(responder.api, me(), { chatAccounts: [] }, 'PATCH');
      await add();
      app.clock.advance(48 * 60 * MINUTE_MS + 1);
      expect((await confirm(codeIn(chat.calls.at(-1)!.body))).status, 'an expired code').to.equal(400);
    });

    it('is not found by guesses that come all at once', async () => {
      await slackGroup();
      const responder = await world.member('Responder');
      await create(responder.api, me(), { chatAccounts: [{ type: 'slack', id: 'U1' }] }, 'PATCH');
      const code = codeIn(chat.calls.at(-1)!.body);
      const confirm = (guess: string) =>
        responder.api('POST', `${me()}/chat-accounts/confirm`, { type: 'slack', id: 'U1', code: guess });
      const guesses = Array.from({ length: 40 }, (_, at) =>
        String((Number(code) + at + 1) % 1_000_000).padStart(6, '0'),
      );
      const statuses = await Promise.all(guesses.map(async (guess) => (await confirm(guess)).status));
      expect(statuses.filter((status) => status === 400)).to.have.length(5);
      expect(statuses.filter((status) => status === 429)).to.have.length(35);
      expect((await confirm(code)).status).to.equal(429);
    });

    it('another member cannot take, also where both have a code', async () => {
      await slackGroup();
      const [first, second] = [await world.member('Responder'), await world.member('Editor')];
      const add = async ({ api }: TestMember) => {
        await create(api, me(), { chatAccounts: [{ type: 'slack', id: 'U1' }] }, 'PATCH');
        return { type: 'slack', id: 'U1', code: codeIn(chat.calls.at(-1)!.body) };
      };
      const [one, two] = [await add(first), await add(second)];
      expect((await first.api('POST', `${me()}/chat-accounts/confirm`, two)).status).to.equal(400);
      await create(first.api, `${me()}/chat-accounts/confirm`, one);
      const late = await second.api('POST', `${me()}/chat-accounts/confirm`, two);
      expect(late.body.details).to.deep.equal([
        { path: 'id', message: 'is linked to another member of this workspace' },
      ]);
      const again = await second.api('PATCH', me(), { chatAccounts: [{ type: 'slack', id: 'U1' }] });
      expect(again.body.details).to.deep.equal([
        { path: 'chatAccounts.0.id', message: 'is linked to another member of this workspace' },
      ]);
    });

    it('is refused with the reason where no group has a bot, and where the bot may not write to the person', async () => {
      const { api } = await world.member('Responder');
      const add = (...chatAccounts: object[]) => api('PATCH', me(), { chatAccounts });
      const none = await add({ type: 'slack', id: 'U1' }, { type: 'email', id: 'U2' });
      expect(none.body.details).to.deep.equal([
        {
          path: 'chatAccounts.0.id',
          message: 'cannot be sent a code: no enabled Slack group of this workspace has a bot (`botToken`)',
        },
        { path: 'chatAccounts.1.type', message: 'must be one of slack, discord, telegram, mattermost' },
      ]);
      await slackGroup();
      chat.next(answer(200, { 'content-type': 'application/json' }, '{"ok":false,"error":"channel_not_found"}'));
      const refused = await add({ type: 'slack', id: 'U1' });
      expect(refused.body.details[0].message).to.equal(
        'could not be sent a code by the bot. Slack has no such channel, or the bot was not invited to it (channel_not_found).',
      );
      await discordGroup();
      chat.next(OK, answer(403, {}, '{"code":50007}'));
      const closed = await add({ type: 'discord', id: '9' });
      expect(closed.body.details[0].message).to.match(/^could not be sent a code by the bot\. Answered 403/);
      expect((await api('GET', me())).body.chatAccounts).to.deep.equal([]);
    });

    it('changes nothing where a code cannot be sent', async () => {
      const { api } = await world.member('Responder');
      await slackGroup();
      chat.next(OK);
      expect((await api('PATCH', me(), { chatAccounts: [{ type: 'slack', id: 'U1' }] })).status).to.equal(200);
      const before = (await api('GET', me())).body;
      chat.next(answer(200, { 'content-type': 'application/json' }, '{"ok":false,"error":"channel_not_found"}'));
      const refused = await api('PATCH', me(), {
        notificationPreferences: { email: false },
        chatAccounts: [{ type: 'slack', id: 'U2' }],
      });
      expect(refused.status).to.equal(400);
      expect((await api('GET', me())).body).to.deep.equal(before);
    });
  });
});
