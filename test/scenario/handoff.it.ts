import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { breakDown, type Person, repair, type Site, startStage } from './stage.js';

/** The Sundays on which the clocks in Berlin change, with the UTC time of nine o'clock in Berlin that day and the day before. */
const SUNDAYS = [
  { name: 'forward', before: '2027-03-27T08:00:00Z', handoff: '2027-03-28T07:00:00Z', after: '2027-03-29T07:00:00Z' },
  { name: 'back', before: '2026-10-24T07:00:00Z', handoff: '2026-10-25T08:00:00Z', after: '2026-10-26T08:00:00Z' },
];

describe('a handoff at nine in Berlin on the Sunday of a clock change', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  let site: Site;
  let people: Person[];

  /** The turn of the first of three people begins on the day before the clocks change. */
  async function begin(beforeMs: number): Promise<void> {
    world = await stage.newWorld(beforeMs - MINUTE_MS);
    site = await stage.watch(world);
    people = [];
    for (const name of ['ann', 'bob', 'cyd']) people.push(await stage.join(world, name));
    const path = await stage.routeTo(world, site, { turns: people });
    const startDate = new Date(beforeMs).toISOString().slice(0, 10);
    expect((await world.api('PUT', `${path}/schedule`, { startDate })).status).to.equal(200);
  }

  /** @returns who is paged for an outage at this moment, which ends before the second page */
  async function pagedAt(atMs: number): Promise<number[]> {
    stage.app.clock.set(atMs);
    const before = people.map((person) => stage.heard(person));
    await breakDown(stage, world, site);
    const paged = people.flatMap((person, index) => (stage.heard(person) > before[index]! ? [index] : []));
    await repair(stage, site);
    return paged;
  }

  for (const { name, before, handoff, after } of SUNDAYS) {
    it(`follows the local time: one person is paged until nine and the next from nine on (clocks go ${name})`, async () => {
      const [first, second, third] = [before, handoff, after].map((text) => Date.parse(text));
      await begin(first!);
      // The site breaks a second after the given time.
      expect(await pagedAt(first!)).to.deep.equal([0]);
      expect(await pagedAt(second! - 2 * MINUTE_MS), 'just before nine').to.deep.equal([0]);
      expect(await pagedAt(second! - SECOND_MS), 'at nine').to.deep.equal([1]);
      expect(await pagedAt(second! + 2 * MINUTE_MS), 'just after nine').to.deep.equal([1]);
      expect(await pagedAt(third! - 2 * MINUTE_MS), 'just before nine of the next day').to.deep.equal([1]);
      expect(await pagedAt(third! - SECOND_MS), 'at nine of the next day').to.deep.equal([2]);
    });

    it(`hands over the pages of an outage that nobody has acknowledged (clocks go ${name})`, async () => {
      await begin(Date.parse(before));
      stage.app.clock.set(Date.parse(handoff) - 5 * MINUTE_MS - SECOND_MS);
      await breakDown(stage, world, site);
      expect(people.map((person) => stage.heard(person))).to.deep.equal([1, 0, 0]);
      await stage.pass(10 * MINUTE_MS, site);
      expect(people.map((person) => stage.heard(person))).to.deep.equal([1, 1, 0]);
      await repair(stage, site);
      expect(
        people.map((person) => stage.heard(person)),
        'both are notified of the recovery',
      ).to.deep.equal([2, 2, 0]);
    });
  }
});
