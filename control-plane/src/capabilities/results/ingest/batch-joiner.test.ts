import { expect } from 'chai';
import { ManualClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { MovedTime } from '@watchpost/shared/moved-time';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { BatchJoiner, type JoinLimits } from './batch-joiner.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const LIMITS: JoinLimits = {
  everyMs: 20,
  atOnce: 2,
  countsForMs: 60_000,
  atMost: 3,
  size: { most: 100, least: 10, aimMs: 60_000 },
  alone: 50,
  lateMs: 60_000,
  lockTimeoutMs: 1_000,
  apart: { lockTimeoutMs: 100, lockedMs: 100 },
};

const agent = (name: string, region: Region = 'northeurope') => ({ agentId: name, agentKey: 1, region });
const batch = (count: number, scheduledAtMs = NOW): CheckResult[] =>
  Array.from({ length: count }, () => ({ scheduledAtMs }) as CheckResult);

interface Transaction {
  begunAt: number;
  agents: string[];
  results: number;
  commit(): void;
  fail(error: Error): void;
}

class Refused extends Error {}
class Locked extends Refused {}
const PORTS = {
  clock: new ManualClock(NOW),
  isOfAPart: (error: unknown) => error instanceof Refused,
  isLockConflict: (error: unknown) => error instanceof Locked,
  /** Ten monitors each. */
  ownersOf: (keys: readonly number[]) => Promise.resolve(new Map(keys.map((key) => [key, `${Math.floor(key / 10)}`]))),
  onUnstorable: () => undefined,
};

describe('the joiner of batches', () => {
  let transactions: Transaction[];
  let joiner: BatchJoiner;
  let time: MovedTime;
  /** The agents whose batches are committed, or failed with their error. */
  let ended: (string | [string, unknown])[];

  beforeEach(() => {
    [transactions, ended] = [[], []];
    time = new MovedTime();
    joiner = createJoiner(LIMITS);
  });
  afterEach(() => time.reset());

  const createJoiner = (limits: JoinLimits) => {
    // What begins after the test is not that of the next one.
    const own = transactions;
    return new BatchJoiner(
      {
        ...PORTS,
        ingest: (parts) =>
          new Promise<void>((resolve, reject) => {
            const agents = parts.map((part) => part.agent.agentId);
            const results = parts.reduce((sum, part) => sum + part.results.length, 0);
            own.push({ begunAt: performance.now(), agents, results, commit: resolve, fail: reject });
          }),
      },
      limits,
    );
  };
  const send = (from: ReturnType<typeof agent>, results: CheckResult[]) =>
    void joiner.ingest(from, results).then(
      () => ended.push(from.agentId),
      (error: unknown) => ended.push([from.agentId, error]),
    );
  const begun = async (count: number) => {
    await time.until(() => transactions.length >= count);
    return transactions[count - 1]!;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('puts what waits during a transaction into the next one, and resolves each batch after its commit', async () => {
    send(agent('a'), batch(3));
    const first = await begun(1);
    for (const name of ['b', 'c', 'd']) send(agent(name), batch(10));
    await settled();
    expect(transactions).to.have.length(1);
    first.commit();
    const second = await begun(2);
    expect(second).to.deep.include({ agents: ['b', 'c', 'd'], results: 30 });
    expect(ended).to.deep.equal(['a']);
    second.commit();
    await settled();
    expect(ended).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('starts no transaction sooner than the least time after the last one', async () => {
    for (let count = 1; count <= 4; count++) {
      send(agent('a'), batch(1));
      (await begun(count)).commit();
      await settled();
    }
    const [first] = transactions;
    expect(transactions.map(({ begunAt }) => begunAt - first!.begunAt)).to.deep.equal(
      [0, 1, 2, 3].map((count) => count * LIMITS.everyMs),
    );
  });

  it('waits no longer where the results of a whole transaction are there', async () => {
    send(agent('a'), batch(1));
    await begun(1);
    for (const name of ['b', 'c', 'd']) send(agent(name), batch(40));
    expect(transactions.map(({ agents }) => agents)).to.deep.equal([['a'], ['b', 'c']]);
  });

  it('takes batches in the order of their arrival, up to the greatest number of results', async () => {
    for (const name of ['a', 'b', 'c', 'd']) send(agent(name), batch(40));
    const first = await begun(1);
    expect(first.agents).to.deep.equal(['a', 'b']);
    first.commit();
    expect((await begun(2)).agents).to.deep.equal(['c', 'd']);
  });

  it('lets a transaction that takes long delay no other one, up to the most at once', async () => {
    send(agent('a'), batch(1));
    const slow = await begun(1);
    send(agent('b'), batch(1));
    const next = await begun(2);
    for (const name of ['c', 'd']) send(agent(name), batch(1));
    await time.pass(2 * LIMITS.everyMs);
    expect(transactions).to.have.length(2);
    next.commit();
    expect((await begun(3)).agents).to.deep.equal(['c', 'd']);
    expect(ended).to.deep.equal(['b']);
    slow.commit();
    await settled();
    expect(ended).to.deep.equal(['b', 'a']);
  });

  it('does not let transactions that wait for something delay others for long, up to the most at all', async () => {
    const impatient = createJoiner({ ...LIMITS, countsForMs: 50 });
    for (const name of ['a', 'b', 'c', 'd']) {
      void impatient.ingest(agent(name), batch(1));
      await settled();
      if (name !== 'd') await begun(name.charCodeAt(0) - 96);
    }
    const [first, , third] = transactions;
    expect(third!.begunAt - first!.begunAt, 'the third one, when the first had taken long').to.be.at.least(50);
    await time.pass(2 * 50);
    expect(transactions.map(({ agents }) => agents)).to.deep.equal([['a'], ['b'], ['c']]);
    transactions[0]!.commit();
    expect((await begun(4)).agents).to.deep.equal(['d']);
    for (const { commit } of transactions) commit();
    await settled();
    for (const name of ['e', 'f']) {
      void impatient.ingest(agent(name), batch(1));
      await begun(name.charCodeAt(0) - 96);
    }
    void impatient.ingest(agent('g'), batch(1));
    await time.pass(LIMITS.everyMs);
    expect(transactions, 'each counts once').to.have.length(6);
  });

  it('joins the batches of different regions, but no large or late ones', async () => {
    send(agent('a'), batch(1));
    send(agent('b', 'japaneast'), batch(1));
    send(agent('c'), batch(LIMITS.alone));
    send(agent('d'), batch(1, NOW - LIMITS.lateMs - 1));
    await begun(3);
    expect(transactions.map(({ agents }) => agents)).to.have.deep.members([['a', 'b'], ['c'], ['d']]);
  });

  it('gives each agent its own transactions after a joined one failed, until one succeeds', async () => {
    for (const name of ['good', 'bad']) send(agent(name), batch(1));
    (await begun(1)).fail(new Fault('validation_failed', 'bad'));
    await settled();
    for (const [, error] of ended as [string, unknown][])
      expect(error, 'would end the stream of a good agent').not.to.be.instanceOf(Fault);
    for (const name of ['good', 'bad']) send(agent(name), batch(1));
    const [good, bad] = [await begun(2), await begun(3)];
    expect([good.agents, bad.agents]).to.deep.equal([['good'], ['bad']]);
    good.commit();
    bad.fail(new Error('again'));
    await settled();
    for (const name of ['good', 'other', 'bad']) send(agent(name), batch(1));
    await begun(5);
    expect(transactions.slice(3).map(({ agents }) => agents)).to.deep.equal([['bad'], ['good', 'other']]);
  });

  it('commits fewer results at once after a slow transaction, a large batch in parts and in order', async () => {
    const committed: number[][] = [];
    const paced = new BatchJoiner(
      {
        ...PORTS,
        ingest: async (parts) => {
          committed.push(parts.flatMap((part) => part.results.map(({ totalUs }) => totalUs)));
          await new Promise((resolve) => setTimeout(resolve, 60));
        },
      },
      { ...LIMITS, size: { most: 100, least: 10, aimMs: 30 } },
    );
    const numbered = (count: number) => batch(count).map((result, totalUs) => ({ ...result, totalUs }));
    await time.untilEnd(paced.ingest(agent('a'), numbered(100)));
    expect(committed.map(({ length }) => length)).to.deep.equal([100]);
    await time.untilEnd(paced.ingest(agent('a'), numbered(60)));
    const later = committed.slice(1);
    expect(later[0]!.length).to.be.at.most(50);
    expect(later.flat()).to.deep.equal(numbered(60).map(({ totalUs }) => totalUs));
  });

  describe('stores apart what fails a transaction', () => {
    const of = (...keys: number[]): CheckResult[] =>
      keys.map(
        (monitorKey, totalUs) => ({ key: { monitorKey, kind: 'http' }, scheduledAtMs: NOW, totalUs }) as CheckResult,
      );
    const keysOf = (results: readonly CheckResult[]) => results.map(({ key }) => key.monitorKey);
    let committed: number[];
    let attempts: number;
    let dropped: number[];
    let refused: Map<number, Error>;
    /** The places in their batches of the results of monitor 12. */
    let order: number[];
    let divided: BatchJoiner;
    beforeEach(() => {
      [committed, attempts, dropped, refused, order] = [[], 0, [], new Map(), []];
      divided = new BatchJoiner(
        {
          ...PORTS,
          ingest: async (parts) => {
            attempts++;
            await settled();
            const keys = parts.flatMap(({ results }) => keysOf(results));
            for (const key of keys) if (refused.has(key)) throw refused.get(key)!;
            committed.push(...keys);
            for (const { results } of parts)
              order.push(...results.filter(({ key }) => key.monitorKey === 12).map(({ totalUs }) => totalUs));
          },
          onUnstorable: (_error, _agent, { key }) => dropped.push(key.monitorKey),
        },
        LIMITS,
      );
    });

    it('so that all results are committed but those that are refused, which are dropped', async () => {
      refused.set(12, new Refused()).set(15, new Refused());
      await time.untilEnd(
        Promise.all([
          divided.ingest(agent('a'), of(1, 11, 12, 12, 13, 21)),
          divided.ingest(agent('b'), of(31, 15, 41, 51)),
        ]),
      );
      expect(committed.toSorted((a, b) => a - b)).to.deep.equal([1, 11, 13, 21, 31, 41, 51]);
      expect(dropped.toSorted((a, b) => a - b)).to.deep.equal([12, 12, 15]);
    });

    it('and its later results at once, until one of them is stored', async () => {
      refused.set(12, new Refused());
      await time.untilEnd(divided.ingest(agent('a'), of(1, 12)));
      const after = async (results: CheckResult[]) => {
        attempts = 0;
        await time.untilEnd(divided.ingest(agent('a'), results));
        return attempts;
      };
      expect(await after(of(1, 12)), 'one transaction each').to.equal(2);
      refused.clear();
      expect(await after(of(1, 12))).to.equal(2);
      expect(await after(of(1, 12)), 'together again').to.equal(1);
      expect(dropped).to.deep.equal([12, 12]);
    });

    it('where rows are locked, in the order of each monitor, and reports when the others are committed', async () => {
      refused.set(12, new Locked());
      let reported = 0;
      const first = divided.ingest(agent('a'), of(1, 12, 11, 21), () => reported++);
      await time.until(() => reported === 1);
      expect(committed.toSorted((a, b) => a - b)).to.deep.equal([1, 21]);
      const second = divided.ingest(agent('a'), of(2, 12, 12), () => reported++);
      await time.until(() => reported === 2);
      refused.clear();
      await time.untilEnd(Promise.all([first, second]));
      expect(
        committed
          .slice(2)
          .filter((key) => key !== 12)
          .toSorted((a, b) => a - b),
      ).to.deep.equal([2, 11]);
      expect(order).to.deep.equal([1, 1, 2]);
    });

    it('and fails the batch where rows stay locked', async () => {
      const error = new Locked();
      refused.set(12, error);
      const ended = await time.untilEnd(divided.ingest(agent('a'), of(1, 12))).catch((caught: unknown) => caught);
      expect(ended).to.equal(error);
      expect(committed).to.deep.equal([1]);
    });

    it('but divides nothing while the database is away', async () => {
      refused.set(12, new Error('away'));
      await time.untilEnd(divided.ingest(agent('a'), of(1, 12))).catch(() => undefined);
      expect(attempts).to.equal(1);
    });
  });

  it('keeps the order of a monitor of which an earlier part of the same batch is set aside', async () => {
    const stored: number[] = [];
    let isLocked = true;
    joiner = new BatchJoiner(
      {
        ...PORTS,
        async ingest(parts) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          const own = parts.flatMap(({ results }) => results.filter(({ key }) => key.monitorKey === 1));
          // The lock ends when the second part comes.
          if (
            parts.some(({ results }) =>
              results.some(({ key, scheduledAtMs }) => key.monitorKey === 11 && scheduledAtMs === 2),
            )
          )
            isLocked = false;
          if (own.length > 0 && isLocked) throw new Locked();
          stored.push(...own.map(({ scheduledAtMs }) => scheduledAtMs));
        },
      },
      { ...LIMITS, size: { most: 2, least: 2, aimMs: 60_000 }, apart: { lockTimeoutMs: 100, lockedMs: 5_000 } },
    );
    const resultOf = (monitorKey: number, scheduledAtMs: number) =>
      ({ key: { monitorKey }, scheduledAtMs }) as CheckResult;
    const results = [resultOf(1, 1), resultOf(11, 1), resultOf(1, 2), resultOf(11, 2)];
    await time.untilEnd(joiner.ingest(agent('one'), results));
    expect(stored).to.deep.equal([1, 2]);
  });
});
