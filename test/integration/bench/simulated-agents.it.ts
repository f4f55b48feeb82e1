import fc from 'fast-check';
import { expect } from 'chai';
import type { CheckSpec } from '@watchpost/shared/check';
import { readBenchCommand } from '../../bench/bench-options.js';
import { AgentChecks, CheckTable } from '../../bench/scale/check-table.js';
import { countedQuantile, LatencyCounts, sumCounts } from '../../bench/scale/latency-counts.js';
import { replacePart } from '../../bench/scale/replace-part.js';
import { isSimulatedDown, type SimulatedSites } from '../../bench/scale/simulated-outcome.js';
import { httpCheck } from '../../support/scripted-control-plane.js';
import { specFromWire } from '@watchpost/shared/wire/check-spec';

const MINUTE_MS = 60_000;

describe('simulated agents', () => {
  const spec = (monitorKey: number, phaseMs: number): CheckSpec =>
    specFromWire(
      httpCheck(monitorKey, 'https://shop.example/', { intervalMs: MINUTE_MS, timeoutMs: 30_000, phaseMs }),
    )!;

  function table(durationMs = 40) {
    const done: [agent: number, monitorKey: number, scheduledAtMs: number][] = [];
    const checks = new CheckTable(1_000, {
      durationMs: () => durationMs,
      onDone: (...run) => done.push([run[0], run[1], run[2]]),
    });
    return { checks, done };
  }

  it('run each scheduled time of each check once, whatever the rhythm of the turns', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: MINUTE_MS - 1 }), { minLength: 1, maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 2_000 }),
        (phases, steps, durationMs) => {
          const { checks, done } = table(durationMs);
          const agent = new AgentChecks(checks, 0);
          phases.forEach((phaseMs, index) => agent.upsert(spec(index + 1, phaseMs)));
          const beganMs = Date.now();
          let now = beganMs;
          for (const step of [...steps, 3 * MINUTE_MS]) checks.turn((now += step));
          for (const [index, phaseMs] of phases.entries()) {
            const times = done.filter(([, key]) => key === index + 1).map(([, , at]) => at);
            expect(times.every((at) => at % MINUTE_MS === phaseMs)).to.equal(true);
            expect(times.every((at, place) => place === 0 || at === times[place - 1]! + MINUTE_MS)).to.equal(true);
            expect(times.length).to.be.at.least(Math.floor((now - durationMs - 20 - beganMs) / MINUTE_MS));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('catch up on a check that was handed over, and leave out a check that was removed', () => {
    const { checks, done } = table();
    const [former, later] = [new AgentChecks(checks, 0), new AgentChecks(checks, 1)];
    const now = Date.now();
    const missedMs = now - 5_000;
    const check = spec(1, missedMs % MINUTE_MS);
    former.upsert(check);
    former.remove(check.key);
    later.upsert(check, missedMs - MINUTE_MS);
    checks.turn(now + MINUTE_MS);
    expect(done.map(([agent, , at]) => [agent, at])).to.deep.equal([
      [1, missedMs],
      [1, missedMs + MINUTE_MS],
    ]);
    expect([former.size, later.size]).to.deep.equal([0, 1]);
  });

  it('run nothing that is due at the end or later', () => {
    const { checks, done } = table();
    const agent = new AgentChecks(checks, 0);
    for (let key = 1; key <= 60; key++) agent.upsert(spec(key, key * 1_000 - 1));
    checks.endMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    checks.turn(checks.endMs + 2 * MINUTE_MS);
    expect(done.every(([, , at]) => at < checks.endMs)).to.equal(true);
  });

  it('agree on which sites are down, about as many as requested', () => {
    const sites: SimulatedSites = { seed: 7, failingShare: 0.05 };
    const at = Date.UTC(2026, 10, 23);
    const keys = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const down = keys.filter((key) => isSimulatedDown(sites, key, 'eastus2', at));
    expect(down.length / keys.length).to.be.within(0.015, 0.045);
    expect(down).to.deep.equal(keys.filter((key) => isSimulatedDown(sites, key, 'eastus2', at)));
    const elsewhere = keys.filter((key) => isSimulatedDown(sites, key, 'japaneast', at));
    expect(elsewhere.filter((key) => down.includes(key)).length).to.be.above(down.length * 0.8);
  });
});

describe('the figures of a bench', () => {
  it('have the quantiles of what was counted, to a few percent', () => {
    const [one, other] = [new LatencyCounts(), new LatencyCounts()];
    for (let ms = 1; ms <= 1_000; ms++) (ms % 2 ? one : other).add(ms);
    const counts = sumCounts([one.take(), other.take()]);
    expect(countedQuantile(counts, 0.5)).to.be.within(480, 520);
    expect(countedQuantile(counts, 0.99)).to.be.within(950, 1_030);
    expect(countedQuantile(sumCounts([one.take()]), 0.5)).to.be.NaN;
  });

  it('replace exactly their part of a document', () => {
    const document = 'before\n<!-- a -->\nold\n<!-- end of a -->\nafter';
    const replaced = replacePart(document, 'a', 'new');
    expect(replaced).to.equal('before\n<!-- a -->\n\nnew\n\n<!-- end of a -->\nafter');
    expect(replacePart(replaced, 'a', 'new')).to.equal(replaced);
    expect(() => replacePart(document, 'b', 'new')).to.throw('no part between');
  });

  it('take their options from the command line, and pass them on', () => {
    const args = ['scale', '--monitors', '6250,25000', '--minutes', '2', '--calm'];
    const { words, options, passedOn } = readBenchCommand(args);
    expect(words).to.deep.equal(['scale']);
    expect(options).to.deep.equal({ monitors: [6_250, 25_000], minutes: 2, calm: true });
    expect(readBenchCommand(passedOn).options).to.deep.equal(options);
    expect(() => readBenchCommand(['--minutes', 'two'])).to.throw('whole numbers');
  });
});
