import { expect } from 'chai';
import fc from 'fast-check';
import type { Tx } from '../../../platform/db/database.js';
import { BoundedReads } from './bounded-reads.js';

const MOST = 3;

const steps = fc.array(
  fc.oneof(fc.record({ begin: fc.boolean() }), fc.record({ end: fc.nat({ max: MOST - 1 }), fails: fc.boolean() })),
  { maxLength: 60 },
);

describe('the reads of assignments', () => {
  it('are so many at a time at most, urgent ones first, each group in the order in which the walks began', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const running: { id: number; isUrgent: boolean; end(error?: Error): void }[] = [];
        const waiting: { id: number; isUrgent: boolean }[] = [];
        const reads = new BoundedReads({ read: (work) => work({} as Tx) }, MOST);
        const done: Promise<unknown>[] = [];
        const started: number[] = [];
        let id = 0;
        const settle = () => new Promise((resolve) => setImmediate(resolve));
        for (const step of given) {
          if ('begin' in step) {
            const own = { id: id++, isUrgent: step.begin };
            waiting.push(own);
            const work = () =>
              new Promise<void>((resolve, reject) => {
                started.push(own.id);
                running.push({ ...own, end: (error) => (error ? reject(error) : resolve()) });
              });
            done.push(
              reads
                .begin(own.isUrgent)
                .read(work)
                .catch(() => undefined),
            );
          } else {
            const [ended] = running.splice(step.end, 1);
            ended?.end(step.fails ? new Error('the database is away') : undefined);
          }
          await settle();
          for (const startedId of started.slice(id - waiting.length)) {
            const next = waiting.find(({ isUrgent }) => isUrgent) ?? waiting[0]!;
            expect(startedId).to.equal(next.id);
            waiting.splice(waiting.indexOf(next), 1);
          }
          expect(running.length).to.be.at.most(MOST);
          expect(reads.depth).to.equal(id - started.length);
          if (reads.depth > 0) expect(running.length).to.equal(MOST);
        }
        while (running.length > 0) {
          for (const one of running.splice(0)) one.end();
          await settle();
        }
        await Promise.all(done);
        expect(started).to.have.length(id);
      }),
      { numRuns: 100 },
    );
  });
});
