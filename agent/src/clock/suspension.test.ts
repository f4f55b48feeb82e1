import { expect } from 'chai';
import { Suspension } from './suspension.js';

function machine() {
  const time = { wallMs: 1_763_000_000_000, monotonicMs: 5_000, bootMs: 90_000 };
  let bootReads = 0;
  const suspension = new Suspension({
    wallMs: () => time.wallMs,
    monotonicMs: () => time.monotonicMs,
    bootMs: () => (bootReads++, time.bootMs),
  });
  const pass = (ms: number, of: readonly (keyof typeof time)[] = ['wallMs', 'monotonicMs', 'bootMs']) =>
    of.forEach((clock) => (time[clock] += ms));
  return { suspension, pass, bootReads: () => bootReads };
}

describe('the time for which the machine was suspended', () => {
  it('grows by each suspension', () => {
    const { suspension, pass } = machine();
    pass(10_000);
    expect(suspension.totalMs).to.equal(0);
    pass(600_000, ['wallMs', 'bootMs']);
    expect(suspension.totalMs).to.equal(600_000);
    pass(10_000);
    pass(400, ['wallMs', 'bootMs']);
    expect(suspension.totalMs).to.equal(600_400);
  });

  it('does not include steps of the wall clock', () => {
    const { suspension, pass } = machine();
    pass(3_600_000, ['wallMs']);
    expect(suspension.totalMs).to.equal(0);
    pass(-7_200_000, ['wallMs']);
    expect(suspension.totalMs).to.equal(0);
    pass(2_000, ['wallMs', 'bootMs']);
    expect(suspension.totalMs).to.equal(2_000);
  });

  it('is read without the clock since boot as long as the wall clock makes no step', () => {
    const { suspension, pass, bootReads } = machine();
    for (let check = 0; check < 100; check++) {
      pass(1_000);
      expect(suspension.totalMs).to.equal(0);
    }
    expect(bootReads()).to.equal(1);
  });
});
