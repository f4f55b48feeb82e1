import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, startBrowser, takePicture } from '../../support/browser.js';
import { expectFits } from '../../support/console.js';
import { startProduct, type Product } from '../../support/product.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { walkByTab } from '../../support/walk-by-tab.js';

const ANSWER = { items: [{ name: 'shoes <b>' }], ready: true };

describeInBrowser('assertions in the console (Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let target: Target;
  let workspace: string;

  before(async () => {
    const headers = { 'content-type': 'application/json' };
    [product, browser, target] = await Promise.all([
      startProduct({ env: { OIDC_CONSOLE_CLIENT_ID: 'console' } }),
      startBrowser(),
      startTarget({ behaviour: answer({ headers, body: JSON.stringify(ANSWER) }) }),
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
  const row = (place: number) => page.getByRole('group', { name: `Assertion ${place}`, exact: true });
  const field = (place: number, name: string) => row(place).getByLabel(name, { exact: true });
  const results = () => page.getByRole('list', { name: 'Assertions' }).getByRole('listitem');

  it('are made from the answer of a test by a click, which fills in query and comparison', async () => {
    await page.goto(`${workspace}/monitors/new?url=${encodeURIComponent(target.url)}`);
    await page.getByText(/Answers 200 in/).waitFor();
    await page.getByText('Advanced settings').click();
    await page.getByText(/^JSON values of the last test/).click();
    await page.getByRole('button', { name: /^\$\['items'\]\[0\]\['name'\]/ }).click();
    expect(await field(1, 'JSONPath').inputValue()).to.equal("$['items'][0]['name']");
    expect(await field(1, 'Value').inputValue()).to.equal(ANSWER.items[0]!.name);
    await page.getByText(/^Headers of the last test/).click();
    await page.getByRole('button', { name: 'content-type application/json' }).click();
    expect(await field(2, 'Comparison').inputValue()).to.equal('equals');
    await takePicture(page, 'console-assertions');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
  });

  it('have only the comparisons that fit, and show what a test found for each', async () => {
    await button('Add an assertion').click();
    await field(3, 'Of the answer').selectOption('responseTime');
    const offered = await field(3, 'Comparison').getByRole('option').allTextContents();
    expect(offered).to.include('is less than').and.not.include('contains');
    await field(3, 'Comparison').selectOption('lessThan');
    await field(3, 'Value').fill('60000');
    await field(2, 'Value').fill('text/plain');
    await field(2, 'Otherwise').selectOption('degraded');
    await button('Test').last().click();
    await page.getByText('It would be degraded.').waitFor();
    const words = await results().allTextContents();
    expect(words.map((each) => /Passed|Failed/.exec(each)?.[0])).to.deep.equal(['Passed', 'Failed', 'Passed']);
    expect(words[1]).to.contain('"application/json"');
    expect(words[0]).to.contain(ANSWER.items[0]!.name);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await button('Create monitor').click();
    await button('Edit').waitFor();
  });

  it('that are wrong are refused at their row, with the column', async () => {
    await button('Edit').click();
    await page.getByText('Advanced settings').click();
    const query = field(1, 'JSONPath');
    await query.fill('$.items[');
    await button('Save').click();
    await row(1)
      .getByText(/at column \d+/)
      .waitFor();
    await query.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    expect(await page.getByText(/at column \d+/).count()).to.equal(1);
    await query.fill('$.items');
    await field(1, 'Comparison').selectOption('countGreaterThan');
    await field(1, 'Value').fill('0');
    await button('Save').click();
    await button('Edit').waitFor();
    const id = page.url().replace(/.*\/monitors\/([0-9a-f-]{36}).*/, '$1');
    const { http } = (await product.api('GET', `/api/v1/monitor/${id}`)).body;
    expect(http.assertions).to.deep.equal([
      { source: 'json', property: '$.items', comparison: 'countGreaterThan', target: 0, severity: 'down' },
      { source: 'header', property: 'content-type', comparison: 'equals', target: 'text/plain', severity: 'degraded' },
      { source: 'responseTime', comparison: 'lessThan', target: 60_000, severity: 'down' },
    ]);
  });

  it('are edited by the keyboard, and fit a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await button('Edit').click();
    await page.getByText('Advanced settings').click();
    await row(3).waitFor();
    await expectFits(page);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-assertions-phone');
    await walkByTab(page, 'assertions');
    await row(3).getByRole('button', { name: 'Remove assertion 3' }).press('Enter');
    await row(3).waitFor({ state: 'detached' });
    await button('Add an assertion').press('Enter');
    await row(3).waitFor();
    expect(await field(3, 'Value').inputValue()).to.equal('200');
  });
});
