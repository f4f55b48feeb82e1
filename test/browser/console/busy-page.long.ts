import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { expectNoComplaints, settled, startConsole, type Visit } from '../../support/console.js';
import { seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

/** So many that the overview draws them. */
const MONITORS = 12;
/** Longer than between two keys that belong together. */
const BUSY_MS = 200;

/** Puts what happens into one task: between two keys or clicks, the page draws what it has, and paints nothing. */
const TOOLS = `
  const drawn = async () => {
    for (let turn = 0; turn < 100; turn++) await null;
  };
  const beBusy = () => {
    for (const until = performance.now() + ${BUSY_MS}; performance.now() < until; );
  };
  const typeLetter = (letter) => {
    document.activeElement.value += letter;
    document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
`;

describeInBrowser('keys and clicks on a busy machine (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;

  before(async () => {
    visit = await stage.visit(stage.app.owner);
    page = visit.page;
  });

  /** @returns what the script returns, beside which nothing runs but what it has caused at once */
  const inOneTask = <T>(script: string) => page.evaluate<T>(`(async () => {${TOOLS}${script}})()`);
  const follow = (path: string) => {
    const { pathname, search } = new URL(visit.address(path));
    return `{
      const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(pathname + search)} });
      document.body.append(link);
      link.click();
      link.remove();
    }`;
  };

  it('are meant for the field of a new screen or dialog as soon as it is drawn', async () => {
    const opened: [how: string, from?: string][] = [
      [follow('')],
      [follow('/alerts?channel=new')],
      [follow('/alerts?channel=new&type=webhook')],
      [`press('n');`],
      [`press('n');`, '/settings/api-keys'],
    ];
    await visit.open('/monitors');
    for (const [how, from = '/monitors'] of opened) {
      // At first the script of the screen is loaded, and what it shows is read.
      await inOneTask(follow(from));
      await settled(page);
      await inOneTask(how);
      await page.locator(':focus:is(input, textarea)').waitFor();
      await page.keyboard.press('Escape');
      await inOneTask(follow(from));
      await settled(page);
      const focused = await inOneTask<string>(`${how} await drawn(); return document.activeElement.tagName;`);
      expect(focused, how).to.equal('INPUT');
      await page.keyboard.press('Escape');
    }
    expectNoComplaints(visit);
  });

  it('open what the keyboard has chosen in a picture that is drawn anew under a pointer', async () => {
    for (let count = 1; count <= MONITORS; count++) await seedMonitor(stage.app, { name: `Basket ${count}` });
    await visit.open();
    const picture = page.getByRole('slider', { name: 'Monitors, worst first' });
    await page.keyboard.press('Tab');
    await picture.focus();
    await picture.and(page.locator('[aria-valuetext^="Basket"]')).waitFor();
    await picture.dispatchEvent('pointerleave');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/monitors\/[0-9a-f-]{36}$/);
  });

  it('are all in the box of a list and in its address, in the order in which they came', async () => {
    await seedMonitor(stage.app, { name: 'Shop' });
    await visit.open('/monitors');
    for (const text of ['shop-3', 'shop state:down ']) {
      await page.keyboard.press('/');
      const typed = await inOneTask<string>(`
        document.activeElement.value = '';
        for (const letter of ${JSON.stringify(text)}) {
          typeLetter(letter);
          await drawn();
          beBusy();
        }
        return document.activeElement.value;
      `);
      expect(typed).to.equal(text);
    }
    await page.waitForURL(/\?state=down&search=shop$/);
    const box = page.getByLabel('Filter monitors');
    // The box follows what the address gets by another way, also where something has just been typed.
    await box.pressSequentially('x');
    await inOneTask(`typeLetter('y'); ${follow('/monitors')}`);
    await page.waitForURL(/\/monitors$/);
    await box.and(page.locator(':placeholder-shown')).waitFor();
    expectNoComplaints(visit);
  });

  it('are kept in a form while it takes over what somebody else has saved', async () => {
    const { id } = await seedMonitor(stage.app, { name: 'Checkout', url: 'https://shop.example/' });
    await visit.open(`/monitors/${id}?edit=on`);
    const url = page.getByLabel('URL', { exact: true });
    await url.focus();
    await inOneTask(`
      new MutationObserver((records, observer) => {
        if (!document.querySelector('main h1').textContent.includes('Basket')) return;
        observer.disconnect();
        typeLetter('x');
      }).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true });
    `);
    await stage.app.api('PUT', `/api/v1/monitor/${id}`, { name: 'Basket' });
    await page.getByRole('heading', { level: 1, name: /^Basket/ }).waitFor();
    expect(await url.inputValue()).to.equal('https://shop.example/x');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Basket');
    expectNoComplaints(visit);
  });

  it('select a row of a list that was sorted anew just before', async () => {
    await visit.open('/monitors?sort=name');
    await inOneTask(`
      ${follow('/monitors?sort=-name')}
      await drawn();
      document.querySelector('main [data-select]').click();
    `);
    await page.getByRole('region', { name: 'Selected monitors' }).getByText('1 monitor selected').waitFor();
    // Until all that the sorting causes has been done.
    await settled(page);
    await page.locator('main [data-select]:checked').waitFor();
    expectNoComplaints(visit);
  });
});
