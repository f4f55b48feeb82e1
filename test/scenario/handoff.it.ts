import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { World } from '../support/seed.js';
import { breakDown, type Person, repair, type Site, type Stage, startStage } from './stage.js';

/** The Sundays on which Berlin moves its clocks, and when nine o'clock is there in UTC that day and the day before. */
const SUNDAYS = [
  { name: 'forward', before: '2027-03-27T08:00:00Z', handoff: '2027-03-28T07:00:00Z', after: '2027-03-29T07:00:00Z' },
  { name: 'back', before: '2026-10-24T07:00:00Z', handoff: '2026-10-25T08:00:00Z', after: '2026-10-26T08:00:00Z' },
];

describe('a handoff at nine in Berlin', () => {
  let stage: Stage;
  let world: World;
  let site: Site;
  let people: Person[];

  before(async () => {
    stage = await startStage();
  });
  after(() => stage.stop());

  /** The first of three takes over on the day before the clocks change. */
  async function begin(beforeMs: number): Promise<void> {
    world = await stage.newWorld(beforeMs - MINUTE_MS);
    site = await stage.watch(world);
    people = [];
    for (const name of ['ann', 'bob', 'cyd']) people.push(await stage.join(world, name));
    const path = await stage.routeTo(world, site, { turns: people });
    const startDate = new Date(beforeMs).toISOString().slice(0, 10);
    expect((await world.api('PUT', `${path}/schedule`, { startDate })).status).to.equal(200);
  }

  /** Who is paged for an outage at this moment; it is over before anybody is paged again. */
  async function pagedAt(atMs: number): Promise<number[]> {
    stage.app.clock.set(atMs);
    const before = people.map((person) => stage.heard(person));
    await breakDown(stage, world, site);
    const paged = people.flatMap((person, index) => (stage.heard(person) > before[index]! ? [index] : []));
    await repair(stage, site);
    return paged;
  }

  for (const { name, before, handoff, after } of SUNDAYS) {
    it(`on the Sunday on which the clocks go ${name} pages one until nine on the wall, and the next from then on`, async () => {
      const [first, second, third] = [before, handoff, after].map((text) => Date.parse(text));
      await begin(first!);
      // The site breaks a second after the moment that is named.
      expect(await pagedAt(first!)).to.deep.equal([0]);
      expect(await pagedAt(second! - 2 * MINUTE_MS), 'just before').to.deep.equal([0]);
      expect(await pagedAt(second! - SECOND_MS), 'at nine').to.deep.equal([1]);
      expect(await pagedAt(second! + 2 * MINUTE_MS), 'just after').to.deep.equal([1]);
      expect(await pagedAt(third! - 2 * MINUTE_MS), 'before the next').to.deep.equal([1]);
      expect(await pagedAt(third! - SECOND_MS), 'at the next').to.deep.equal([2]);
    });

    it(`on that Sunday hands over an outage that nobody acknowledges (${name})`, async () => {
      await begin(Date.parse(before));
      stage.app.clock.set(Date.parse(handoff) - 5 * MINUTE_MS - SECOND_MS);
      await breakDown(stage, world, site);
      expect(people.map((person) => stage.heard(person))).to.deep.equal([1, 0, 0]);
      await stage.pass(10 * MINUTE_MS, site);
      expect(people.map((person) => stage.heard(person))).to.deep.equal([1, 1, 0]);
      await repair(stage, site);
      expect(
        people.map((person) => stage.heard(person)),
        'both hear that it is over',
      ).to.deep.equal([2, 2, 0]);
    });
  }
});
