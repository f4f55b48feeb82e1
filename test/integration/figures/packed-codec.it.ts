import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS } from '@watchpost/shared/time';
import { packSeries, type SeriesColumns } from '@watchpost/control-plane/capabilities/figures/packing/pack-series';
import { packingStore } from '@watchpost/control-plane/capabilities/figures/packing/packing-store';
import { dayOf } from '@watchpost/control-plane/capabilities/results/partitions/partition-store';
import { NOON } from '../../support/database.js';
import { databaseForSuite } from '../../support/suite.js';

const DAY = dayOf(NOON);
const START = DAY * DAY_MS;
const COLUMNS = [
  'total_us',
  'dns_us',
  'connect_us',
  'tls_us',
  'first_byte_us',
  'transfer_us',
  'agent_key',
  'start_lag_ms',
  'fresh_s',
  'status_code',
  'outcome',
] as const;
type Row = Record<(typeof COLUMNS)[number] | 'ms', number>;

const int4 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
const int2 = { min: -(2 ** 15), max: 2 ** 15 - 1 };
/** Mostly like each other, some far away, and any number of the type. */
const valueOf = (type: typeof int4) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1_000, max: 1_200 }) },
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer(type) },
  );
const row = fc.record({
  ...(Object.fromEntries(COLUMNS.map((column, index) => [column, valueOf(index < 7 ? int4 : int2)])) as Record<
    (typeof COLUMNS)[number],
    fc.Arbitrary<number>
  >),
  ms: fc.oneof(
    fc.integer({ min: 0, max: 1_439 }).map((minute) => minute * 60_000 + 417),
    fc.nat(DAY_MS - 1),
  ),
});
const series: fc.Arbitrary<Row[]> = fc
  .uniqueArray(row, { selector: ({ ms }) => ms, minLength: 1, maxLength: 60 })
  .map((rows) => rows.toSorted((a, b) => a.ms - b.ms).map((own) => ({ ...own, ms: START + own.ms })));

function columnsOf(rows: readonly Row[]): SeriesColumns {
  const columns = Object.fromEntries(
    COLUMNS.map((column) => [column, Int32Array.from(rows, (own) => own[column])]),
  ) as unknown as Omit<SeriesColumns, 'scheduledMs'>;
  return { scheduledMs: Float64Array.from(rows, ({ ms }) => ms), ...columns };
}

describe('The encoding of packed results', () => {
  const test = databaseForSuite();

  before(() => test.database.transaction((tx) => packingStore.begin(tx, DAY)));

  /** Packs the rows and reads those in the range back, in order. */
  async function packAndRead(rows: readonly Row[], fromMs: number, toMs: number): Promise<Row[]> {
    return test.database.transaction(async (tx) => {
      const key = { monitorKey: 7, kind: 1, region: 3 };
      await packingStore.deletePacked(tx, DAY, [7]);
      await packingStore.insert(
        tx,
        packSeries(columnsOf(rows)).map((packed) => ({ ...key, ...packed })),
      );
      return tx.query<Row>(
        `SELECT (extract(epoch FROM scheduled_at) * 1000)::bigint AS ms, ${COLUMNS.join(', ')}
         FROM unpacked_result(ARRAY[7], $1, $2, 'infinity') WHERE kind = 1 AND region = 3 ORDER BY scheduled_at`,
        [new Date(fromMs), new Date(toMs)],
      );
    });
  }

  it('returns every column of every result exactly, in any range', async () => {
    await fc.assert(
      fc.asyncProperty(series, fc.nat(DAY_MS), fc.nat(DAY_MS), async (rows, first, second) => {
        expect(await packAndRead(rows, START, START + DAY_MS)).to.deep.equal(rows);
        const [fromMs, toMs] = [START + Math.min(first, second), START + Math.max(first, second)];
        const inRange = rows.filter(({ ms }) => ms >= fromMs && ms < toMs);
        expect(await packAndRead(rows, fromMs, toMs)).to.deep.equal(inRange);
      }),
      { numRuns: 60 },
    );
  });

  it('splits a series of more than 4,096 results a day', async () => {
    const rows = Array.from({ length: 4_100 }, (_, index) => ({
      ...(Object.fromEntries(COLUMNS.map((column) => [column, index % 7])) as Row),
      ms: START + index * 20_000,
    }));
    expect(await packAndRead(rows, START, START + DAY_MS)).to.deep.equal(rows);
  });
});
