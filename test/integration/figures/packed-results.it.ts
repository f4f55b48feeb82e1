import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { eraseResults } from '@watchpost/control-plane/capabilities/figures/index';
import { packingStore } from '@watchpost/control-plane/capabilities/figures/packing/packing-store';
import type { Tx } from '@watchpost/control-plane/platform/db/database';
import { arrivalsOf, comparePacking, Installation, START } from './packing-pair.js';

const DAYS = 2;
const END = START + (DAYS + 3) * DAY_MS;

describe('Packed results', function () {
  let plain: Installation;
  let packing: Installation;

  beforeEach(async () => {
    [plain, packing] = await Promise.all([Installation.create(), Installation.create()]);
  });
  afterEach(() => Promise.all([plain.drop(), packing.drop()]));

  /** Ingests everything, rolls it up and packs what is due. */
  async function fill(installation: Installation): Promise<void> {
    installation.deps.clock.set(END);
    await installation.ingest(arrivalsOf(3, DAYS, 2 * HOUR_MS));
    await installation.rollUp();
    await installation.packAll();
  }

  it('answer everything as rows do, with late and repeated results before, while and after they are packed', async () => {
    let state = 5;
    const next = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    await comparePacking({ plain, packing }, arrivalsOf(11, DAYS, 3 * HOUR_MS), END, next);
    expect(await packing.count('packed_result')).to.be.greaterThan(0);
  });

  it('are not missed by any reader: all of them read `result_row`', async () => {
    const sources = new URL('../../../../control-plane/src/capabilities/', import.meta.url);
    const files = (await readdir(sources, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const readers = [];
    for (const file of files)
      if (/\b(FROM|JOIN) check_result\b/.test(await readFile(new URL(file, sources), 'utf8'))) readers.push(file);
    expect(files).to.have.length.greaterThan(100);
    expect(readers).to.deep.equal([]);
  });

  it('leave no row of their days behind, and late results are merged into them', async () => {
    await fill(packing);
    await fill(plain);
    expect(await packing.count('packed_result')).to.be.greaterThan(0);
    expect(await packing.rowsOfPackedDays()).to.equal(0);
    const late = arrivalsOf(4, DAYS, 100 * MINUTE_MS);
    for (const installation of [plain, packing]) installation.deps.clock.set(END + HOUR_MS);
    expect(await packing.ingest(late)).to.equal(await plain.ingest(late));
    expect(await packing.rowsOfPackedDays()).to.be.greaterThan(0);
    expect(await packing.answers(0, START, END)).to.deep.equal(await plain.answers(0, START, END));
    await packing.packAll();
    plain.deps.clock.set(packing.deps.clock.now());
    expect(await packing.rowsOfPackedDays()).to.equal(0);
    expect(await packing.count('late_result')).to.equal(0);
    expect(await packing.answers(0, START, END)).to.deep.equal(await plain.answers(0, START, END));
  });

  it('are merged with late results in the order of an index, without a search through all that wait', async () => {
    const { db } = packing.deps;
    await db.transaction(async (tx) => {
      await tx.query(`INSERT INTO late_result (monitor_key, day)
        SELECT monitor, 'epoch'::timestamptz + day * interval '1 day'
        FROM generate_series(2000, 1, -1) AS monitor, generate_series(10, 1, -1) AS day, generate_series(1, 2)`);
    });
    await db.read((tx) => tx.query('VACUUM ANALYZE late_result'));
    const plans: string[] = [];
    const taken = await db.transaction(async (tx) => {
      const explaining: Tx = {
        ...tx,
        query: async <Row extends object>(sql: string, params?: readonly unknown[]) => {
          const lines = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, params);
          plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
          return tx.query<Row>(sql, params);
        },
      };
      expect(await packingStore.hasLate(explaining)).to.equal(true);
      return [...(await packingStore.takeLate(explaining, 4)), ...(await packingStore.takeLate(explaining, 2))];
    });
    expect(taken).to.deep.equal([1, 2, 3, 4, 5, 6].map((monitorKey) => ({ monitorKey, day: 1 })));
    expect(await packing.count('late_result')).to.equal(40_000 - 2 * 6);
    for (const plan of plans) expect(plan).to.include('late_result_day_idx').and.to.not.include('Seq Scan');
  });

  it('are erased with their monitor, and are dropped by the day after retention', async () => {
    await fill(packing);
    const [erased, kept] = packing.monitors;
    await eraseResults(packing.deps, [erased!.key]);
    expect(await packing.count(`packed_result WHERE monitor_key = ${erased!.key}`)).to.equal(0);
    expect(await packing.count(`packed_result WHERE monitor_key = ${kept!.key}`)).to.be.greaterThan(0);
    packing.deps.clock.set(END + 36 * DAY_MS);
    await packing.deps.partitions.dropExpired();
    expect(await packing.count(`pg_class WHERE relname ~ '^packed_result_p[0-9]{8}$'`)).to.equal(0);
    await packing.packAll();
  });
});
