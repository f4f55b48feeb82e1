import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import {
  AWAIT_MOST_MS,
  type AttachmentMemory,
  type Cause,
  decideAttachment,
  type Failure,
  NO_CAUSES,
  OUTLAST_MS,
} from './decide-attachment.js';

const NOW = Date.UTC(2026, 10, 23);
const fails: Failure = { signal: 'failing', sinceMs: NOW };
const works: Cause = { incident: null, mayFail: true, isFailing: false, checkedMs: NOW + 1 };
const incident = (id: string, startedMs = NOW) => ({ id, startedMs });
const decide = (
  causes: readonly Cause[],
  {
    memory = {},
    failure = fails,
    endedMs = null,
    atMs = NOW,
  }: {
    memory?: AttachmentMemory;
    failure?: Failure;
    endedMs?: number | null;
    atMs?: number;
  } = {},
) => decideAttachment(memory, failure, { causes, attachedEndedMs: endedMs }, atMs);

describe('The failure of a monitor', () => {
  it('is one of its own without causes, and where every cause was seen to work since', () => {
    expect(decide([])).to.include({ outcome: 'own', attach: null });
    expect(decide([works, works])).to.include({ outcome: 'own', attach: null });
  });

  it('is attached to the incident of a cause that began first, and stays with it', () => {
    const causes = [works, { ...works, incident: incident('b', NOW - 1) }, { ...works, incident: incident('a') }];
    const decided = decide(causes);
    expect(decided).to.include({ outcome: 'attached', attach: 'b' });
    const earlier = [...causes, { ...works, incident: incident('c', NOW - 9) }];
    expect(decide(earlier, decided)).to.include({ outcome: 'attached', attach: null, detach: null });
  });

  it('awaits a cause that was not checked since, or that began to fail, and no other one', () => {
    for (const cause of [
      { ...works, checkedMs: NOW - 1 },
      { ...works, isFailing: true },
    ])
      expect(decide([works, cause])).to.include({ outcome: 'awaiting', decideAtMs: NOW + 5 * SECOND_MS });
    // Paused, in maintenance or closed by a person; never checked, or silent.
    for (const cause of [
      { ...works, isFailing: true, mayFail: false },
      { ...works, isFailing: true, checkedMs: null },
    ])
      expect(decide([cause])).to.include({ outcome: 'own' });
  });

  it('becomes one of its own a minute after the incident ended, unless another one explains it', () => {
    const memory = { attachedTo: 'a' };
    const endedMs = NOW;
    const last = decide([works], { memory, endedMs, atMs: NOW + OUTLAST_MS - 1 });
    expect(last).to.include({ outcome: 'attached', detach: null, decideAtMs: NOW + OUTLAST_MS });
    expect(decide([works], { memory, endedMs, atMs: NOW + OUTLAST_MS })).to.deep.include({
      outcome: 'own',
      detach: 'a',
      memory: {},
    });
    const other = [{ ...works, incident: incident('b') }];
    expect(decide(other, { memory, endedMs, atMs: NOW + OUTLAST_MS })).to.include({ attach: 'b', detach: 'a' });
  });

  it('that recovers is attached to nothing; silence changes nothing', () => {
    const memory = { attachedTo: 'a' };
    expect(decide([], { memory, failure: { signal: 'fine', sinceMs: null } })).to.deep.include({
      memory: {},
      detach: 'a',
    });
    const silent = decide([], { memory, failure: { signal: 'unclear', sinceMs: null } });
    expect(silent).to.deep.include({ memory, outcome: 'attached', detach: null });
  });

  it('is never lost: it is attached to what goes on, or ended within a minute, or awaits at most 90 s', () => {
    const happening = fc.record({
      passMs: fc.integer({ min: 1, max: 40 * SECOND_MS }),
      signal: fc.constantFrom<Failure['signal']>('failing', 'failing', 'failing', 'unclear', 'fine'),
      // Whether the incident of each of two causes goes on, and what its checks show.
      causes: fc.tuple(...['a', 'b'].map(() => fc.constantFrom('incident', 'works', 'fails', 'unchecked', 'paused'))),
    });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        let memory: AttachmentMemory = {};
        let nowMs = NOW;
        let awaitedMs: number | null = null;
        let unexplainedMs: number | null = null;
        const attached: string[] = [];
        const endedMs = new Map<string, number>();
        for (const { passMs, signal, causes: states } of happenings) {
          nowMs += passMs;
          const causes = states.map((state, index): Cause => {
            const id = 'ab'[index]!;
            if (state === 'incident') endedMs.delete(id);
            else if (!endedMs.has(id)) endedMs.set(id, nowMs);
            return {
              incident: state === 'incident' ? incident(id) : null,
              mayFail: state !== 'paused',
              isFailing: state === 'fails',
              checkedMs: state === 'unchecked' ? NOW - MINUTE_MS : nowMs,
            };
          });
          const attachedEndedMs = endedMs.get(memory.attachedTo ?? '') ?? null;
          const input = [{ signal, sinceMs: nowMs }, { ...NO_CAUSES, causes, attachedEndedMs }, nowMs] as const;
          const decided = decideAttachment(memory, ...input);
          const again = decideAttachment(decided.memory, ...input);
          if (decided.outcome !== 'own')
            expect(again).to.deep.equal({ ...decided, attach: null, detach: null }, 'deciding again changes something');
          if (decided.detach !== null) expect(attached.splice(0)).to.deep.equal([decided.detach]);
          if (decided.attach !== null) attached.push(decided.attach);
          expect(attached).to.deep.equal(decided.memory.attachedTo === undefined ? [] : [decided.memory.attachedTo]);
          memory = decided.memory;
          const isExplained = states.includes('incident');
          if (isExplained) unexplainedMs = null;
          if (signal !== 'failing') {
            if (signal === 'fine') awaitedMs = unexplainedMs = null;
            continue;
          }
          if (decided.outcome === 'awaiting') expect(nowMs - (awaitedMs ??= nowMs)).to.be.below(AWAIT_MOST_MS);
          else awaitedMs = null;
          if (!isExplained) unexplainedMs ??= nowMs;
          expect(decided.outcome === 'attached' || !isExplained, 'explained and not attached').to.equal(true);
          if (decided.outcome === 'attached' && !isExplained) {
            expect(decided.decideAtMs).to.be.greaterThan(nowMs);
            expect(nowMs - unexplainedMs!).to.be.below(OUTLAST_MS);
          }
          if (decided.outcome === 'own') awaitedMs = unexplainedMs = null;
        }
      }),
    );
  });
});
