import { expect } from 'chai';
import fc from 'fast-check';
import { decideSystems } from './decide-systems.js';
import type { GroupsInput } from './status-page-schemas.js';

const TARGETS = ['m1', 'm2', 'm3', 'm4'];
/** Each target once at most, in one of three groups. */
const given = fc.tuple(fc.shuffledSubarray(TARGETS), fc.infiniteStream(fc.nat({ max: 2 }))).map(([targets, groups]) => {
  const placed = targets.map((monitorId) => ({ monitorId, group: groups.next().value as number }));
  return [0, 1, 2].map((index) => placed.filter(({ group }) => group === index).map(({ monitorId }) => monitorId));
});
const groupsOf = (targets: readonly string[][]): GroupsInput =>
  targets.map((members, index) => ({
    name: `Group ${index}`,
    systems: members.map((monitorId) => ({ name: monitorId, monitorId })),
  }));

function counter(): () => string {
  let count = 0;
  return () => `new ${++count}`;
}

describe('the systems of a page after a change', () => {
  it('keep the id of what was shown before, each id once, and stand where they were put', () => {
    fc.assert(
      fc.property(given, given, (before, after) => {
        const next = counter();
        const first = decideSystems(groupsOf(before), [], next).systems;
        const { systems, faults } = decideSystems(groupsOf(after), first, next);
        expect(faults).to.deep.equal([]);
        expect(new Set(systems.map(({ id }) => id)).size).to.equal(systems.length);
        expect(systems.map(({ groupIndex, place, monitorId }) => [groupIndex, place, monitorId])).to.deep.equal(
          after.flatMap((members, groupIndex) => members.map((monitorId, place) => [groupIndex, place, monitorId])),
        );
        const known = new Set(first.map(({ id }) => id));
        for (const monitorId of TARGETS) {
          const had = first.filter((system) => system.monitorId === monitorId).length;
          const has = systems.filter((system) => system.monitorId === monitorId);
          expect(has.filter(({ id }) => known.has(id)).length).to.equal(Math.min(had, has.length));
        }
      }),
    );
  });

  it('change nothing where the same is given again', () => {
    fc.assert(
      fc.property(given, (targets) => {
        const next = counter();
        const { systems } = decideSystems(groupsOf(targets), [], next);
        expect(decideSystems(groupsOf(targets), systems, next).systems).to.deep.equal(systems);
      }),
    );
  });

  it('show each target once: a second system for it is refused', () => {
    const groups = groupsOf([['m1', 'm2'], ['m3', 'm1'], ['m1']]);
    groups[2]!.systems.push({ name: 'Group', serviceGroupId: 'm2' }, { name: 'Again', serviceGroupId: 'm2' });
    expect(decideSystems(groups, [], counter()).faults.map(({ path }) => path)).to.deep.equal([
      'groups.1.systems.1.monitorId',
      'groups.2.systems.0.monitorId',
      'groups.2.systems.1.serviceGroupId',
      'groups.2.systems.2.serviceGroupId',
    ]);
  });

  it('refuse an id that the page does not have, and one given twice', () => {
    const [known] = decideSystems(groupsOf([['m1']]), [], counter()).systems;
    const systems = [
      { id: known!.id, name: 'Shop', monitorId: 'm1' },
      { id: known!.id, name: 'Shop', monitorId: 'm2' },
      { id: 'nobody', name: 'Shop', monitorId: 'm3' },
    ];
    const { faults } = decideSystems([{ name: 'All', systems }], [known!], counter());
    expect(faults.map(({ path }) => path)).to.deep.equal(['groups.0.systems.1.id', 'groups.0.systems.2.id']);
  });
});
