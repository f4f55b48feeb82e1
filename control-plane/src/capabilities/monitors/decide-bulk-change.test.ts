import { expect } from 'chai';
import fc from 'fast-check';
import { type BulkSettings, decideBulkChange, decideTagFaults } from './decide-bulk-change.js';
import { normalizeTags } from './settings/tags.js';

const tags = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'team:web'), { maxLength: 5 }).map(normalizeTags);
const monitor: fc.Arbitrary<BulkSettings> = fc.record({
  monitoringStatus: fc.constantFrom('enabled', 'paused', 'disabled'),
  tags,
});
const change = fc.record({ action: fc.constantFrom('pause', 'resume', 'addTags', 'removeTags'), tags });

describe('a bulk change', () => {
  it('changes nothing when it is made again', () => {
    fc.assert(
      fc.property(monitor, change, (before, what) => {
        const after = { ...before, ...decideBulkChange(what, before) };
        expect(decideBulkChange(what, after)).to.equal(undefined);
      }),
    );
  });

  it('leaves disabled monitors disabled', () => {
    fc.assert(
      fc.property(monitor, change, (before, what) => {
        fc.pre(before.monitoringStatus === 'disabled');
        expect(decideBulkChange(what, before)?.monitoringStatus).to.equal(undefined);
      }),
    );
  });

  it('adds and removes exactly the tags that it names, and keeps them in order', () => {
    fc.assert(
      fc.property(monitor, tags, (before, named) => {
        const added = decideBulkChange({ action: 'addTags', tags: named }, before)?.tags ?? before.tags;
        expect(added).to.deep.equal(normalizeTags([...before.tags, ...named]));
        const removed = decideBulkChange({ action: 'removeTags', tags: named }, before)?.tags ?? before.tags;
        expect(removed).to.deep.equal(before.tags.filter((one) => !named.includes(one)));
      }),
    );
  });

  it('is refused for each monitor that would have more than 20 tags', () => {
    const many = Array.from({ length: 21 }, (_, index) => `tag-${index}`);
    const after = [
      { id: 'one', after: { tags: many } },
      { id: 'two', after: { tags: many.slice(1) } },
      { id: 'three', after: {} },
    ];
    expect(decideTagFaults(after)).to.deep.equal([
      { path: 'tags', message: 'would give the monitor one 21 tags, and it can have 20' },
    ]);
  });
});
