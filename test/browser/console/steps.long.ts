import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, startBrowser } from '../../support/browser.js';
import { startProduct, type Product } from '../../support/product.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';

describeInBrowser('steps in the console (Chromium)', () => {
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
  const step = (place: number) => page.getByRole('group', { name: new RegExp(`^Step ${place} of`) });
  const field = (place: number, name: string) => step(place).getByLabel(name, { exact: true });
  const inStep = (place: number, name: string | RegExp) => step(place).getByRole('button', { name, exact: true });
  const more = (place: number) => step(place).getByText(/^Headers, body, assertions/);
  /** Once the regions are read that a new monitor is checked from. */
  const create = () => page.getByRole('button', { name: 'Create monitor', disabled: false });
  /** As somebody without a mouse does. */
  const type = async (place: number, name: string, text: string) => {
    await field(place, name).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };

  it('are added by the keyboard, with variables, of which a secret one is never shown', async () => {
    await page.goto(`${workspace}/monitors/new?url=${encodeURIComponent(target.url)}`);
    await page.getByText(/Answers 200 in/).waitFor();
    await page.getByText('Advanced settings').press('Enter');
    for (const [place, [name, value]] of [
      ['user', 'ann'],
      ['password', 's3cret-word'],
    ].entries()) {
      await button('Add a variable').press('Enter');
      await page.getByLabel(`Name of variable ${place + 1}`).focus();
      await page.keyboard.type(name!);
      const row = page.getByRole('group', { name: 'Variables' });
      if (name === 'password') await row.getByRole('switch').last().press('Space');
      await page.getByLabel(`Value of variable ${place + 1}`).focus();
      await page.keyboard.type(value!);
    }
    expect(await page.getByLabel('Value of variable 2').getAttribute('type')).to.equal('password');
    await button('Add a step').press('Enter');
    await type(1, 'Name', 'log in');
    await field(1, 'Method').selectOption('POST');
    await type(1, 'URL', `${target.url}/login`);
    await more(1).press('Enter');
    await field(1, 'Body').focus();
    await page.keyboard.type('{"user":"');
    await inStep(1, 'Insert user').press('Enter');
    await page.keyboard.type('","password":"{{pasword}}"}');
    expect(await field(1, 'Body').inputValue()).to.equal('{"user":"{{user}}","password":"{{pasword}}"}');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
  });

  it('that are wrong are refused at their field, with the column', async () => {
    await create().press('Enter');
    await step(1)
      .getByText(/at column \d+/)
      .waitFor();
    await field(1, 'Body').and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await type(1, 'Body', '{"user":"{{user}}","password":"{{password}}"}');
    await create().press('Enter');
    await button('Edit').waitFor();
    const id = page.url().replace(/.*\/monitors\/([0-9a-f-]{36}).*/, '$1');
    const { http } = (await product.api('GET', `/api/v1/monitor/${id}`)).body;
    expect(http.variables).to.deep.equal({ user: 'ann', password: { secret: '***' } });
    expect(http.steps).to.have.length(1);
  });

  it('are not run for a copy of a monitor until its test is asked for, because they can change something', async () => {
    const orders = () => target.requests.filter(({ path }) => path === '/orders').length;
    const { body: shop } = await product.api('POST', '/api/v1/monitor', {
      name: 'Orders',
      url: target.url,
      monitoringStatus: 'paused',
      http: { steps: [{ name: 'order', url: `${target.url}/orders`, method: 'POST' }] },
    });
    await page.goto(`${workspace}/monitors/new?from=${shop.id}`);
    await page.getByRole('heading', { level: 1, name: 'Copy of a monitor' }).waitFor();
    await page.getByLabel('URL', { exact: true }).first().focus();
    await page.keyboard.press('Tab');
    expect(await page.getByRole('status', { name: /^Test of/ }).count()).to.equal(0);
    await button('Test').click();
    await page.getByText(/Answers 200 in/).waitFor();
    expect(orders()).to.equal(1);
  });
});
