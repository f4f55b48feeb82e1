import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { BROKEN } from '../integration/results/seed.js';
import { acknowledgeLinkIn, type Person, type Site, startStage } from './stage.js';
import type { World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';

describe('simultaneous incidents', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  let ann: Person;

  beforeEach(async () => {
    world = await stage.newWorld();
    ann = await stage.join(world, 'ann', { hasPhone: true });
  });

  async function sitesOf(count: number): Promise<Site[]> {
    const sites: Site[] = [];
    for (let index = 1; index <= count; index++) {
      sites.push(await stage.watch(world, `Site ${index}`));
      await stage.routeTo(world, sites.at(-1)!, { turns: [ann], name: `Team ${index}` });
    }
    return sites;
  }
  async function breakAll(sites: readonly Site[]): Promise<void> {
    stage.app.clock.advance(SECOND_MS);
    for (const site of sites) site.answers = BROKEN;
    await stage.check(...sites);
  }
  const texts = () => stage.texts(ann.phone!).map(({ text }) => text);

  it('page the person on call in one message, and acknowledging one does not stop the pages of the other', async () => {
    const sites = await sitesOf(2);
    await breakAll(sites);
    expect(texts()).to.have.length(1);
    expect(texts()[0]).to.include('Down: Site 1').and.include('Down: Site 2');
    expect(stage.mails(ann.email)).to.have.length(1);
    const ofFirst = stage
      .mails(ann.email)[0]!
      .text.split('* ')
      .find((part) => part.startsWith('Down: Site 1'))!;
    expect((await fetch(acknowledgeLinkIn(ofFirst), { method: 'POST' })).status).to.equal(200);
    await stage.pass(10 * MINUTE_MS, ...sites);
    expect(texts().slice(1)).to.have.length(1);
    expect(texts()[1]).to.include('Down: Site 2').and.not.include('Site 1');
  });

  it('send a phone at most five texts in 15 minutes, then one summary of the rest', async () => {
    const sites = await sitesOf(8);
    for (const site of sites) await breakAll([site]);
    expect(texts()).to.have.length(5);
    expect(stage.mails(ann.email), 'one mail for each').to.have.length(8);
    await stage.pass(15 * MINUTE_MS - 8 * SECOND_MS, ...sites);
    expect(texts(), 'no further text for the second page').to.have.length(5);
    await stage.pass(SECOND_MS, ...sites);
    expect(texts()).to.have.length(6);
    const summary = texts()[5]!;
    expect(summary).to.match(/^Watchpost: 11 alerts: /);
    const named = (text: string) => [...text.matchAll(/Site (\d)/g)].map((match) => match[1]!);
    const sitesInTexts = new Set(texts().flatMap(named));
    expect([...sitesInTexts].toSorted(), 'the texts name every site').to.deep.equal(
      Array.from({ length: 8 }, (_, index) => String(index + 1)),
    );
    expect(stage.mails(ann.email), 'one more mail for all after ten minutes').to.have.length(9);

    // The link acknowledges all incidents of the text.
    const page = await fetch(acknowledgeLinkIn(summary), { headers: { accept: 'text/html' } });
    expect(named(await page.text())).to.include.members([...sitesInTexts]);
  });
});
