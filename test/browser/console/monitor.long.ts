import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, startBrowser, takePicture } from '../../support/browser.js';
import { expectFits } from '../../support/console.js';
import { startProduct, type Product } from '../../support/product.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';

const FIRST_CHECK_MS = 15_000;

describeInBrowser('a monitor in the console (Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let target: Target;
  let workspace: string;

  before(async () => {
    [product, browser, target] = await Promise.all([
      startProduct({ env: { OIDC_CONSOLE_CLIENT_ID: 'console' } }),
      startBrowser(),
      startTarget({ behaviour: answer() }),
    ]);
    const { token } = await product.createAgent('northeurope', 'home');
    product.startAgent({ name: 'home', token });
    await product.api('GET', '/api/v1/workspaces');
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Growth');
    page = await browser.newPage();
    product.issuer.person = { sub: 'user-1' };
    await page.goto(`${product.baseUrl}/console/sign-in`);
    await page.waitForURL(/\/console\/w\//);
    workspace = page.url().replace(/(\/console\/w\/[^/?]+).*/, '$1');
  });
  after(async () => {
    await browser.close();
    await Promise.all([product.stop(), target.close()]);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const monitorId = () => page.url().replace(/.*\/monitors\/([0-9a-f-]{36}).*/, '$1');
  const read = async () => (await product.api('GET', `/api/v1/monitor/${monitorId()}`)).body;

  it('is tested when its URL is pasted, and shows its first check within seconds of its creation', async () => {
    await page.goto(`${workspace}/monitors/new`);
    await field('URL').focus();
    await page.evaluate(`{
      const input = document.activeElement;
      input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }));
      input.value = ${JSON.stringify(target.url)};
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }`);
    await page.getByText(/Answers 200 in/).waitFor();
    await page.getByText('Channels are alerted; nobody is on call.').waitFor();
    // What the plan does not have names the plan that has it.
    expect(await page.getByRole('checkbox', { name: /^DNS Pro plan and up/ }).isDisabled()).to.equal(true);
    await field('Name').fill('Shop');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-new-monitor');
    await button('Create monitor').click();
    await page.getByText(/^Available from North Europe/).waitFor({ timeout: FIRST_CHECK_MS });
    await page.getByText('1 check, none failed.', { exact: false }).waitFor({ timeout: FIRST_CHECK_MS });
    await page
      .getByRole('table', { name: /^Results/ })
      .getByRole('cell', { name: 'Up', exact: true })
      .waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-monitor');
  });

  it('keeps still under a press, and has all that the API finds wrong at the fields beside what was entered', async () => {
    const shop = page.url();
    let release = () => {};
    const isPressed = new Promise<void>((resolve) => (release = resolve));
    const held = /\/api\/v1\/(regions|service-group|action-groups|alert-preview|monitor-test)\b/;
    await page.route(held, (route) => isPressed.then(() => route.continue()));
    await page.goto(`${workspace}/monitors/new`);
    await field('URL').fill('http://10.0.0.1/');
    // The test of the URL begins as the field is left. What it finds, and what the screen reads first, has its place above.
    const answers = ['/regions', '/action-groups', '/monitor-test'].map((path) =>
      page.waitForResponse((each) => each.url().includes(`/api/v1${path}`)),
    );
    await page.getByText('Advanced settings').hover();
    await page.mouse.down();
    release();
    await Promise.all(answers);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.mouse.up();
    await page.unroute(held);
    await page.getByText('No agent online').first().waitFor();
    await field('Failures before an alert').fill('99');
    await button('Create monitor').click();
    // The test of the URL finds the egress policy at once; the other fault comes with the answer to the creation.
    await field('Failures before an alert').and(page.locator('[aria-invalid=true]')).waitFor();
    await page
      .getByText(/egress policy/)
      .first()
      .waitFor();
    expect(await field('URL').inputValue()).to.equal('http://10.0.0.1/');
    await page.goto(shop);
  });

  it('pauses and resumes by a key', async () => {
    await page.getByText(/^Available from/).waitFor();
    await page.keyboard.press('p');
    await page.getByText(/^Paused: nothing is checked/).waitFor();
    expect(await read()).to.include({ monitoringStatus: 'paused' });
    await page.keyboard.press('p');
    await page.getByText(/^Available from/).waitFor({ timeout: FIRST_CHECK_MS });
  });

  it('is tested on demand, with the answer', async () => {
    const availability = page.getByRole('heading', { name: 'Availability' });
    const before = await availability.boundingBox();
    await button('Test now').click();
    const panel = page.getByRole('region', { name: 'Test', exact: true });
    await panel.getByText(/Answers 200 in/).waitFor();
    expect(await availability.boundingBox(), 'nothing moves').to.deep.equal(before);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await panel.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('has a range in its address, and one for a stretch of its bar', async () => {
    await page.getByRole('radio', { name: '7 d', exact: true }).check();
    await page.waitForURL(/range=7d/);
    await page.getByText(/Monitored since .*\d\d:\d\d/).waitFor();
    const bar = page.getByRole('slider', { name: /^Availability of Shop/ });
    await bar.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=.*&to=/);
    await page.goBack();
    await page.waitForURL(/range=7d/);
  });

  it('shows what somebody else saved meanwhile field by field, and keeps mine', async () => {
    await button('Edit').click();
    await field('Name').fill('My shop');
    await field('Every').selectOption('PT10M');
    const theirs = { name: 'Their shop', tags: ['team:web'] };
    const saved = await product.api('PUT', `/api/v1/monitor/${monitorId()}`, theirs);
    expect(saved.status).to.equal(200);
    await button('Save').click();
    const note = page.getByRole('alert').filter({ hasText: 'Somebody else saved this' });
    await note.getByRole('row', { name: /name/ }).getByText('Their shop').waitFor();
    expect(await note.getByRole('row').count()).to.equal(2);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await button('Keep mine').click();
    await page.getByRole('heading', { level: 1, name: /^My shop/ }).waitFor();
    expect(await read()).to.deep.include({ name: 'My shop', checkInterval: 'PT10M', tags: ['team:web'] });
  });

  it('is saved beside a change that the form does not have', async () => {
    await button('Edit').click();
    await field('Every').selectOption('PT15M');
    await product.api('PUT', `/api/v1/monitor/${monitorId()}`, { monitoringStatus: 'paused' });
    await page.getByText(/^Paused: nothing is checked/).waitFor();
    await button('Save').click();
    await button('Edit').waitFor();
    expect(await read()).to.include({ checkInterval: 'PT15M', monitoringStatus: 'paused' });
    await product.api('PUT', `/api/v1/monitor/${monitorId()}`, { checkInterval: 'PT10M', monitoringStatus: 'enabled' });
    await page.getByText(/^Available from/).waitFor({ timeout: FIRST_CHECK_MS });
  });

  it('is duplicated with its settings', async () => {
    const own = page.url();
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Copy of a monitor' }).waitFor();
    expect(await field('Name').inputValue()).to.equal('My shop (copy)');
    expect(await field('Every').inputValue()).to.equal('PT10M');
    await page.goto(own);
  });

  it('fits a phone in the dark', async () => {
    const phone = await browser.newContext({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
    try {
      await phone.addCookies(await page.context().cookies());
      const small = await phone.newPage();
      for (const [path, text] of [
        [page.url(), /^Available from/],
        [`${workspace}/monitors/new`, /nobody is on call/],
      ] as const) {
        await small.goto(path);
        await small.getByText(text).waitFor();
        await expectFits(small);
        expect(await accessibilityFaults(small)).to.deep.equal([]);
      }
    } finally {
      await phone.close();
    }
  });

  it('is deleted once its name is typed', async () => {
    const id = monitorId();
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This cannot be undone', { exact: false }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).to.equal('true');
    await dialog.getByRole('textbox').fill('My shop');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/monitors$/);
    expect((await product.api('GET', `/api/v1/monitor/${id}`)).status).to.equal(404);
    await page.goto(`${workspace}/monitors/${id}`);
    await page.getByText('There is no such monitor').waitFor();
  });

  it('has the days of its certificate, which may be none, and expected texts with their blanks', async () => {
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Pro');
    const monitorTypes = ['HttpAvailability', 'SslCertificate', 'Dns'];
    const { body } = await product.api('POST', '/api/v1/monitor', { url: 'https://shop.example.test/', monitorTypes });
    await page.goto(`${workspace}/monitors/${body.id}`);
    await button('Edit').click();
    await page.getByText('Advanced settings').click();
    const days = field('Open an incident from days left');
    expect(await days.inputValue()).to.equal('');
    await days.fill('10');
    await field('TXT').last().fill('token \n"v=spf1 -all"');
    await button('Save').click();
    await button('Edit').waitFor();
    const { ssl, dns } = await read();
    expect(ssl.incidentDays).to.equal(10);
    expect(dns.expectedRecords.TXT).to.deep.equal({ match: 'exact', values: ['token ', '"v=spf1 -all"'] });
    await button('Edit').click();
    await page.getByText('Advanced settings').click();
    await days.fill('');
    await button('Save').click();
    await button('Edit').waitFor();
    expect((await read()).ssl.incidentDays).to.equal(null);
  });

  it('signs in, with a secret that is never shown and kept until it is replaced', async () => {
    const auth = { type: 'basic', username: 'robot', password: 'hunter2' };
    const { body } = await product.api('POST', '/api/v1/monitor', { url: `${target.url}/login`, http: { auth } });
    await page.goto(`${workspace}/monitors/${body.id}`);
    const edit = async () => {
      await button('Edit').click();
      await page.getByText('Advanced settings').click();
    };
    const save = async () => {
      await button('Save').click();
      await button('Edit').waitFor();
    };
    await edit();
    expect(await field('Password').inputValue()).to.equal('');
    expect(await field('Password').getAttribute('placeholder')).to.equal('Kept; type to replace');
    await field('Password').fill('typed');
    await field('Password').fill('');
    await field('User name').fill('robot-2');
    await save();
    expect((await read()).http.auth).to.deep.equal({ ...auth, username: 'robot-2', password: '***' });
    await edit();
    await field('Sign in').selectOption('Client certificate');
    await field('Certificate (PEM)').fill('no PEM');
    await button('Save').click();
    await field('Certificate (PEM)').and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-sign-in-of-a-check');
    await field('Sign in').selectOption('OAuth 2.0 client credentials');
    await field('Token URL').fill(`${target.url}/token`);
    await field('Client id').fill('watchpost');
    await field('Client secret').fill('hunter2');
    await field('Scopes').fill('read:health, read:all');
    await save();
    expect((await read()).http.auth).to.deep.equal({
      type: 'oauth2ClientCredentials',
      tokenUrl: `${target.url}/token`,
      clientId: 'watchpost',
      clientSecret: '***',
      scopes: ['read:health', 'read:all'],
      audience: null,
    });
    await edit();
    await field('Sign in').selectOption('No');
    await save();
    expect((await read()).http.auth).to.equal(null);
  });
});
