import { expect } from 'chai';
import fc from 'fast-check';
import { drawOutages } from './draw-outages.js';
import { drawRounds, MOST_AT_ONCE, type FaultRules } from './draw-faults.js';
import { FAULT_KINDS, kindOf } from './fault-kinds.js';

const RULES: FaultRules = {
  seed: 1,
  subjects: {
    agent: ['a1', 'a2'],
    agentLink: ['a1', 'a2'],
    plane: ['p1', 'p2'],
    databaseLink: ['p1', 'p2'],
    redisLink: ['p1', 'p2'],
    database: ['database'],
    redis: ['redis'],
    receiver: ['receiver'],
    mail: ['mail'],
  },
  hasStandby: true,
  rounds: 60,
  calmMs: [5_000, 10_000],
  pairs: 0.3,
  longest: 1,
  only: [],
};
const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe('the faults of a run', () => {
  it('are the same for the same seed, and a longer run begins like a shorter one', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const rounds = drawRounds({ ...RULES, seed });
        expect(drawRounds({ ...RULES, seed })).to.deep.equal(rounds);
        expect(drawRounds({ ...RULES, seed, rounds: 7 })).to.deep.equal(rounds.slice(0, 7));
      }),
    );
    expect(drawRounds(RULES)).not.to.deep.equal(drawRounds({ ...RULES, seed: 2 }));
  });

  it('stay within their bounds, and overlap at most in pairs that strike different parts', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const { faults } of drawRounds({ ...RULES, seed })) {
          expect(faults.length).to.be.within(1, MOST_AT_ONCE);
          for (const { kind, lastsMs, subject, role } of faults) {
            expect(lastsMs).to.be.within(...kindOf(kind).lastsMs);
            expect(RULES.subjects[role]).to.include(subject);
          }
          const [first, second] = faults;
          if (!second) continue;
          expect(second.afterMs).to.be.at.most(first!.lastsMs);
          expect([second.role, second.subject]).not.to.deep.equal([first!.role, first!.subject]);
        }
      }),
    );
  });

  it('include every kind within one deck, and none that needs a standby without one', () => {
    const kinds = new Set(drawRounds(RULES).flatMap(({ faults }) => faults.map(({ kind }) => kind)));
    expect([...kinds]).to.have.members(Object.keys(FAULT_KINDS));
    const killed = drawRounds({ ...RULES, only: ['killed'] }).flatMap(({ faults }) => faults);
    expect(killed.every(({ kind }) => kind.includes('killed'))).to.equal(true);
    expect(() => drawRounds({ ...RULES, only: ['melted'] })).to.throw('no kind');
    const alone = drawRounds({ ...RULES, hasStandby: false }).flatMap(({ faults }) => faults);
    expect(alone.filter(({ kind }) => kindOf(kind).needsStandby)).to.deep.equal([]);
  });
});

describe('the outages of targets', () => {
  it('are the same for the same seed, end in time, and leave each target time to recover', () => {
    const subjects = ['/m/1', '/m/2', '/m/3'].map((subject) => ({ subject, modes: ['error'] as const }));
    fc.assert(
      fc.property(seeds, (seed) => {
        const rules = {
          seed,
          subjects,
          lastsMs: 600_000,
          everyMs: 5_000,
          durationMs: [10_000, 100_000] as const,
          restMs: 90_000,
        };
        const outages = drawOutages(rules);
        expect(drawOutages(rules)).to.deep.equal(outages);
        for (const { subject } of subjects) {
          const own = outages.filter((one) => one.subject === subject);
          for (const [index, one] of own.entries()) {
            expect(one.toMs).to.be.at.most(rules.lastsMs);
            const next = own[index + 1];
            if (next) expect(next.fromMs - one.toMs).to.be.at.least(rules.restMs);
          }
        }
      }),
    );
  });
});
