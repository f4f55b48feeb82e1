import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser.js';
import { buildConsole, expectNoComplaints, openVisit, settled, type Visit } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { startProduct, type Product } from '../../support/product.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';

const CHECKED_WITHIN_MS = 60_000;

/** As `npm start` runs it: the embedded provider, and the home agent. */
const AS_STARTED = { OIDC_ISSUER: '', OIDC_AUDIENCE: '', START_HOME_AGENT: '1' };

/** Counts presses of the mouse and keeps the fields that are filled in, from now on. */
const COUNT_WORK = `
  globalThis.work = { clicks: 0, fields: [] };
  addEventListener('click', ({ isTrusted }) => isTrusted && work.clicks++, true);
  addEventListener('input', ({ target }) => work.fields.includes(target.id) || work.fields.push(target.id), true);
`;

const STEPS = [
  'Watch a site, a job or a server: not done',
  'Choose who hears when it fails: done',
  'Publish a status page: not done',
  'Invite somebody: not done',
];

describeInBrowser('a newcomer with a browser (Chromium)', function () {
  let product: Product;
  let browser: Browser;
  let site: Target;
  let visit: Visit;
  let page: Page;
  let monitorId: string;

  before(async () => {
    await buildConsole();
    [product, browser, site] = await Promise.all([
      startProduct({ env: AS_STARTED }),
      startBrowser(),
      startTarget({ behaviour: answer() }),
    ]);
    visit = await openVisit(browser, `${product.baseUrl}/console`);
    page = visit.page;
  });
  after(async () => {
    await browser?.close();
    await Promise.all([product?.stop(), site?.close()]);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const printed = (name: string) => new RegExp(`${name}: (.*)`).exec(product.controlPlane.output())![1]!.trim();
  const heading = (name: RegExp) => page.getByRole('heading', { level: 1, name });

  const attention = () => page.getByRole('region', { name: 'Needs attention' });
  const goTo = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name }).first().click();

  /** Changes something as the newcomer, beside the story. */
  async function call(method: string, path: string, body: object): Promise<void> {
    const status = await page.evaluate<number>(
      `fetch('/api/v1/monitor/${path}', {
        method: '${method}',
        headers: { 'content-type': 'application/json', 'x-workspace-id': location.pathname.split('/')[3] },
        body: ${JSON.stringify(JSON.stringify(body))},
      }).then(({ status }) => status)`,
    );
    expect(status, path).to.equal(200);
  }
  /** A site is checked once a minute, and at once when it is resumed. */
  async function checkNow(): Promise<void> {
    for (const action of ['pause', 'resume']) await call('POST', 'bulk', { monitorIds: [monitorId], action });
  }

  it('signs in with the account that the terminal shows', async () => {
    await page.goto(product.baseUrl);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Email').fill(printed('demo account'));
    await page.getByLabel('Password', { exact: true }).fill(printed('password'));
    await button('Sign in').click();
    await settled(page);
    await page.getByLabel('Paste a URL to watch it').waitFor();
    expect(await page.evaluate('document.activeElement.id')).to.equal('first-url');
    await eventually(
      'the steps',
      async () => {
        const steps = await page.evaluate<string[]>(
          `[...document.querySelectorAll('[type=checkbox]')].map(({ ariaLabel }) => ariaLabel)`,
        );
        return steps.join() === STEPS.join() ? true : undefined;
      },
      30_000,
    );
  });

  it('reads no warning in the terminal that is not about the installation', () => {
    expect(product.controlPlane.output()).not.to.include('maxPoolSize');
  });

  it('adds a site by one field and two clicks: it is tested at once, and the form states whom it will alert', async () => {
    await page.evaluate(COUNT_WORK);
    await page.getByLabel('Paste a URL to watch it').fill(site.url);
    await button('Test it').click();
    await page.getByText(/Answers 200/).waitFor();
    await page.getByText('Channels are alerted').waitFor();
    const hears = await page.locator('.new-monitor-hears').innerText();
    expect(hears).to.include('Me at once, Email').and.include(printed('demo account'));
    await button('Create monitor').click();
    await page.waitForURL(/\/monitors\/[0-9a-f-]{36}$/);
    monitorId = page.url().split('/').at(-1)!;
    // Nothing else is done until the mail of its outage arrives.
    expect(await page.evaluate('work')).to.deep.equal({ clicks: 2, fields: ['first-url'] });
    // So that the rest of the story does not wait for a second failure.
    await call('PUT', monitorId, { name: 'Shop', numberOfChecksBeforeAlert: 1 });
  });

  it('sees its first check within seconds', async () => {
    await page.getByText(/^Available from/).waitFor({ timeout: CHECKED_WITHIN_MS });
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await heading(/^1 available/).waitFor();
  });

  it('breaks the site, and the incident arrives without reloading', async () => {
    await page.evaluate('globalThis.isSamePage = true');
    site.behave(answer({ status: 503 }));
    await checkNow();
    await heading(/^1 down/).waitFor({ timeout: CHECKED_WITHIN_MS });
    await attention()
      .getByText(/status 503/)
      .waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).to.equal(true);
  });

  it('is alerted of it by mail, at the address of the account', async () => {
    const mails = async () => {
      const text = await (await fetch(`${product.baseUrl}/mailbox`)).text();
      return text.includes('Down: Shop') ? text : undefined;
    };
    const mailbox = await eventually('the mail', mails);
    expect(mailbox).to.include(printed('demo account'));
  });

  it('acknowledges it, and reads the evidence', async () => {
    await attention().getByRole('button', { name: 'Acknowledge' }).click();
    await attention()
      .getByText(/^Acknowledged by/)
      .waitFor();
    await attention().getByRole('link', { name: 'Evidence' }).click();
    await heading(/^Shop is down/).waitFor();
    await page
      .getByRole('article')
      .getByText(/status 503/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('The incident opened.').waitFor();
  });

  it('repairs the site, and the incident closes by itself', async () => {
    site.behave(answer());
    await checkNow();
    await page.getByText(/is closed and takes no more notes/).waitFor({ timeout: CHECKED_WITHIN_MS });
    await goTo('Overview');
    await heading(/^1 available/).waitFor();
  });

  it('publishes a status page', async () => {
    await goTo('Status pages');
    await button('New status page').click();
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await button('Create').click();
    await heading(/^Acme/).waitFor();
    await button('Add systems').click();
    await button('Add Shop').click();
    await button('Done').click();
    await button('Save').click();
    await button('Publish').click();
    const href = await page.getByRole('link', { name: 'Open', exact: true }).getAttribute('href');
    const seen = await fetch(product.baseUrl + href!, { headers: { accept: 'text/html' } });
    expect(seen.status).to.equal(200);
    expect(await seen.text())
      .to.include('Acme')
      .and.include('Shop');
  });

  it('invites somebody, who makes an account from the link and comes in', async () => {
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await goTo('Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Members' }).click();
    await button('Invite').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('ann@example.test');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await button('Copy the link').click();
    await button('Copied').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    await button('Close').click();
    const { page: theirs, context } = await openVisit(browser, link);
    await theirs.goto(link);
    await theirs.getByRole('button', { name: /Sign in/ }).click();
    await theirs.getByText('You are invited, and have no account yet?').click();
    await theirs.getByLabel('The invited address').fill('ann@example.test');
    await theirs.getByLabel('Your name').fill('Ann');
    await theirs.getByLabel('A new password').fill('correct horse');
    await theirs.getByRole('button', { name: 'Make an account' }).click();
    await theirs.getByRole('button', { name: 'Accept' }).click();
    await theirs.waitForURL(/\/console\/w\/[0-9a-f-]{36}$/);
    await context.close();
  });

  it('finds the first steps ticked, and hides them', async () => {
    await goTo('Overview');
    await page.getByRole('checkbox', { name: 'Invite somebody: done' }).waitFor();
    await page.getByText('All is set up.').waitFor();
    await button('Hide').click();
    await page.getByText('All is set up.').waitFor({ state: 'detached' });
    await page.reload();
    await heading(/^1 available/).waitFor();
    expect(await page.getByText('First steps').count()).to.equal(0);
    const tiles = page.getByRole('navigation', { name: 'Figures' }).getByRole('link');
    expect(await tiles.count()).to.equal(4);
    await tiles
      .first()
      .getByRole('img', { name: /^Open incidents: latest 0, highest [1-9]/ })
      .waitFor();
    expect(await tiles.nth(1).getAttribute('href')).to.match(/\/monitors\?sort=uptime$/);
    expect(await tiles.nth(2).getAttribute('href')).to.match(/\/monitors\?sort=-p95$/);
    expect(await tiles.nth(3).getAttribute('href')).to.match(/\/regions$/);
  });

  it('goes on watching while the control plane is restarted', async () => {
    visit.expects(
      /status of 503|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
    );
    await goTo('Overview');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    const top = async () => (await page.locator('main tr[data-row]').first().boundingBox())!.y;
    const before = await top();
    product.controlPlane.kill('SIGTERM');
    await product.controlPlane.ended(30_000);
    await page.getByText(/^Connection lost\. Shown as of /).waitFor();
    await page.locator('main h1').getByText(/ old$/).waitFor();
    expect(await top(), 'nothing jumps').to.equal(before);
    await product.startControlPlane();
    await page.getByText('Live', { exact: true }).waitFor({ timeout: CHECKED_WITHIN_MS });
    await page.getByText(/^Connection lost/).waitFor({ state: 'detached' });
    expect(await top()).to.equal(before);
    await checkNow();
    expect(await page.evaluate('globalThis.isSamePage')).to.equal(true);
    expectNoComplaints(visit);
  });

  it('reads how a plan is changed on an installation of their own', async () => {
    await goTo('Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Plan' }).click();
    await page.getByText(`set-plan --user ${printed('demo account')} --plan Growth`).waitFor();
    await page.getByText('DEFAULT_PLAN').waitFor();
  });

  it('signs out by one click, also at the provider', async () => {
    // The stream of events ends with the session; the page that is still there may ask once more.
    visit.expects(/401 .*\/api\/v1\/events/);
    await button(/^Account of/).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${product.baseUrl}/console`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    expectNoComplaints(visit);
  });
});
