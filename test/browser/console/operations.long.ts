import { expect } from 'chai';
import type { Answer } from 'dns-packet';
import type { Locator, Page } from 'playwright-core';
import { sslCheck } from '@watchpost/shared/checks/ssl';
import { DAY_MS } from '@watchpost/shared/time';
import type { Probes } from '@watchpost/agent/probes/index';
import type { TestMember } from '../../support/app.js';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import { createAuthority, type IssueOptions, type TestAuthority } from '../../support/certificates.js';
import {
  expectNoComplaints,
  fileCheck,
  settled,
  startConsole,
  type ConsoleStage,
  type Visit,
} from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { records, startNameServer, type NameServer } from '../../support/name-server.js';
import { create, seedMonitor } from '../../support/seed.js';
import { answer as answers } from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { testProbes } from '../../integration/probes/probe-check.js';

const WRONG_CODE = 'is not the code that was sent to this number';

describeInBrowser('daily work in the console (Chromium)', () => {
  let stage: ConsoleStage;
  let visit: Visit;
  let page: Page;
  /** Receives webhooks, and SMS as their provider does. */
  let receiver: WebhookReceiver;
  let ann: TestMember;
  let teamId: string;

  before(async () => {
    receiver = await startWebhookReceiver();
    receiver.always((call, response) => {
      const isSms = call.path.startsWith('/2010-04-01/');
      return answer(isSms ? 201 : 200, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}')(
        call,
        response,
        undefined as never,
      );
    });
    stage = await startConsole({
      env: {
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        RECIPIENT_VERIFICATION: 'always',
        TWILIO_ACCOUNT_SID: 'AC123',
        TWILIO_AUTH_TOKEN: 's3cr3t',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: receiver.url,
      },
    });
    const { api, owner } = stage.app;
    ann = await stage.app.member('Responder');
    teamId = (await create(api, '/api/v1/teams', { name: 'Platform' })).id;
    for (const { userId } of [owner, ann]) await create(api, `/api/v1/teams/${teamId}/members`, { userId });
    const rotation = { rotation: 'daily', handoffTime: '00:00', participants: [owner.userId, ann.userId] };
    await create(api, `/api/v1/teams/${teamId}/schedule`, rotation, 'PUT');
    visit = await stage.visit(owner, { path: '/on-call' });
    page = visit.page;
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  after(async () => {
    await stage?.stop();
    await receiver?.stop();
  });
  afterEach(() => expectNoComplaints(visit));

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  /** Sends what is due. @returns the code of the newest SMS */
  async function codeOfSms(): Promise<string> {
    await stage.app.sql('UPDATE alert_recipient SET ask_at = now() WHERE ask_at IS NOT NULL');
    await stage.app.plane.periodicTasks.find(({ name }) => name === 'ask_recipients')!.run();
    await stage.app.plane.delivery.runDue();
    const texts = receiver.calls.filter(({ path }) => path.startsWith('/2010-04-01/'));
    const text = new URLSearchParams(texts.at(-1)!.body).get('Body')!;
    return /\b\d{6}\b/.exec(text)![0];
  }
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

  it('swaps two shifts, and takes one half back', async () => {
    await visit.open('/on-call?view=agenda');
    const overrides = async () =>
      (await stage.app.api('GET', `/api/v1/teams/${teamId}/schedule`)).body.overrides as { userId: string }[];
    await page
      .getByRole('button', { name: /^The owner.*Platform/ })
      .first()
      .click();
    await takePicture(page, 'journey-shift');
    await dialog().getByRole('button', { name: 'Swap' }).click();
    await dialog().getByLabel('In exchange for').waitFor();
    await dialog().getByLabel('Reason (optional)').fill('Concert');
    await takePicture(page, 'journey-swap');
    await dialog().getByRole('button', { name: 'Swap' }).click();
    await page.getByText('The owner and The responder have swapped.').waitFor();
    expect((await overrides()).map(({ userId }) => userId)).to.have.members([stage.app.owner.userId, ann.userId]);
    await page
      .getByRole('button', { name: /^The responder.*override.*Platform/ })
      .first()
      .click();
    await dialog().getByText('Concert').waitFor();
    await dialog().getByRole('button', { name: 'Remove the override' }).click();
    await page.getByText('The override is gone').waitFor();
    await eventually('one override is left', async () => ((await overrides()).length === 1 ? true : undefined));
    await takePicture(page, 'journey-swapped');
  });

  it('offers the people of a team for its rotation once all who took turns have left', async () => {
    const { api, owner } = stage.app;
    const { id } = await create(api, '/api/v1/teams', { name: 'Payments' });
    const members = `/api/v1/teams/${id}/members`;
    await create(api, members, { userId: ann.userId });
    await create(api, `/api/v1/teams/${id}/schedule`, { rotation: 'weekly', participants: [ann.userId] }, 'PUT');
    await create(api, `${members}/${ann.userId}`, undefined, 'DELETE');
    await create(api, members, { userId: owner.userId });
    const { body: schedules } = await api('GET', `/api/v1/teams/${id}/schedules`);
    await visit.open(`/on-call?tab=teams&team=${id}&schedule=${schedules[0].id}`);
    await button('Save the schedule').click();
    await page.getByText(/ is saved\./).waitFor();
    const { body } = await api('GET', `/api/v1/teams/${id}/schedule`);
    expect(body.participants).to.deep.equal([owner.userId]);
    // A screen that shows the team would ask for its schedule once more.
    await visit.open(`/on-call?tab=teams&team=${teamId}`);
    await api('DELETE', `/api/v1/teams/${id}`);
  });

  it('brings a document into a workspace that has nothing yet, once its plan is seen', async () => {
    const newcomer = await stage.app.user();
    const empty = await stage.visit(newcomer, { workspaceId: newcomer.workspaceId, width: 390 });
    await empty.page.getByRole('button', { name: 'a document, or monitors of Uptime Kuma' }).press('Enter');
    const asked = empty.page.getByRole('dialog');
    const choose = (text: string) =>
      asked
        .getByLabel('A configuration document')
        .setInputFiles({ name: 'watchpost.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
    empty.expects(/status of 400/);
    await choose('apiVersion: watchpost/v1\nproject: shop\nmonitors: { site: { nam: Shop } }');
    await asked.getByText('monitors.site.nam').first().waitFor();
    // A document whose plan is late, and is not wanted any more.
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await empty.page.route('**/api/v1/config/plan', (route) => isReleased.then(() => route.fallback()), { times: 1 });
    const late = empty.page.waitForRequest(/config\/plan/);
    await choose('apiVersion: watchpost/v1\nproject: shop\nserviceGroups: { late: { name: Late } }');
    await late;
    await choose(
      'apiVersion: watchpost/v1\nproject: shop\nmonitors: { site: { name: Shop, url: https://shop.example/ } }',
    );
    await asked.getByText('It makes 1 thing and changes 0.').waitFor();
    const answered = empty.page.waitForResponse(/config\/plan/);
    release();
    await answered;
    await asked.getByText('create monitor').waitFor();
    expect(await accessibilityFaults(empty.page)).to.deep.equal([]);
    await asked.getByRole('button', { name: 'Import' }).click();
    await empty.page.getByText('Imported: 1 thing made, 0 changed.').waitFor();
    await empty.page.getByRole('link', { name: 'Shop' }).first().waitFor();
    await empty.page.getByRole('checkbox', { name: 'Watch a site, a job or a server: done' }).waitFor();
    expectNoComplaints(empty);
    await empty.close();
  });

  it('makes a link to a calendar, which programs read until it is ended', async () => {
    await visit.open(`/on-call?tab=teams&team=${teamId}`);
    await button('New link').click();
    await dialog().getByLabel('Name').fill('Phone');
    await dialog().getByRole('button', { name: 'Make the link' }).click();
    await dialog().getByRole('button', { name: 'Copy the link' }).click();
    await button('Copied').waitFor();
    await takePicture(page, 'journey-calendar-link');
    const url = await clipboard();
    expect(await dialog().getByLabel('Link to the calendar').inputValue()).to.equal(url);
    const feed = await fetch(url);
    expect(feed.headers.get('content-type')).to.match(/^text\/calendar/);
    expect(await feed.text()).to.match(/^BEGIN:VCALENDAR\r\n[^]*\r\nSUMMARY:[^\r]*The responder[^]*END:VCALENDAR\r\n$/);
    await dialog().getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await settled(page);
    await page.getByText(/^read /).waitFor();
    expect(await page.content(), 'after the reload').not.to.include(url);
    await button('End the link Phone').click();
    await dialog().getByRole('button', { name: 'End the link' }).click();
    await page.getByText('There is no link yet.').waitFor();
    expect((await fetch(url)).status).to.equal(404);
    await takePicture(page, 'journey-calendar-ended');
  });

  it('confirms a number of a channel by the code of an SMS, and no other code', async () => {
    await create(stage.app.api, '/api/v1/monitor', { name: 'Pharmacy', url: 'https://pharmacy.example/' });
    await visit.open('/alerts?channel=new&type=sms');
    await page.getByLabel('Name', { exact: true }).fill('Phones');
    await page.getByLabel('Numbers').fill('+353 87 123 4567');
    await button('Create and send a test').click();
    await page.getByText('must name a monitor of which it notifies').waitFor();
    await page.getByLabel('Monitors').fill('Pharmacy');
    await button('Pharmacy').click();
    await button('Create and send a test').click();
    await page.getByText('not confirmed yet', { exact: true }).waitFor();
    const code = await codeOfSms();
    await button('Enter the code').click();
    await dialog().getByLabel('Code').fill(wrong(code));
    visit.expects(/400.*confirm/);
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await dialog().getByText(WRONG_CODE).waitFor();
    await takePicture(page, 'journey-wrong-code');
    await dialog().getByLabel('Code').fill(code);
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('gets alerts').waitFor();
  });

  it('confirms the own number in the same way', async () => {
    await visit.open('/settings/notifications');
    await page.getByLabel('Phone number').fill('+353 87 765 4321');
    await page.getByLabel('Notify me by SMS').check();
    await button('Save').click();
    await button('Send me a code').click();
    const field = page.getByLabel('Code from the text message');
    await field.waitFor();
    const code = await codeOfSms();
    await field.fill(wrong(code));
    await button('Confirm').click();
    await page.getByText(WRONG_CODE).waitFor();
    await takePicture(page, 'journey-own-wrong-code');
    await field.fill(code);
    await button('Confirm').click();
    await page.getByText('+353877654321 is confirmed').waitFor();
  });

  it('gives a webhook a new signing secret, and the former one signs too for a day', async () => {
    const group = { name: 'Hook', url: `${receiver.url}/hook` };
    const made = await create<{ id: string; secret: string }>(stage.app.api, '/api/v1/action-groups/webhook', group);
    await visit.open(`/alerts?channel=${made.id}`);
    await button('Rotate the secret').click();
    await dialog().getByRole('button', { name: 'Make a new secret' }).click();
    const field = dialog().getByLabel('Signing secret');
    await field.waitFor();
    const secret = await field.inputValue();
    await takePicture(page, 'journey-secret');
    expect(secret)
      .to.match(/^whsec_/)
      .and.not.to.equal(made.secret);
    await button('I have kept it').click();
    await button('Send a test').click();
    await page.getByText('The test was delivered.').waitFor();
    const call = receiver.calls.findLast(({ path }) => path === '/hook')!;
    expect(call.headers['webhook-signature']!.split(' ')).to.have.length(2);
    await page.reload();
    await settled(page);
    expect(await page.content(), 'after the reload').not.to.include(secret);
  });

  it('shows when an API key expires, and that it has, and revokes it', async () => {
    await visit.open('/settings/api-keys');
    await button('New key').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Nightly');
    await page.getByLabel('Expires').selectOption('date');
    await page.getByLabel('Last day').fill('2020-01-31');
    visit.expects(/400.*api-keys/);
    await button('Create the key').click();
    await dialog().locator('.field-faults').waitFor();
    await takePicture(page, 'journey-key-past');
    const lastDay = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);
    await page.getByLabel('Last day').fill(lastDay);
    await button('Create the key').click();
    await button('Copy the key').click();
    await button('Copied').waitFor();
    const key = await clipboard();
    await takePicture(page, 'journey-key');
    await dialog().getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row', { name: /Nightly/ });
    await row.getByText(/^in (9|10) d$/).waitFor();
    const statusOf = async () =>
      (await fetch(`${stage.app.baseUrl}/api/v1/monitor`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await statusOf()).to.equal(200);
    await stage.app.sql(`UPDATE api_key SET expires_at = now() - interval '1 minute' WHERE name = 'Nightly'`);
    await page.reload();
    await settled(page);
    await row.getByText('Expired').waitFor();
    expect(await page.content(), 'after the reload').not.to.include(key);
    await takePicture(page, 'journey-key-expired');
    await eventually('the key is refused', async () => ((await statusOf()) === 401 ? true : undefined), 30_000);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('There is no API key yet').waitFor();
  });

  it('orders a status page by dragging and by keys, for good', async () => {
    const { api } = stage.app;
    const ids: string[] = [];
    for (const name of ['Shop', 'Search', 'Basket', 'API'])
      ids.push((await seedMonitor(stage.app, { name, url: `https://${name}.example/` })).id);
    const system = (at: number, name: string) => ({ name, monitorId: ids[at] });
    const { id } = await create(api, '/api/v1/status-page', {
      name: 'Acme',
      slug: 'acme-journey',
      isPublished: true,
      groups: [
        { name: 'Sites', systems: [system(0, 'Shop'), system(1, 'Search'), system(2, 'Basket')] },
        { name: 'Developers', systems: [system(3, 'API')] },
      ],
    });
    await visit.open(`/status-pages/${id}`);
    const order = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.status-pages-group .status-pages-row input')].map(({ value }) => value)`,
      );
    const rowOf = (name: string) =>
      page.locator('.status-pages-system', { has: page.getByRole('button', { name: `Remove ${name}`, exact: true }) });
    const handleOf = (of: Locator) => of.locator('.status-pages-handle').first();
    expect(await order()).to.deep.equal(['Sites', 'Shop', 'Search', 'Basket', 'Developers', 'API']);

    // Onto the lower half of the next system: behind it.
    const shop = (await rowOf('Search').boundingBox())!;
    await handleOf(rowOf('Shop')).dragTo(rowOf('Search'), { targetPosition: { x: 40, y: shop.height - 6 } });
    expect(await order()).to.deep.equal(['Sites', 'Search', 'Shop', 'Basket', 'Developers', 'API']);
    // Into another group, onto the upper half of a system: before it.
    await handleOf(rowOf('Basket')).dragTo(rowOf('API'), { targetPosition: { x: 40, y: 6 } });
    expect(await order()).to.deep.equal(['Sites', 'Search', 'Shop', 'Developers', 'Basket', 'API']);
    // A group as a whole.
    const groups = page.locator('.status-pages-group');
    await handleOf(groups.nth(1)).dragTo(groups.nth(0), { targetPosition: { x: 60, y: 10 } });
    expect(await order()).to.deep.equal(['Developers', 'Basket', 'API', 'Sites', 'Search', 'Shop']);
    // The same by keys: beyond the last of a group, into the next.
    await page.getByLabel('Name of API').press('Alt+ArrowDown');
    await page.getByLabel('Name of API').press('Alt+ArrowDown');
    const own = ['Developers', 'Basket', 'Sites', 'Search', 'API', 'Shop'];
    expect(await order()).to.deep.equal(own);
    await takePicture(page, 'journey-order');
    await button('Save').click();
    await button('Saved').waitFor();
    await page.reload();
    await settled(page);
    expect(await order(), 'after the reload').to.deep.equal(own);
    const shown = await (
      await fetch(`${stage.app.baseUrl}/status/acme-journey`, { headers: { accept: 'text/html' } })
    ).text();
    expect([...shown.matchAll(/<h3[^>]*>([^<]*)</g)].map(([, name]) => name)).to.deep.equal(
      own.filter((name) => !['Developers', 'Sites'].includes(name)),
    );
  });

  /** The text of a section of a monitor, below its heading, once it is read. */
  async function textOf(id: string, title: string, name: string): Promise<string> {
    await visit.open(`/monitors/${id}`);
    const section = page.getByRole('region', { name: title });
    await section.scrollIntoViewIfNeeded();
    await section.locator('.skeleton').waitFor({ state: 'detached' });
    await takePicture(page, `journey-${name.replaceAll(' ', '-')}`);
    expect(await accessibilityFaults(page), name).to.deep.equal([]);
    return (await section.innerText()).slice(title.length).trimStart();
  }

  describe('shows a certificate', () => {
    let authority: TestAuthority;
    let probes: Probes;
    before(async () => {
      authority = await createAuthority();
      probes = testProbes({
        extraCertificates: [authority.rootPem],
        lookup: (_host, done) => done(null, ['127.0.0.1']),
      });
    });

    /** The text of the section of a monitor whose server presents this certificate. */
    async function sectionOf(name: string, options: IssueOptions): Promise<string> {
      const server = await startTarget({ behaviour: answers(), tls: await authority.issue(options) });
      try {
        const target = sslCheck.target.parse({ host: 'shop.example', port: server.port, incidentDays: 7 });
        const { outcome, detail } = await probes.run({ timeoutMs: 5_000, target }, new AbortController().signal);
        const { id } = await seedMonitor(stage.app, { name, monitorTypes: ['SslCertificate'] });
        await fileCheck(stage.app, id, outcome, detail ? { detail } : {});
        return await textOf(id, 'Certificate', name);
      } finally {
        await server.close();
      }
    }
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS + 3_600_000);
    const names = ['shop.example', 'www.shop.example'];
    /** Of 90 days and more: shorter ones are renewed later, and reported later. */
    const notBefore = new Date(Date.now() - 85 * DAY_MS);

    it('that is good, with its chain', async () => {
      const text = await sectionOf('good certificate', { names, notAfter: inDays(60) });
      expect(text)
        .to.match(/Valid for 60 more days\./)
        .and.match(/Chain\s+Trusted/)
        .and.match(/Host name\s+Matches/);
      expect(text).to.match(/CN=shop\.example\s+by CN=Watchpost Test Intermediate, until/);
    });

    it('that expires soon', async () => {
      expect(await sectionOf('soon', { names, notBefore, notAfter: inDays(15) })).to.match(
        /^Degraded\s+Expires in 15 days\./,
      );
      expect(await sectionOf('expiring', { names, notBefore, notAfter: inDays(5) })).to.match(
        /^Down\s+The certificate of shop\.example expires in 5 days, on/,
      );
    });

    it('that has expired, is for another host, or of nobody known', async () => {
      const past = new Date(Date.now() - 3 * DAY_MS);
      expect(await sectionOf('expired', { names, notAfter: past })).to.match(/^Down\s+.*has expired/);
      expect(await bad()).to.deep.equal(['Valid until']);
      const mismatch = await sectionOf('mismatch', { names: ['other.example'], notAfter: inDays(60) });
      expect(mismatch).to.match(/^Down\s+.*is not for shop\.example, but for other\.example\./);
      expect(await bad()).to.deep.equal(['Host name']);
      await sectionOf('no intermediate', { names, notAfter: inDays(60), chain: 'leaf' });
      expect(await bad()).to.deep.equal(['Chain']);
    });
    /** What is marked as bad among the facts. */
    const bad = () => page.locator('.target-facts div:has(dd.state-unavailable) dt').allInnerTexts();
  });

  describe('shows the records of a name', () => {
    let resolver: NameServer;
    let servers: NameServer[];
    let probes: Probes;
    const zone: Answer[] = [
      { name: 'shop.example', type: 'A', data: '192.0.2.1', ttl: 60 },
      { name: 'shop.example', type: 'MX', data: { preference: 10, exchange: 'mail.shop.example' }, ttl: 60 },
      { name: 'shop.example', type: 'NS', data: 'ns1.shop.example', ttl: 60 },
      { name: 'shop.example', type: 'NS', data: 'ns2.shop.example', ttl: 60 },
      { name: 'ns1.shop.example', type: 'A', data: '127.0.0.2', ttl: 60 },
      { name: 'ns2.shop.example', type: 'A', data: '127.0.0.3', ttl: 60 },
    ];
    const soa = (serial: number): Answer => ({
      name: 'shop.example',
      type: 'SOA',
      data: { mname: 'ns1.shop.example', rname: 'root.shop.example', serial },
      ttl: 60,
    });
    const former = zone.map((each) =>
      each.type === 'A' && each.name === 'shop.example' ? { ...each, data: '192.0.2.9' } : each,
    );
    let monitorId: string;
    let atMs = Date.now() - 10 * 60_000;

    before(async () => {
      resolver = await startNameServer({ behaviour: records(zone) });
      const behaviour = records([soa(7), ...zone]);
      const { port } = resolver;
      servers = await Promise.all(['127.0.0.2', '127.0.0.3'].map((host) => startNameServer({ behaviour, host, port })));
      probes = testProbes({ dnsPort: port, isResolverAlive: () => Promise.resolve(true) });
      monitorId = (await seedMonitor(stage.app, { name: 'Names', monitorTypes: ['Dns'] })).id;
    });
    after(() => Promise.all([resolver, ...servers].map((server) => server.close())));

    async function section(name: string, expected: string[] = ['192.0.2.1']): Promise<string> {
      const target = {
        kind: 'dns',
        hostname: 'shop.example',
        recordTypes: ['A', 'MX'],
        expectedRecords: [{ type: 'A', match: 'exact', values: expected }],
        resolvers: [`127.0.0.1:${resolver.port}`],
        checkPropagation: true,
        dnssec: 'off',
        signatureDays: 3,
        egress: 'monitor',
      } as const;
      const { outcome, detail } = await probes.run({ timeoutMs: 2_000, target }, new AbortController().signal);
      await fileCheck(stage.app, monitorId, outcome, { atMs: (atMs += 60_000), ...(detail && { detail }) });
      return textOf(monitorId, 'DNS', `dns-${name}`);
    }

    it('that all name servers agree on', async () => {
      const text = await section('good');
      expect(text).to.match(/^Available\s+The records are as expected\. Looked up/);
      expect(text).to.include('2 name servers agree');
      expect(await textOf(monitorId, 'Availability', 'dns-availability'), 'no bar').to.match(
        /have no availability; their faults are incidents\. Monitored since [^\n]*$/,
      );
    });

    it('that differ from what is expected', async () => {
      expect(await section('mismatch', ['192.0.2.1', '192.0.2.2'])).to.match(
        /^Down\s+The A records of shop\.example are not exactly 192\.0\.2\.1, 192\.0\.2\.2; they are 192\.0\.2\.1\./,
      );
    });

    it('that name servers disagree on, or do not answer about', async () => {
      const partial = /^Degraded\s+The records are as expected, but not on all name servers\./;
      servers[1]!.behave(records([soa(6), ...former]));
      const disagreeing = await section('disagree');
      expect(disagreeing).to.match(partial).and.include('Name servers disagree: 50 % have the same answer');
      expect(disagreeing).to.match(/ns2\.shop\.example \(127\.0\.0\.3\)\s+serial 6\s+A: 192\.0\.2\.9/);
      servers[1]!.behave(() => null);
      expect(await section('one-silent'))
        .to.match(partial)
        .and.include('1 name server answers, 1 does not answer');
      servers[0]!.behave(() => null);
      expect(await section('all-silent'))
        .to.match(partial)
        .and.include('No name server answers');
    });
  });
});
