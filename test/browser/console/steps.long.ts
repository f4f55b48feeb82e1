import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, startBrowser, takePicture } from '../../support/browser.js';
import { still } from '../../support/console.js';
import { startProduct, type Product } from '../../support/product.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Behaviour, type Target } from '../../support/target-server.js';
import { walkByTab } from '../../support/walk-by-tab.js';

const FIRST_CHECK_MS = 30_000;
const LOGIN = '{"user":"ann","password":"s3cret-word"}';
const headers = { 'content-type': 'application/json' };
const login: Behaviour = (exchange) => {
  const isKnown = exchange.request.body.toString() === LOGIN;
  return answer(isKnown ? { headers, body: '{"token":"t0ken"}' } : { status: 403 })(exchange);
};
const account: Behaviour = (exchange) =>
  answer({ status: exchange.request.headers['authorization'] === 'Bearer t0ken' ? 200 : 401 })(exchange);

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
    target.route('/login', login);
    target.route('/account', account);
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
  const requests = () => page.getByRole('list', { name: 'Requests of the run' }).first().getByRole('listitem');
  /** As somebody without a mouse does. */
  const type = async (place: number, name: string, text: string) => {
    await field(place, name).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };
  const monitorId = () => page.url().replace(/.*\/monitors\/([0-9a-f-]{36}).*/, '$1');

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
    await button('Create monitor').press('Enter');
    await step(1)
      .getByText(/at column \d+/)
      .waitFor();
    await field(1, 'Body').and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await type(1, 'Body', '{"user":"{{user}}","password":"{{password}}"}');
  });

  it('are tested up to one of them, and a value of its answer is extracted by a click', async () => {
    await inStep(1, 'Test up to this step').press('Enter');
    await step(1)
      .getByText(/Answers 200 in/)
      .waitFor();
    expect(await requests().allTextContents()).to.have.length(2);
    await step(1)
      .getByText(/^JSON values of the last test/)
      .click();
    await inStep(1, "Extract $['token']").click();
    expect(await field(1, 'Name of value to extract 1').inputValue()).to.equal('token');
    expect(await field(1, 'Value of value to extract 1, expression').inputValue()).to.equal("$['token']");
    await step(1).getByRole('button', { name: '$[\'token\'] "t0ken"' }).click();
    expect(await field(1, 'JSONPath').inputValue()).to.equal("$['token']");

    await button('Add a step').press('Enter');
    await type(2, 'Name', 'account');
    await type(2, 'URL', `${target.url}/account`);
    await more(2).press('Enter');
    await inStep(2, 'Add a header').press('Enter');
    await type(2, 'Name of header 1', 'Authorization');
    await type(2, 'Value of header 1', 'Bearer ');
    await inStep(2, 'Insert token').press('Enter');
    expect(await field(2, 'Value of header 1').inputValue()).to.equal('Bearer {{token}}');
    // It uses what another one extracts.
    expect(await inStep(2, 'Test it alone').count()).to.equal(0);
    await button('Test all steps').press('Enter');
    await requests().nth(2).getByText('Worked').waitFor();
    await takePicture(page, 'console-steps');
  });

  it('that fail are marked in the waterfall with their reason, and those behind them did not run', async () => {
    target.route('/login', answer({ status: 500 }));
    await button('Test all steps').click();
    await page
      .getByText(/Would be down:/)
      .first()
      .waitFor();
    target.route('/login', login);
    const [own, failed, behind] = await requests().allTextContents();
    expect(own).to.match(/^Worked/);
    expect(failed)
      .to.match(/^Failed.*log in.*500/)
      .and.contain('The server answered with status 500');
    expect(behind).to.match(/^Did not run.*account/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await still(page);
      expect(await accessibilityFaults(page), colorScheme).to.deep.equal([]);
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  });

  it('make one monitor, which shows the waterfall of its latest check', async () => {
    await button('Create monitor').click();
    await page.getByText(/^Available from North Europe/).waitFor({ timeout: FIRST_CHECK_MS });
    await page.getByRole('heading', { name: 'Steps of the latest check' }).scrollIntoViewIfNeeded();
    await requests().nth(2).getByText('Worked').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-waterfall-phone');
    const { http } = (await product.api('GET', `/api/v1/monitor/${monitorId()}`)).body;
    expect(http.variables).to.deep.equal({ user: 'ann', password: { secret: '***' } });
    expect(http.steps.map(({ name, method }: { name: string; method: string }) => [name, method])).to.deep.equal([
      ['log in', 'POST'],
      ['account', 'GET'],
    ]);
  });

  it('are moved and removed by the keyboard, keep their secrets, and fit a phone', async () => {
    await button('Edit').click();
    await page.getByText('Advanced settings').click();
    expect(await page.getByLabel('Value of variable 2').inputValue()).to.equal('');
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-steps-phone');
    await walkByTab(page, 'steps');
    await button('Move step 2 up').press('Enter');
    expect(await field(1, 'Name').inputValue()).to.equal('account');
    await page.getByText('account is step 1 of 2').waitFor();
    await button('Move step 1 down').press('Enter');
    await button('Remove step 2').press('Enter');
    await step(2).waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Steps may run again to confirm a failure' }).press('Space');
    await button('Save').press('Enter');
    await button('Edit').waitFor();
    const { http } = (await product.api('GET', `/api/v1/monitor/${monitorId()}`)).body;
    expect(http.steps.map(({ name }: { name: string }) => name)).to.deep.equal(['log in']);
    expect(http).to.deep.include({ safeToRepeat: true, variables: { user: 'ann', password: { secret: '***' } } });
  });
});
