import { expect } from 'chai';
import fc from 'fast-check';
import { EvidenceBudget, evidenceLimits } from './evidence-budget.js';

const hostile = { ownerKey: 'hostile' };
const victim = { ownerKey: 'victim' };

const isBehind = () => true;
const isConnected = () => false;

describe('the budget of evidence', () => {
  it('limits one owner without affecting another', () => {
    const budget = new EvidenceBudget(
      { burstBytes: 1_000_000, bytesPerSecond: 1_000, connectedBytesPerSecond: 10_000 },
      isBehind,
    );
    let kept = 0;
    for (let second = 0; second < 60; second++)
      for (let index = 0; index < 10; index++) if (budget.take(hostile, 90_000, false, second * 1_000)) kept += 90_000;
    expect(kept).to.be.within(900_000, 1_060_000);
    expect(budget.take(victim, 90_000, false, 60_000)).to.equal(true);
  });

  it('keeps the details of an owner with 300 certificates a minute while nothing waits', () => {
    const limits = evidenceLimits(512 * 1024 * 1024);
    const kept = (hasBacklog: () => boolean) => {
      const budget = new EvidenceBudget(limits, hasBacklog);
      let count = 0;
      for (let check = 0; check < 300 * 120; check++) if (budget.take(victim, 6_000, false, check * 200)) count++;
      return count;
    };
    expect(kept(isConnected)).to.equal(300 * 120);
    expect(kept(isBehind)).to.be.below(300 * 120);
  });

  it('limits an owner while nothing waits too', () => {
    const budget = new EvidenceBudget(evidenceLimits(512 * 1024 * 1024), isConnected);
    let kept = 0;
    for (let check = 0; check < 60 * 100; check++) if (budget.take(hostile, 98_304, false, check * 10)) kept += 98_304;
    expect(kept).to.be.within(60 * 131_072, 8 * 1024 * 1024 + 60 * 131_072);
  });

  it('reserves half for checks that fail for the first time', () => {
    const budget = new EvidenceBudget({ burstBytes: 100_000, bytesPerSecond: 1, connectedBytesPerSecond: 1 }, isBehind);
    while (budget.take(hostile, 10_000, true, 0));
    expect(budget.take(hostile, 10_000, false, 0)).to.equal(true);
  });

  it('is not used by results without evidence', () => {
    const budget = new EvidenceBudget({ burstBytes: 1_000, bytesPerSecond: 1, connectedBytesPerSecond: 1 }, isBehind);
    for (let index = 0; index < 10_000; index++) expect(budget.take(hostile, 200, true, 0)).to.equal(true);
    expect(budget.take(hostile, 900, false, 0)).to.equal(true);
  });

  it('does not let one owner fill the spool within hours', () => {
    fc.assert(
      fc.property(fc.integer({ min: 513, max: 98_304 }), fc.integer({ min: 16, max: 2_048 }), (size, megabytes) => {
        const spoolBytes = megabytes * 1024 * 1024;
        const budget = new EvidenceBudget(evidenceLimits(spoolBytes), isBehind);
        let kept = 0;
        for (let minute = 0; minute < 60; minute++)
          for (let check = 0; check < 300 && budget.take(hostile, size, false, minute * 60_000); check++) kept += size;
        expect(kept).to.be.at.most(spoolBytes * 0.15);
      }),
    );
  });
});
