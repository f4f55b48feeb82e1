import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { startTestApp, type TestApp } from '../../support/app.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import type { Json } from '../../support/product.js';
import { readMail } from '../../support/read-mail.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { answer as respond, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { answer, certificate, down } from '../verdicts/detail-seed.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';

const PHONE = '+353871234567';
const READER = 'reader@example.test';
const FAULT_TITLE = 'Certificate at fault: Shop';

/** One event as every channel delivered it; null where the channel is not notified of such events. */
interface Delivered {
  mail: { subject: string; text: string } | null;
  sms: string | null;
  slack: { title: string; sentences: string; facts: string[] } | null;
  teams: { title: string; lines: string[] } | null;
  webhook: { type: string; timestamp: string; data: Record<string, Json> } | null;
}

/**
 * What people and programs receive. The product itself publishes each event: results enter by `ingestBatch` as from
 * agents, people act over REST, and the delivery worker sends.
 */
describe('The message', () => {
  let app: TestApp;
  let mailServer: MailServer;
  let carrier: WebhookReceiver;
  let posts: WebhookReceiver;
  let world: World;
  let deps: Parameters<typeof ingestBatch>[0];
  let minute = 0;

  before(async () => {
    [mailServer, carrier, posts] = await Promise.all([
      startMailServer(),
      startWebhookReceiver(),
      startWebhookReceiver(),
    ]);
    carrier.always(respond(201, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}'));
  });
  after(async () => {
    await Promise.all([mailServer?.stop(), carrier?.stop(), posts?.stop()]);
  });
  // Each test has an app of its own: a region in which one monitor after the other fails becomes suspect.
  beforeEach(async () => {
    app = await startTestApp({
      env: {
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: 'Watchpost <alerts@watch.example>',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        TWILIO_ACCOUNT_SID: 'AC123',
        TWILIO_AUTH_TOKEN: 's3cr3t',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: carrier.url,
      },
    });
    deps = { ...resultsDeps(app.db), clock: app.clock, partitions: app.plane.partitions };
    minute = 0;
    world = await makeWorld(app, 'Enterprise');
    await app.sql(`UPDATE workspace SET name = 'Acme' WHERE id = $1`, [world.workspaceId]);
    await app.sql(`UPDATE user_account SET name = 'Ann' WHERE id = $1`, [world.owner.userId]);
  });

  afterEach(() => app?.stop());

  async function watch(settings: object = {}): Promise<{ id: string; key: number; groups: string[] }> {
    const { id } = await seedMonitor(world, { checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1, ...settings });
    const groups: string[] = [];
    const kinds = { email: { recipients: [READER] }, webhook: { url: `${posts.url}/webhook` } };
    const chats = { slack: { webhookUrl: `${posts.url}/slack` }, teams: { webhookUrl: `${posts.url}/teams` } };
    for (const [type, body] of Object.entries({ ...kinds, ...chats })) {
      const made = await create(world.api, `/api/v1/action-groups/${type}`, { name: 'Operators', ...body });
      await create(world.api, `/api/v1/action-groups/${made.id}/monitors/${id}`);
      groups.push(made.id);
    }
    const sms = { name: 'Operators', phoneNumbers: [PHONE] };
    groups.push((await create(world.api, `/api/v1/monitor/${id}/sms-action-group`, sms)).id);
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    return { id, key, groups };
  }

  /** The checks of one minute, from these regions. */
  async function file(
    key: number,
    outcome: Outcome,
    {
      kind = 'http',
      regions = ['northeurope'],
      detail,
    }: Partial<Pick<CheckResult, 'detail'>> & {
      kind?: CheckResult['key']['kind'];
      regions?: Region[];
    } = {},
  ): Promise<void> {
    app.clock.set(NOON + ++minute * MINUTE_MS);
    for (const region of regions)
      await ingestBatch(deps, agentIn(region), [
        { ...resultOf(key, NOON + minute * MINUTE_MS, outcome, kind), ...(detail ? { detail } : {}) },
      ]);
  }

  /** Sends and returns what is due now. */
  async function deliver(events = 1): Promise<Delivered> {
    mailServer.mails.length = carrier.calls.length = posts.calls.length = 0;
    await app.plane.delivery.runDue();
    expect(mailServer.mails.length, 'events').to.be.at.most(events);
    const mail = mailServer.mails.map(readMail).at(-1);
    const posted = (path: string) => {
      const call = posts.calls.findLast((one) => one.path === path);
      return call ? (JSON.parse(call.body) as Record<string, Json>) : null;
    };
    const [slack, teams] = [posted('/slack'), posted('/teams')];
    return {
      mail: mail ? { subject: mail.subject, text: withoutLinks(mail.text) } : null,
      sms: carrier.calls.map(({ body }) => withoutLinks(new URLSearchParams(body).get('Body')!)).at(-1) ?? null,
      slack: slack && slackOf(slack),
      teams: teams && teamsOf(teams),
      webhook: posted('/webhook') as Delivered['webhook'],
    };
  }

  const withoutLinks = (text: string) => text.replace(/https?:\/\/\S+\/(?:incident|ack|api)\/\S+/g, '<link>');
  function slackOf({ blocks }: Record<string, Json>): NonNullable<Delivered['slack']> {
    const [header, ...rest] = blocks;
    const sections = rest.filter(({ type }: { type: string }) => type === 'section');
    return {
      title: header.text.text.replace(/^\S+ /u, ''),
      sentences: sections.find((one: Json) => one.text)?.text.text ?? '',
      facts: (sections.find((one: Json) => one.fields)?.fields ?? []).map(({ text }: Json) => text.replace('\n', ': ')),
    };
  }
  function teamsOf({ attachments }: Record<string, Json>): NonNullable<Delivered['teams']> {
    const [title, ...lines] = attachments[0].content.body.map(({ inlines }: Json) =>
      inlines.map(({ text }: Json) => text).join(''),
    );
    return { title, lines };
  }

  /** Every channel for people has the same title, sentences and facts, each in its own form. */
  const ACKNOWLEDGE = 'Acknowledge the incident, so that others know that you work on it.';

  function expectMessage(
    got: Delivered,
    expected: { title: string; sentences: string[]; facts: string[]; sms: string | null },
  ) {
    const { title, sentences, facts, sms } = expected;
    expect(got.mail!.subject).to.equal(title);
    expect(got.mail!.text.split('\n').filter((line) => line !== '' && !line.includes('<link>'))).to.deep.equal([
      title,
      // Its reader belongs to no workspace, and cannot.
      ...sentences.filter((text) => text !== ACKNOWLEDGE).flatMap((text) => text.split('\n')),
      ...facts,
    ]);
    expect(got.slack).to.deep.equal({ title, sentences: sentences.join('\n'), facts });
    expect(got.teams).to.deep.equal({ title, lines: [...sentences.flatMap((text) => text.split('\n')), ...facts] });
    expect(got.sms).to.equal(sms);
  }
  const MONITOR = 'Monitor: Shop (https://shop.example/)';
  const WORKSPACE = 'Workspace: Acme';
  const REASON = 'The server at 203.0.113.7:443 refused the connection.';
  const patch = (id: string, body: object) => create(world.api, `/api/v1/incident/${id}`, body, 'PATCH');
  const incidentOf = async (monitorId: string) =>
    (await world.api('GET', `/api/v1/incident?monitorId=${monitorId}`)).body[0].id as string;

  async function breakDown(settings: object = {}) {
    const monitor = await watch(settings);
    await file(monitor.key, DOWN);
    const opened = await deliver();
    return { ...monitor, incidentId: await incidentOf(monitor.id), opened };
  }

  it('about an opened incident contains since when, where and what was observed, and what to do', async () => {
    const { opened, incidentId } = await breakDown();
    expectMessage(opened, {
      title: 'Down: Shop',
      sentences: ['Since 21 Nov 2026, 12:01 UTC, seen from North Europe, Ireland.', REASON, ACKNOWLEDGE],
      facts: [MONITOR, WORKSPACE],
      sms: opened.sms,
    });
    expect(opened.sms)
      .to.match(/^Watchpost: Down: Shop\. Since 21 Nov 2026, 12:01 UTC, seen from North Europe, Ireland\. /)
      .and.match(/Evidence: <link>$/);
    expect(opened.webhook).to.include({ type: 'incident.opened' });
    expect(opened.webhook!.data['incident']).to.include({ id: incidentId, failureReason: REASON, severity: 'down' });
  });

  it('about an acknowledgement names the person and is not sent by SMS', async () => {
    const { incidentId } = await breakDown();
    await patch(incidentId, { acknowledged: true });
    const got = await deliver();
    expect(got.sms).to.equal(null);
    expect(got.mail!.subject).to.equal('Acknowledged: Shop');
    expect(got.slack!.sentences).to.equal('The incident was acknowledged by Ann: somebody works on it.');
    expect(got.teams!.lines[0]).to.equal(got.slack!.sentences);
    expect(got.mail!.text).to.include(got.slack!.sentences);
    expect(got.slack!.facts).to.include.members([
      MONITOR,
      `What was seen: ${REASON}`,
      'Seen from: North Europe, Ireland',
      WORKSPACE,
    ]);
    expect(got.webhook).to.include({ type: 'incident.acknowledged' });
  });

  it('about an update contains the change', async () => {
    const { incidentId } = await breakDown();
    const updates: [object, string, string][] = [
      [{ acknowledged: true }, 'Acknowledged: Shop', 'The incident was acknowledged by Ann: somebody works on it.'],
      [
        { acknowledged: false },
        'No longer acknowledged: Shop',
        'The acknowledgement was taken back by Ann: nobody is known to work on it.',
      ],
      [{ status: 'Investigating' }, 'Update: Shop', 'The status is now Investigating, set by Ann.'],
    ];
    for (const [body, title, sentence] of updates) {
      app.clock.advance(4 * MINUTE_MS);
      await patch(incidentId, body);
      const got = await deliver();
      expect([got.mail!.subject, got.slack!.title, got.teams!.title]).to.deep.equal([title, title, title]);
      for (const text of [got.mail!.text, got.slack!.sentences, got.teams!.lines.join('\n')])
        expect(text).to.include(sentence);
      if (got.sms !== null) expect(got.sms).to.include(`Watchpost: ${title}. ${sentence}`);
    }
  });

  it('about an open incident reports more regions, recovery and another failure', async () => {
    await create(
      world.api,
      `/api/v1/workspaces/${world.workspaceId}`,
      { settings: { autoCloseIncidents: false, incidentQuorum: 'any' } },
      'PATCH',
    );
    const { id, key } = await watch({ enabledRegions: ['eastus2'] });
    const both: Region[] = ['northeurope', 'eastus2'];
    await file(key, UP, { regions: both });
    await file(key, UP, { regions: ['eastus2'] });
    minute--;
    await file(key, DOWN);
    expect((await deliver()).slack!.title).to.equal('Partly down: Shop');
    await file(key, DOWN, { regions: both });
    const worse = await deliver();
    expect(worse.slack!.title).to.equal('Down: Shop');
    expect(worse.mail!.text).to.include('It now fails from North Europe, Ireland; Virginia, United States.');
    expect(worse.webhook).to.include({ type: 'incident.updated' });
    await file(key, UP, { regions: both });
    const better = await deliver(2);
    expect(better.slack).to.include({
      title: 'Recovered: Shop',
      sentences: 'All is well again, after 2 min.\nThe incident stays open until somebody closes it.',
    });
    await file(key, DOWN);
    const again = await deliver();
    expect(again.slack!.title).to.be.oneOf(['Down again: Shop', 'Partly down again: Shop']);
    expect(again.sms).to.include('again: Shop. It fails again.');
    await patch(await incidentOf(id), { status: 'Resolved' });
    expect((await deliver()).mail!.text).to.include('The incident was closed by Ann.');
  });

  it('about the end of an incident contains the duration, and who or what ended it', async () => {
    const first = await breakDown();
    await file(first.key, UP);
    const recovered = await deliver();
    expect(recovered.slack).to.include({ title: 'Recovered: Shop', sentences: 'All is well again. It lasted 1 min.' });
    expect(recovered.sms).to.match(/^Watchpost: Recovered: Shop\. All is well again\. It lasted 1 min\. Evidence/);
    expect(recovered.webhook!.data['incident']).to.include({ isClosed: true, durationFormatted: '1 min' });
    const second = await breakDown();
    app.clock.advance(15 * MINUTE_MS);
    await world.api('DELETE', `/api/v1/monitor/${second.id}`);
    const closed = await deliver();
    expect(closed.mail!.subject).to.equal('Closed: Shop');
    expect(closed.mail!.text).to.include('The incident was closed because the monitor was deleted by Ann.');
  });

  it('about a note contains its lines without control characters', async () => {
    const { incidentId } = await breakDown();
    await create(world.api, `/api/v1/incident/${incidentId}/notes`, { note: 'one\r\ntwo\u0007' });
    const got = await deliver();
    expect(got.sms).to.equal(null);
    expect(got.mail!.subject).to.equal('Note: Shop');
    expect(got.slack!.sentences).to.equal('A note was added by Ann:\none\ntwo');
    expect(got.teams!.lines.slice(0, 3)).to.deep.equal(['A note was added by Ann:', 'one', 'two']);
    expect(got.mail!.text).to.include('A note was added by Ann:\none\ntwo\n');
    expect(got.webhook!.data['detail']).to.deep.equal({
      noteId: got.webhook!.data['detail'].noteId,
      note: 'one\r\ntwo\u0007',
    });
  });

  describe('about a certificate', () => {
    const expiring = async (days: number, ssl: object = { incidentDays: 0 }) => {
      const { key } = await watch({ monitorTypes: ['SslCertificate'], ssl });
      await file(key, UP, { kind: 'ssl', detail: certificate(days) });
      return deliver();
    };
    const RENEW = 'Renew it, and install the new one on every server that answers for this name.';

    it('contains the date of the expiry and the days that are left', async () => {
      const got = await expiring(5);
      expectMessage(got, {
        title: 'Certificate expires in 5 days: Shop',
        sentences: ['Certificate expires on 26 November 2026 (5 days left).', RENEW],
        facts: [MONITOR, WORKSPACE],
        sms: `Watchpost: Certificate expires in 5 days: Shop. Certificate expires on 26 November 2026 (5 days left). ${RENEW}`,
      });
      expect(got.webhook).to.include({ type: 'monitor.certificate_expiring' });
      expect(got.webhook!.data['detail']).to.include({ daysUntilExpiry: 5, thresholdDays: 7 });
      expect(got.webhook!.data['detail'].certificate).to.include({ validTo: '2026-11-26T13:00:00.000Z' });
    });

    it('uses singular and plural', async () => {
      expect((await expiring(1)).slack!.sentences).to.include('Certificate expires on 22 November 2026 (1 day left).');
    });

    it('that expires within a day states that', async () => {
      expect((await expiring(0)).slack).to.include({
        title: 'Certificate expires in less than a day: Shop',
        sentences: `Certificate expires on 21 November 2026 (less than a day left).\n${RENEW}`,
      });
    });

    it('that has expired states since when', async () => {
      expect((await expiring(-3)).slack).to.include({
        title: 'Certificate expired: Shop',
        sentences: `Certificate expired on 18 November 2026 (2 days ago).\n${RENEW}`,
      });
    });

    it('that is invalid is about an incident with the observation of the agent', async () => {
      const { key } = await watch({ monitorTypes: ['SslCertificate'] });
      const message = 'The certificate of shop.example expires in 20 days, on 11 December 2026.';
      await file(key, down('certificate_expiring', message), { kind: 'ssl', detail: certificate(20) });
      const got = await deliver();
      expect(got.slack!.title).to.equal(FAULT_TITLE);
      for (const text of [got.mail!.text, got.slack!.sentences, got.teams!.lines.join('\n')])
        expect(text).to.include(message);
      expect(got.sms, 'names are no links there').to.include('expires in 20 days, on 11 December 2026.');
    });
  });

  it('about changed DNS records lists them and is not sent by SMS', async () => {
    const { key } = await watch({ monitorTypes: ['Dns'] });
    await file(key, UP, { kind: 'dns', detail: answer({ A: ['192.0.2.1'] }) });
    await file(key, UP, { kind: 'dns', detail: answer({ A: ['192.0.2.2'] }) });
    const facts = [MONITOR, WORKSPACE];
    const title = 'DNS changed: Shop';
    const added = await deliver();
    expectMessage(added, { title, sentences: ['The DNS records changed.', 'added A 192.0.2.2'], facts, sms: null });
    expect(added.webhook!.data['detail'].changes).to.deep.equal([{ type: 'A', added: ['192.0.2.2'], removed: [] }]);
    for (let missed = 1; missed < 10; missed++)
      await file(key, UP, { kind: 'dns', detail: answer({ A: ['192.0.2.2'] }) });
    const removed = await deliver();
    expectMessage(removed, { title, sentences: ['The DNS records changed.', 'removed A 192.0.2.1'], facts, sms: null });
    expect(removed.webhook!.data['detail'].changes).to.deep.equal([{ type: 'A', added: [], removed: ['192.0.2.1'] }]);
  });

  it('of a test states that nothing is wrong', async () => {
    const { groups } = await watch();
    mailServer.mails.length = carrier.calls.length = posts.calls.length = 0;
    for (const id of groups)
      expect((await create(world.api, `/api/v1/action-groups/${id}/test`))['delivered']).to.equal(true);
    const sentence = 'This is a test notification.';
    expect(readMail(mailServer.mails[0]!)).to.include({ subject: 'Test: Operators' });
    expect(readMail(mailServer.mails[0]!).text).to.include(sentence);
    expect(new URLSearchParams(carrier.calls[0]!.body).get('Body')).to.include(
      `Watchpost: Test: Operators. ${sentence}`,
    );
    const bodies = posts.calls.map(({ path, body }) => [path, JSON.parse(body)] as const);
    expect(slackOf(bodies.find(([path]) => path === '/slack')![1]).sentences).to.include(sentence);
    expect(teamsOf(bodies.find(([path]) => path === '/teams')![1]).lines.join()).to.include(sentence);
    expect(bodies.find(([path]) => path === '/webhook')![1]).to.include({ type: 'test' });
  });

  it('is the one that the preview of its channel shows, which sends nothing', async () => {
    const { opened, groups, id } = await breakDown();
    const previews = await Promise.all(
      groups.map(async (group) => (await world.api('GET', `/api/v1/action-groups/${group}/messages`)).body),
    );
    const [mail, webhook, slack, teams, sms] = previews.map(([first]) => first);
    for (const { type, title, facts } of [mail, webhook, slack, teams, sms])
      expect({ type, title, facts: facts.map(({ name, value }: Json) => `${name}: ${value}`) }).to.deep.equal({
        type: 'incident.opened',
        title: opened.mail!.subject,
        facts: [MONITOR, WORKSPACE],
      });
    expect(mail.text.split('\n')[0]).to.equal(opened.mail!.subject);
    expect(sms.text).to.match(/^Watchpost: Down: Shop\. Since .* Evidence: /);
    expect(slackOf(slack.body)).to.include({ title: opened.slack!.title });
    expect(teamsOf(teams.body).title).to.equal(opened.teams!.title);
    expect(Object.keys(webhook.body.data)).to.deep.equal(Object.keys(opened.webhook!.data));
    expect(webhook.body.data.monitor).to.deep.equal(opened.webhook!.data['monitor']);
    expect(Object.keys(webhook.body.data.incident)).to.have.members(Object.keys(opened.webhook!.data['incident']));

    const typesOf = (messages: Json[]) => messages.map(({ type }) => type as string);
    expect(typesOf(previews[0])).to.have.length(9).and.include.members(['incident.acknowledged', 'digest']);
    expect(typesOf(previews[4])).to.have.length(6).and.not.include('incident.acknowledged');
    expect((await deliver()).mail).to.equal(null);

    const stranger = `/api/v1/action-groups/${groups[0]}/messages?monitorId=${randomUUID()}`;
    expect((await world.api('GET', stranger)).status).to.equal(404);
    const own = await world.api('GET', `/api/v1/action-groups/${groups[0]}/messages?monitorId=${id}`);
    expect(own.body).to.have.length(9);
  });

  it('by SMS keeps its links, however long the text is', async () => {
    const { key } = await watch({ name: 'Shop '.repeat(40).trim() });
    await file(key, { ...DOWN, message: 'x '.repeat(500).trim() } as Outcome);
    const got = await deliver();
    expect(got.sms).to.match(/ Evidence: <link>$/);
    const [call] = carrier.calls;
    expect(new URLSearchParams(call!.body).get('Body')!.length).to.be.at.most(306);
  });

  it('by SMS sums up throttled messages, with the link to the last', async () => {
    const { key } = await watch();
    const titles: (string | null)[] = [];
    for (let count = 0; count < 8; count++) {
      await file(key, count % 2 === 0 ? DOWN : UP);
      titles.push((await deliver()).sms);
    }
    expect(titles.filter((text) => text !== null)).to.have.length(5);
    app.clock.advance(16 * MINUTE_MS);
    const { sms } = await deliver();
    expect(sms).to.match(/^Watchpost: [23] alerts: .*Shop\. Evidence of the last: <link>$/);
  });
});
