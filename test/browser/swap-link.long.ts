import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.js';
import { accessibilityFaults, describeInBrowser, startBrowser } from '../support/browser.js';
import { create, makeWorld, type World } from '../support/seed.js';
import { seedRotation, type SeededTeam } from '../integration/on-call/world.js';

// Ann's shift, on the day after the clock of the test.
const SHIFT = { shiftStart: '2026-11-22T08:00:00.000Z', shiftEnd: '2026-11-23T08:00:00.000Z' };
const PHONE = { width: 390, height: 844 };

describeInBrowser('the link in a mail about a swap, on a phone and by keyboard (Chromium)', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let world: World;
  let team: SeededTeam;
  let swaps: string;

  before(async () => {
    [app, browser] = await Promise.all([startTestApp(), startBrowser()]);
    page = await browser.newPage({ viewport: PHONE });
  });
  after(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(async () => {
    app.clock.set(Date.parse('2026-11-21T12:00:00Z'));
    world = await makeWorld(app);
    team = await seedRotation(world);
    const [{ id }] = (await world.api('GET', `${team.path}/schedules`)).body;
    swaps = `${team.path}/schedules/${id}/swaps`;
    const { api } = await world.member('Admin');
    await create(api, swaps, { ...SHIFT, withUserId: team.bob.userId });
    const text = await app.value<string>(
      `SELECT content ->> 'text' AS text FROM outgoing_mail WHERE workspace_id = $1 AND recipient = $2`,
      [world.workspaceId, team.bob.email],
    );
    await page.goto(/https?:\/\/\S+\/swap\/\S+/.exec(text)![0]);
    await page.getByText('asks you to take this shift').waitFor();
  });

  const state = async () => (await world.api('GET', swaps)).body[0].state;

  /** Moves the focus by Tab to the button, and presses Enter. */
  async function press(name: string): Promise<void> {
    for (let count = 0; count < 10; count++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate<string>('document.activeElement.innerText')) === name)
        return page.keyboard.press('Enter');
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  for (const [button, sentence, becomes] of [
    ['Take the shift', 'The shift is taken.', 'taken'],
    ['Decline', 'The swap is declined.', 'declined'],
  ] as const)
    it(`asks before it acts: ${button}`, async () => {
      const fits = async () =>
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.be.at.most(PHONE.width);
      await fits();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      expect(await state(), 'opened only').to.equal('open');
      await press(button);
      await page.getByText(sentence).waitFor();
      expect(await state()).to.equal(becomes);
      await fits();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      expect(await page.getByRole('button').count()).to.equal(0);
    });
});
