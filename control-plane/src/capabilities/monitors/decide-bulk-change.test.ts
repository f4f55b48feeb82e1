import { expect } from 'chai';
import fc from 'fast-check';
import { type BulkSettings, decideBulkChange, decideTagFaults } from './decide-bulk-change.js';
import { DEFAULT_SETTINGS } from './settings/monitor-settings.js';
import { normalizeTags } from './settings/tags.js';

const tags = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'team:web'), { maxLength: 5 }).map(normalizeTags);
const intervalMs = fc.constantFrom(60_000, 300_000);
const monitor: fc.Arbitrary<BulkSettings> = fc
  .record({ monitoringStatus: fc.constantFrom('enabled', 'paused', 'disabled'), tags, checkIntervalMs: intervalMs })
  .map((given) => ({ ...DEFAULT_SETTINGS, ...given }));
const change = fc.record({
  action: fc.constantFrom('pause', 'resume', 'addTags', 'removeTags', 'update'),
  tags,
  settings: fc.record({ checkInterval: intervalMs, checkTimeout: fc.constantFrom(null, 10_000) }),
});

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

  it('sets what it names, and the default where that is null', () => {
    const settings = { checkInterval: 60_000, checkTimeout: null };
    const before = { ...DEFAULT_SETTINGS, checkTimeoutMs: 10_000 };
    expect(decideBulkChange({ action: 'update', settings }, before)).to.deep.equal({
      checkIntervalMs: 60_000,
      checkTimeoutMs: DEFAULT_SETTINGS.checkTimeoutMs,
    });
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
