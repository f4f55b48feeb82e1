import { expect } from 'chai';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { seedGroup } from '../support/seed-alerts.js';
import { readMail } from '../support/read-mail.js';
import { create, type World } from '../support/seed.js';
import { type ReceivedCall, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { breakDown, type Person, repair, type Site, type Stage, startStage } from './stage.js';

const EVIL = 'evil.example';
/** A link, a mention, a heading, a tag and an entity, in the markup of each channel. */
const MARKUP = `<!channel> <https://${EVIL}/s|Pay> [pay](https://${EVIL}/t) *b* <b onclick=x>h</b> &lt; http://${EVIL}/x`;
const marked = (name: string) => `${name} ${MARKUP}`;
/** The end of a header, of all headers, and of a line, which no name over REST may hold: these are put into the database. */
const ENDS = `\r\nBcc: spy@${EVIL}\r\nX-Evil: 1\r\n\r\nEnd`;
const nasty = (name: string) => marked(name) + ENDS;
const READER = 'reader@example.test';
const VISITOR = 'visitor@example.com';
const INVITED = 'invited@example.test';
const HEADERS = new Set(
  [
    'from to subject date message-id references in-reply-to auto-submitted mime-version content-type',
    'content-transfer-encoding list-unsubscribe list-unsubscribe-post',
  ].flatMap((line) => line.split(' ')),
);
const TAGS =
  /^\/?(?:!doctype|html|head|meta|title|style|body|header|main|footer|section|article|h[1-6]|p|a|br|hr|b|strong|em|small|span|div|ul|ol|li|table|caption|thead|tbody|tr|th|td|figure|figcaption|svg|g|rect|line|path|polyline|polygon|circle|text|tspan|desc|defs|pattern|code|pre|blockquote|details|summary|time|dl|dt|dd)$/;

/** Matches everything that looks like the beginning of a URL, and captures its host. */
const hostsIn = (text: string) =>
  [...text.matchAll(/\b[a-z][a-z0-9+.-]*:\/\/([^\s/<>"'()[\]|]+)/gi)].map(([, host]) => host!);

describe('text that strangers and customers write', () => {
  let stage: Stage;
  let world: World;
  let chat: WebhookReceiver;
  let origin: string;
  let site: Site;

  before(async () => {
    [stage, chat] = await Promise.all([startStage(), startWebhookReceiver()]);
    origin = stage.app.baseUrl;
    await everythingHappens();
  });
  after(async () => {
    await stage?.stop();
    await chat?.stop();
  });

  /** Runs an outage in which each channel sends a message and every name is hostile. */
  async function everythingHappens(): Promise<void> {
    const { app } = stage;
    world = await stage.newWorld();
    await app.sql('UPDATE workspace SET name = $2 WHERE id = $1', [world.workspaceId, nasty('Acme')]);
    const ann: Person = await stage.join(world, 'ann', { role: 'Admin', hasPhone: true });
    for (const { userId } of [ann, world.owner])
      await app.sql('UPDATE user_account SET name = $2 WHERE id = $1', [userId, nasty('Ann')]);
    site = await stage.watch(world, marked('Shop'));
    await create(world.api, `/api/v1/monitor/${site.id}`, { reporting: { dailyReport: true } }, 'PUT');
    await stage.routeTo(world, site, { turns: [ann], leads: [ann], name: marked('Night watch') });
    const groups = [
      await seedGroup(world, 'email', { name: marked('Mail'), recipients: [READER] }),
      await seedGroup(world, 'webhook', { name: marked('Hook'), url: `${chat.url}/webhook` }),
      await seedGroup(world, 'slack', { name: marked('Slack'), webhookUrl: `${chat.url}/slack` }),
      await seedGroup(world, 'teams', { name: marked('Teams'), webhookUrl: `${chat.url}/teams` }),
    ];
    for (const { id } of groups) await create(world.api, `/api/v1/action-groups/${id}/monitors/${site.id}`);
    const sms = { name: marked('Phones'), phoneNumbers: ['+353871234567'] };
    groups.push({ ...(await create(world.api, `/api/v1/monitor/${site.id}/sms-action-group`, sms)), secret: '' });
    for (const { id } of groups) await create(world.api, `/api/v1/action-groups/${id}/test`);
    const page = await create(world.api, '/api/v1/status-page', {
      name: marked('Status'),
      slug: 'acme-abused',
      isPublished: true,
      notifyIncidents: true,
      groups: [{ name: marked('Sites'), systems: [{ name: marked('Shop'), monitorId: site.id }] }],
    });
    await subscribe();
    await create(world.api, `/api/v1/workspaces/${world.workspaceId}/invitations`, { email: INVITED, role: 'Viewer' });

    for (const table of ['service_group', 'monitor', 'team', 'action_group', 'status_page'])
      await app.sql(`UPDATE ${table} SET name = name || $2 WHERE workspace_id = $1`, [world.workspaceId, ENDS]);

    const incidentId = await breakDown(stage, world, site);
    await stage.pass(2 * MINUTE_MS, site);
    await announce();
    await create(ann.api, `/api/v1/incident/${incidentId}/notes`, { note: nasty('Note') });
    await create(ann.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
    const post = { title: marked('Post'), body: `${nasty('Body')}\n\n[docs](https://${EVIL}/docs)` };
    const { id: postId } = await create(world.api, `/api/v1/status-page/${page.id}/incidents`, post);
    await create(world.api, `/api/v1/status-page/${page.id}/incidents/${postId}`, { status: 'resolved' }, 'PATCH');
    await announce();
    await repair(stage, site);
    app.clock.advance(24 * HOUR_MS);
    await app.plane.jobs.find(({ name }) => name === 'send_due_reports')!.run();
    await stage.work();
  }

  async function subscribe(): Promise<void> {
    const path = '/api/v1/public/status-page/acme-abused/subscribers';
    expect((await stage.app.anonymous('POST', path, { email: VISITOR })).status).to.equal(202);
    await stage.work();
    const link = /http\S+confirm\?token=\S+/.exec(stage.mails(VISITOR)[0]!.text)![0];
    expect((await fetch(link, { method: 'POST' })).status).to.equal(200);
  }
  async function announce(): Promise<void> {
    for (const { name, run } of stage.app.plane.periodicTasks) if (name.startsWith('notify_subscribers')) await run();
    await stage.work();
  }
  const calls = (path: string) => chat.calls.filter((call) => call.path === path);
  const json = ({ body }: ReceivedCall) => JSON.parse(body) as Record<string, unknown>;
  /** Every object in a message, at any depth. */
  function objectsIn(value: unknown): Record<string, unknown>[] {
    if (typeof value !== 'object' || value === null) return [];
    const own = Array.isArray(value) ? [] : [value as Record<string, unknown>];
    return [...own, ...Object.values(value).flatMap((one) => objectsIn(one))];
  }

  it('is sent by every channel in this run', () => {
    const subjects = (to: string) => stage.mails(to).map(({ subject }) => subject.split(' ')[0]);
    expect(subjects(READER)).to.include.members(['Test:', 'Down:', 'Note:', 'Acknowledged:', 'Recovered:', 'Daily']);
    expect(stage.mails(VISITOR), 'to confirm, two posts, an outage and its end at most').to.have.length.within(4, 5);
    expect(stage.mails(INVITED)).to.have.length(1);
    expect(stage.texts().length).to.be.at.least(4);
    for (const path of ['/webhook', '/slack', '/teams']) expect(calls(path).length, path).to.be.at.least(4);
  });

  it('appears in the subject of a mail only, in no other header, and adds no recipient', () => {
    const everybody = [READER, VISITOR, INVITED];
    for (const mail of stage.mailServer.mails) {
      expect(mail.to).to.have.length(1);
      expect(everybody.includes(mail.to[0]!) || mail.to[0]!.endsWith('@example.test'), mail.to[0]).to.equal(true);
      for (const name of Object.keys(mail.headers)) expect(HEADERS.has(name), `header ${name}`).to.equal(true);
      expect(mail.headers['from']).to.equal('Watchpost <alerts@watch.example>');
      expect(readMail(mail).subject).not.to.match(/[\r\n]/);
    }
  });

  it('is escaped in HTML mail, and all links of the mail lead to the product', () => {
    for (const { html, subject } of stage.mails()) {
      expect(html, subject).not.to.equal('');
      for (const [, tag] of html.matchAll(/<([^\s>/]*\/?[^\s>]*)/g)) expect(tag!.toLowerCase(), subject).to.match(TAGS);
      expect(html).not.to.match(/<[^>]*\son\w+\s*=/i);
      const leadsTo = [...html.matchAll(/\s(?:href|src|action|background|srcset|xlink:href)\s*=\s*["']?([^"'\s>]+)/gi)];
      for (const [, url] of leadsTo)
        expect(new URL(url!.replaceAll('&amp;', '&'), origin).origin, `${subject}: ${url}`).to.equal(origin);
      // Patterns of bars are in the mail itself.
      expect(html).not.to.match(/url\((?!#[a-z-]+\))|@import/i);
    }
  });

  it('is plain text in mail to members, and is left out of mail to strangers', () => {
    const customers = new Set([EVIL, 'shop.example', new URL(origin).host]);
    for (const { text, to, subject } of stage.mails())
      for (const host of hostsIn(text)) expect(customers.has(host), `${to[0]} ${subject}: ${host}`).to.equal(true);
    const [confirm] = stage.mails(VISITOR);
    const [invitation] = stage.mails(INVITED);
    for (const { text, html, subject } of [confirm!, invitation!]) {
      expect(hostsIn(`${subject} ${text} ${html}`).filter((host) => host !== new URL(origin).host)).to.deep.equal([]);
      expect(`${subject} ${text}`).not.to.include(EVIL);
    }
  });

  it('makes no link in a text message, which contains only links to the product', () => {
    for (const { text } of stage.texts()) {
      expect(text).not.to.match(/[\r\n]/);
      expect(text).not.to.include(EVIL).and.not.to.include('shop.example');
      for (const host of hostsIn(text)) expect(host).to.equal(new URL(origin).host);
    }
    expect(stage.texts().flatMap(({ text }) => hostsIn(text)).length).to.be.greaterThan(0);
  });

  it('makes no mention and no link on Slack', () => {
    for (const message of calls('/slack').map(json)) {
      expect(message['text']).to.be.a('string').and.not.match(/[<>]/);
      expect(message).to.include({ mrkdwn: false, unfurl_links: false });
      for (const object of objectsIn(message['blocks'])) {
        expect(object['type'], JSON.stringify(object)).to.be.oneOf([
          'header',
          'section',
          'plain_text',
          'actions',
          'button',
        ]);
        if ('url' in object) expect(new URL(object['url'] as string).origin).to.equal(origin);
      }
    }
  });

  it('makes no Markdown and no link on Teams', () => {
    for (const message of calls('/teams').map(json)) {
      for (const object of objectsIn(message)) {
        expect(object['type'], 'text blocks and facts would be rendered as Markdown').to.not.be.oneOf([
          'TextBlock',
          'FactSet',
        ]);
        if ('url' in object) expect(new URL(object['url'] as string).origin).to.equal(origin);
        if ('fallbackText' in object) expect(object['fallbackText']).not.to.match(/(?<!\\)[[\]()*_<>]/);
      }
    }
  });

  it('is data in a webhook and adds no header', () => {
    for (const { headers, body } of calls('/webhook')) {
      expect(headers).not.to.have.any.keys('bcc', 'x-evil');
      expect(() => JSON.parse(body) as unknown).not.to.throw();
    }
    const opened = calls('/webhook')
      .map(json)
      .find(({ type }) => type === 'incident.opened')!;
    expect((opened['data'] as { monitor: { name: string } }).monitor.name).to.equal(nasty('Shop'));
  });

  it('is escaped on the public status page and in its feed', async () => {
    const page = await (await fetch(`${origin}/status/acme-abused`)).text();
    expect(page).to.include('&lt;b onclick=x&gt;').and.not.to.include('<b ');
    const links = [...page.matchAll(/<a [^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes(EVIL));
    expect(
      links.every((tag) => tag.includes('rel="nofollow noopener noreferrer"')),
      links.join(),
    ).to.equal(true);
    const feed = await (await fetch(`${origin}/status/acme-abused/feed.atom`)).text();
    expect(feed).not.to.match(/<b\s|<script/);
  });

  it('is escaped on the acknowledgement page and in a report', async () => {
    const link = stage.mails().flatMap(({ text }) => /http\S+\/ack\/[\w-]+/.exec(text)?.[0] ?? [])[0]!;
    stage.app.clock.advance(-24 * HOUR_MS);
    const page = await (await fetch(link, { headers: { accept: 'text/html' } })).text();
    stage.app.clock.advance(24 * HOUR_MS);
    expect(page)
      .to.include('&lt;b onclick=x&gt;')
      .and.not.to.match(/<b |<a [^>]*evil/);
    const report = await world.api('POST', `/api/v1/monitor/${site.id}/report/generate`, { format: 'html' });
    expect(String(report.body))
      .to.include('&lt;b onclick=x&gt;')
      .and.not.to.match(/<b |<a /);
  });

  it('gets the same answers for a known and an unknown address, so that accounts and subscriptions stay secret', async () => {
    const { app } = stage;
    const known = await app.user();
    const path = `/api/v1/workspaces/${world.workspaceId}/invitations`;
    const invite = async (email: string) => {
      const { status, body } = await world.api('POST', path, { email, role: 'Viewer' });
      const { id, link, created, lastModified, expiresAt, ...rest } = body;
      expect([id, link, created, lastModified, expiresAt].every((one) => typeof one === 'string')).to.equal(true);
      return JSON.stringify([status, rest]).replaceAll(email, '…');
    };
    expect(await invite(known.email)).to.equal(await invite('nobody-at-all@example.test'));
    await stage.work();
    const mailTo = (email: string) => {
      const { subject, text } = stage.mails(email).at(-1)!;
      return `${subject}\n${text}`.replaceAll(email, '…').replace(/token=\S+/g, 'token=…');
    };
    expect(mailTo(known.email)).to.equal(mailTo('nobody-at-all@example.test'));

    const ask = async (email: string) => {
      const url = `${origin}/api/v1/public/status-page/acme-abused/subscribers`;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ email }) });
      const headersOfAnswer = [...answer.headers].filter(([name]) => !/^(?:date|x-request-id)$/.test(name));
      return JSON.stringify([answer.status, headersOfAnswer, await answer.text()]);
    };
    expect(await ask(VISITOR)).to.equal(await ask('nobody-at-all@example.test'));
    expect(await ask(known.email)).to.equal(await ask(VISITOR.toUpperCase()));
  });
});
