import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import { expectFits, expectNoComplaints, fileCheck, settled, startConsole, type Visit } from '../../support/console.js';
import { create, seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';
import { DOWN, UP } from '../../integration/results/seed.js';

const MINUTE_MS = 60_000;

describeInBrowser('the time axis of a monitor in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let address: string;
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

  before(async () => {
    const { api } = stage.app;
    const { id } = await seedMonitor(stage.app, { enabledRegions: ['eastus2'], tags: ['team:web'] });
    for (let minutes = 40; minutes > 0; minutes -= 2)
      for (const region of ['northeurope', 'eastus2'] as const)
        await fileCheck(stage.app, id, minutes === 20 && region === 'eastus2' ? DOWN : UP, {
          region,
          atMs: nowMs - minutes * MINUTE_MS,
        });
    const before = [6, 8].map((minutes) => ({ monitorId: id, minutes: 45 + minutes }));
    const search = await seedMonitor(stage.app, { name: 'Search', url: 'https://search.example/' });
    const beside = [20, 22].map((minutes) => ({ monitorId: search.id, minutes }));
    for (const { monitorId, minutes } of [...before, ...beside])
      await fileCheck(stage.app, monitorId, UP, { atMs: nowMs - minutes * MINUTE_MS });
    const at = new Date(nowMs - 30 * MINUTE_MS).toISOString();
    await create(api, '/api/v1/marks', { at, text: 'Deploy 4711', tags: ['team:web'], url: 'https://ci.example/4711' });
    await create(api, '/api/v1/marks', { at: new Date(nowMs - 10 * MINUTE_MS).toISOString(), text: 'Flag on' });
    await create(api, '/api/v1/marks', { at, text: 'Deploy of others', tags: ['team:app'] });
    const iso = (minutes: number) => new Date(nowMs - minutes * MINUTE_MS).toISOString();
    address = `/monitors/${id}?from=${iso(45)}&to=${iso(0)}`;
    visit = await stage.visit(stage.app.owner, { path: address, width: 1_440 });
  });
  beforeEach(async () => {
    await visit.open(address);
    await chart().scrollIntoViewIfNeeded();
    await settled(visit.page);
  });

  const chart = () => visit.page.getByRole('slider', { name: /^Latency of/ });
  const bar = () => visit.page.getByRole('slider', { name: /^Availability of/ });
  const boxOf = async (of: Locator) => (await of.boundingBox())!;
  /** There are so many, once all of them are read. */
  async function expectCount(of: Locator, count: number): Promise<void> {
    await of.nth(count - 1).waitFor({ state: 'attached' });
    expect(await of.count()).to.equal(count);
  }
  const shown = () => {
    const { searchParams } = new URL(visit.page.url());
    return ['from', 'to'].map((name) => (nowMs - Date.parse(searchParams.get(name)!)) / MINUTE_MS);
  };

  it('has the same edges in every picture, with dates at both ends', async () => {
    const boxes = [
      await boxOf(bar().locator('svg')),
      await boxOf(visit.page.getByRole('slider', { name: /^From Virginia/ }).locator('svg')),
      await boxOf(chart().locator('svg')),
      await boxOf(visit.page.locator('.time-axis').first()),
    ];
    for (const { x, width } of boxes) {
      expect(x).to.be.closeTo(boxes[0]!.x, 1);
      expect(width).to.be.closeTo(boxes[0]!.width, 1);
    }
    expect(boxes[2]!.height).to.equal(260);
    for (const axis of await visit.page.locator('.time-axis').all()) {
      const texts = await axis.locator('text').allTextContents();
      for (const end of [texts[0]!, texts.at(-1)!]) expect(end).to.match(/^\d+ \w{3,4}, \d\d:\d\d$/);
    }
  });

  it('shows the moment under the pointer in every picture, and what it was in one', async () => {
    const { x, y, width } = await boxOf(chart());
    await visit.page.mouse.move(x + width / 3, y + 100);
    await chart().locator('.chart-cursor').waitFor({ state: 'attached' });
    await expectCount(visit.page.locator('.slot-cursor'), 5);
    expect(await visit.page.locator('.tip').count()).to.equal(1);
    const lineX = x + Number(await chart().locator('.chart-cursor').getAttribute('x1'));
    const slot = await boxOf(visit.page.locator('.bar-large .slot-cursor'));
    expect(lineX).to.be.within(slot.x - 12, slot.x + slot.width + 12);
  });

  it('is closer where somebody drags, in either picture', async () => {
    for (const picture of [chart(), bar()]) {
      await visit.open(address);
      await picture.scrollIntoViewIfNeeded();
      const { x, y, width, height } = await boxOf(picture);
      await visit.page.mouse.move(x + width * 0.75, y + height / 2);
      await visit.page.mouse.down();
      await visit.page.mouse.move(x + width * 0.5, y + height / 2);
      await visit.page.mouse.move(x + width * 0.25, y + height / 2, { steps: 3 });
      await visit.page.locator('.slot-selected').waitFor();
      await visit.page.mouse.up();
      await visit.page.waitForURL((url) => !url.href.endsWith(address));
      const [from, to] = shown();
      expect(from).to.be.closeTo(45 * 0.75, 3);
      expect(to).to.be.closeTo(45 * 0.25, 3);
    }
  });

  it('is closer by the keyboard', async () => {
    await chart().focus();
    for (let steps = 0; steps < 5; steps++) await visit.page.keyboard.press('Shift+ArrowLeft');
    await visit.page.keyboard.press('Enter');
    await visit.page.waitForURL((url) => !url.href.endsWith(address));
    const [from, to] = shown();
    expect(to).to.be.closeTo(0, 1.5);
    expect(from! - to!).to.be.within(5, 30);
  });

  it('names incidents and the marks that concern the monitor', async () => {
    const items = visit.page.getByRole('list', { name: /^Latency of .*: what happened$/ }).getByRole('listitem');
    await items.filter({ hasText: 'Deploy 4711' }).waitFor({ state: 'attached' });
    expect(await items.filter({ hasText: 'others' }).count()).to.equal(0);
    await expectCount(chart().locator('.chart-mark'), 2);
    await expectCount(visit.page.locator('.time-mark'), 6);
  });

  it('leads from each mark to more about it, by pointer and by keyboard', async () => {
    const marks = visit.page.locator('.time-frame').first().getByRole('list', { name: 'Marks' });
    const deploy = marks.getByRole('link', { name: /: Deploy 4711$/ });
    const flag = marks.getByRole('button', { name: /: Flag on$/ });
    expect(await deploy.getAttribute('href')).to.equal('https://ci.example/4711');
    await expectCount(visit.page.locator('.bar-large .slot-mark'), 2);
    await flag.hover();
    await visit.page.locator('.tip', { hasText: /: Flag on$/ }).waitFor();
    await visit.page.mouse.move(0, 0);
    await flag.focus();
    await visit.page.keyboard.press('ArrowLeft');
    expect(await deploy.evaluate((node) => node.matches(':focus'))).to.equal(true);
    await visit.page.locator('.tip', { hasText: /: Deploy 4711$/ }).waitFor();
    const line = await boxOf(chart().locator('.chart-mark').last());
    const { x, width } = await boxOf(chart().locator('svg'));
    expect(line.x).to.be.closeTo(x + width / 3, 12);
  });

  it('is saved as picture and as numbers', async () => {
    const save = async (name: RegExp, kind: string) => {
      await visit.page.getByRole('button', { name }).click();
      const [download] = await Promise.all([
        visit.page.waitForEvent('download'),
        visit.page.getByRole('menuitem', { name: kind, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).to.match(new RegExp(`^[a-z0-9-]+\\.${kind.toLowerCase()}$`));
      return readFile(await download.path());
    };
    for (const name of [/^Export Availability/, /^Export Latency/]) {
      expect((await save(name, 'PNG')).subarray(1, 4).toString()).to.equal('PNG');
      const svg = (await save(name, 'SVG')).toString();
      expect(svg).to.match(/^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(svg).to.not.match(/ class=|var\(/);
      expect(svg).to.match(/<text [^>]*>\d+ \w{3,4}, \d\d:\d\d</);
    }
    const states = (await save(/^Export Availability/, 'CSV')).toString().split('\r\n');
    expect(states[0]).to.equal('Start,All regions,"North Europe, Ireland","Virginia, United States"');
    expect(states.some((line) => /^\d{4}-.*,partial,available,unavailable$/.test(line))).to.equal(true);
    const numbers = (await save(/^Export Latency/, 'CSV')).toString().split('\r\n');
    expect(numbers[0]).to.equal('time,p50,p95,p99,average,checks,dns,connect,tls,firstByte,transfer');
    expect(numbers[1]).to.match(/^\d{4}-[^,]*Z,42\.5,42\.5,42\.5,42\.5,\d,1\.5,9,20,11,1$/);
  });

  it('compares latency with regions, the period before and another monitor, and shows phases on each other', async () => {
    const choice = visit.page.getByRole('combobox', { name: 'Compare with' });
    const others = visit.page.locator('.chart-other');
    const phases = visit.page.getByRole('slider', { name: /^Phases of/ });
    await expectCount(phases.locator('.chart-layer'), 5);
    await choice.selectOption('each region');
    await visit.page.waitForURL(/beside=regions/);
    await expectCount(others, 2);
    await choice.selectOption('the period before');
    await visit.page.waitForURL(/beside=before/);
    // Its first checks are in the last minutes of the period before.
    await expectText('p95 before 43 ms', 6);
    await choice.selectOption('another monitor');
    await visit.page.getByRole('searchbox', { name: 'The other monitor' }).fill('Search');
    await visit.page.getByRole('button', { name: 'Search', exact: true }).click();
    await visit.page.waitForURL(/beside=[0-9a-f-]{36}/);
    await expectText('p95 of Search 43 ms', 20);
    expect(await accessibilityFaults(visit.page)).to.deep.equal([]);
    await phases.focus();
    expect(await phases.getAttribute('aria-valuetext')).to.match(
      /: DNS .*, Connect .*, TLS .*, First byte .*, Transfer /,
    );
  });

  /** Expects what the chart has at this many minutes before the end of the range. */
  async function expectText(text: string, minutes: number): Promise<void> {
    await visit.page.locator('.chart-other').waitFor({ state: 'attached' });
    const { x, y, width } = await boxOf(chart());
    await visit.page.mouse.move(x + width * (1 - minutes / 45), y + 100);
    await visit.page.locator('.tip').getByText(text).waitFor();
  }

  it('has a heatmap of regions on it', async () => {
    const row = visit.page.getByRole('slider', { name: 'p95 from Virginia, United States' });
    const [heat, line] = [await boxOf(row.locator('svg')), await boxOf(chart().locator('svg'))];
    expect(heat.x).to.be.closeTo(line.x, 1);
    expect(heat.width).to.be.closeTo(line.width, 1);
    expect(await row.getAttribute('aria-valuetext')).to.equal('p95 from Virginia, United States. From 43 ms to 43 ms.');
    await row.focus();
    await visit.page.keyboard.press('ArrowLeft');
    await visit.page.keyboard.press('ArrowLeft');
    expect(await row.getAttribute('aria-valuetext')).to.match(/^(43 ms|–), \d+ \w+, \d\d:\d\d to /);
  });

  it('has a calendar of days in a long range, each of which leads to the day', async () => {
    const id = /monitors\/([^?]+)/.exec(address)![1];
    for (const [range, days] of [
      ['90d', 90],
      ['1y', 365],
    ] as const) {
      await visit.open(`/monitors/${id}?range=${range}`);
      const calendar = visit.page.getByRole('slider', { name: 'Days of Shop' });
      await calendar.scrollIntoViewIfNeeded();
      await calendar
        .locator('rect')
        .nth(days - 1)
        .waitFor({ state: 'attached' });
      expect(await calendar.locator('rect').count()).to.be.within(days, days + 1);
      const faults = visit.page.getByRole('list', { name: 'Days of Shop: days with a fault' }).getByRole('listitem');
      expect(await faults.first().textContent()).to.match(/ \d{4}: .*Degraded 2 min/);
      expect(await accessibilityFaults(visit.page)).to.deep.equal([]);
      await visit.page.setViewportSize({ width: 320, height: 800 });
      await expectFits(visit.page);
      await visit.page.setViewportSize({ width: 1_440, height: 900 });
      await calendar.focus();
      await visit.page.keyboard.press('Enter');
      await visit.page.waitForURL(/from=.*&to=/);
    }
  });

  it('fits a phone, and axe finds nothing', async () => {
    expect(await accessibilityFaults(visit.page)).to.deep.equal([]);
    await visit.page.setViewportSize({ width: 320, height: 800 });
    await chart().scrollIntoViewIfNeeded();
    await expectFits(visit.page);
    const [bars, line] = [await boxOf(bar().locator('svg')), await boxOf(chart().locator('svg'))];
    expect([line.x, line.width]).to.deep.equal([bars.x, bars.width]);
    expect(await accessibilityFaults(visit.page)).to.deep.equal([]);
    await visit.page.setViewportSize({ width: 1_440, height: 900 });
    expectNoComplaints(visit);
  });
});
