import { expect } from 'chai';
import fc from 'fast-check';
import type { Tx } from '../../../platform/db/database.js';
import { BoundedReads } from './bounded-reads.js';

const MOST = 3;

const settle = () => new Promise((resolve) => setImmediate(resolve));

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

  it('are joined while they wait, where they are urgent and ask for parts of the same', async () => {
    const ran: { name: string; keys: readonly number[]; end(error?: Error): void }[] = [];
    const reads = new BoundedReads({ read: (work) => work({} as Tx) }, 1);
    const ask = (name: string, keys: readonly number[], isUrgent = true) =>
      reads.begin(isUrgent).readJoined({
        name,
        keys,
        mostKeys: 4,
        run: (_, all) =>
          new Promise<readonly number[]>((resolve, reject) => {
            // What is asked for after the start is for another read.
            const own = [...all];
            ran.push({ name, keys: own, end: (error) => (error ? reject(error) : resolve(own)) });
          }),
        make: (read) => read,
      });
    const asked = [
      ask('a', [1]),
      ask('calm', [1], false),
      ask('calm', [2], false),
      ask('a', [2, 3]),
      ask('b', [2]),
      ask('a', [4]),
      ask('a', [5, 6]),
      ask('a', [7]),
      ask('long', [1, 2, 3, 4, 5]),
      ask('long', [6]),
    ];
    const answers = Promise.allSettled(asked);
    await settle();
    for (let next = 0; next < ran.length; next++) {
      ran[next]!.end(ran[next]!.name === 'b' ? new Error('the database is away') : undefined);
      await settle();
    }
    expect(ran.map(({ name, keys }) => `${name} ${keys.join(' ')}`)).to.deep.equal([
      'a 1',
      'a 2 3 4 7',
      'b 2',
      'a 5 6',
      'long 1 2 3 4 5',
      'long 6',
      'calm 1',
      'calm 2',
    ]);
    expect(
      (await answers).map((answer) => (answer.status === 'fulfilled' ? answer.value.join(' ') : 'failed')),
    ).to.deep.equal(['1', '1', '2', '2 3 4 7', 'failed', '2 3 4 7', '5 6', '2 3 4 7', '1 2 3 4 5', '6']);
    expect(reads.depth).to.equal(0);
  });

  it('fail all together where they were joined', async () => {
    let end: ((error: Error) => void) | undefined;
    const reads = new BoundedReads({ read: (work) => work({} as Tx) }, 1);
    const ask = () => {
      const run = () => new Promise<never>((_, reject) => (end = reject));
      return reads.begin(true).readJoined({ name: 'a', keys: [1], mostKeys: 4, run, make: (read) => read });
    };
    const reasons = [ask(), ask(), ask()].map((one) => one.catch(({ message }: Error) => message));
    await settle();
    end!(new Error('first'));
    await settle();
    end!(new Error('second'));
    expect(await Promise.all(reasons)).to.deep.equal(['first', 'second', 'second']);
  });
});
