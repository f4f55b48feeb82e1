import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../../support/eventually.js';
import { arrivalsOf, comparePacking, Installation, START } from './packing-pair.js';

const END = START + 7 * DAY_MS;

describe('Packing', function () {
  this.timeout(1_800_000);

  async function withPair(use: (pair: { plain: Installation; packing: Installation }) => Promise<void>): Promise<void> {
    const [plain, packing] = await Promise.all([Installation.create(), Installation.create()]);
    try {
      await use({ plain, packing });
    } finally {
      await Promise.all([plain.drop(), packing.drop()]);
    }
  }

  it('changes no answer, whatever the order of results, late results, rollups, packing and reading', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (seed, numbers) => {
          const next = () => numbers.next().value as number;
          await withPair((pair) =>
            comparePacking(pair, arrivalsOf(seed, 2, 197 * MINUTE_MS), START + 5 * DAY_MS, next),
          );
        },
      ),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('is invisible to those who read, write and pack at the same time', async () => {
    await withPair(async ({ plain, packing }) => {
      const arrivals = arrivalsOf(21, 3, 10 * MINUTE_MS);
      const late = arrivals.filter((_, index) => index % 4 === 0);
      const onTime = arrivals.filter((_, index) => index % 4 !== 0);
      for (const installation of [plain, packing]) {
        installation.deps.clock.set(END);
        await installation.ingest(onTime);
        await installation.rollUp();
      }
      // Without a sub-select, as all readers: the planner inlines the function.
      const whole = `result_row(ARRAY[${packing.monitors.map(({ key }) => key).join(', ')}], '-infinity', 'infinity')`;
      const over = new AbortController();
      let reads = 0;
      const read = async () => {
        let most = 0;
        while (!over.signal.aborted) {
          const count = await packing.count(whole);
          expect(count, 'no result is ever missing').to.be.at.least(most);
          most = count;
          reads++;
        }
      };
      const write = async () => {
        for (let from = 0; from < late.length; from += 20) await packing.ingest(late.slice(from, from + 20));
      };
      const pack = async () => {
        for (let round = 0; round < 30; round++) {
          await packing.pack();
          packing.deps.clock.advance(MINUTE_MS);
        }
      };
      const readers = Promise.all([read(), read()]);
      readers.catch(() => {});
      try {
        await Promise.all([write(), pack(), pack()]);
        await eventually('there were reads', () => reads > 20 || undefined, 600_000);
      } finally {
        over.abort();
        await readers;
      }
      await plain.ingest(late);
      await packing.packAll();
      expect(await packing.rowsOfPackedDays()).to.equal(0);
      plain.deps.clock.set(packing.deps.clock.now());
      for (const monitor of [0, 1]) {
        const answers = await packing.answers(monitor, START, END);
        expect(answers).to.deep.equal(await plain.answers(monitor, START, END));
      }
    });
  });

  it('continues after its connection was cut off again and again, and leaves nothing half done', async () => {
    await withPair(async ({ plain, packing }) => {
      const arrivals = arrivalsOf(33, 3, 9 * MINUTE_MS);
      for (const installation of [plain, packing]) {
        installation.deps.clock.set(END);
        await installation.ingest(arrivals);
        await installation.rollUp();
      }
      let cuts = 0;
      const over = new AbortController();
      const cut = async () => {
        while (!over.signal.aborted) {
          cuts += await packing.count(
            `(SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND xact_start IS NOT NULL AND query ~ 'pack') AS cut`,
          );
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      };
      const cutting = cut();
      for (let round = 0; round < 12; round++) {
        await packing.pack().catch(() => 0);
        packing.deps.clock.advance(MINUTE_MS);
      }
      over.abort();
      await cutting;
      expect(cuts).to.be.greaterThan(0);
      await packing.packAll();
      expect(await packing.rowsOfPackedDays()).to.equal(0);
      plain.deps.clock.set(packing.deps.clock.now());
      for (const monitor of [0, 1]) {
        const period = [END - 6 * DAY_MS - HOUR_MS, END] as const;
        expect(await packing.answers(monitor, ...period)).to.deep.equal(await plain.answers(monitor, ...period));
      }
    });
  });
});
