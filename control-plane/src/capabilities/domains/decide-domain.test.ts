import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { expect } from 'chai';
import fc from 'fast-check';
import { decideDomain } from './decide-domain.js';
import {
  CONFIRM_AFTER_MS,
  decideReading,
  type DomainReading,
  QUERY_EVERY_MS,
  type RegistryAnswer,
} from './decide-reading.js';

const START = Date.parse('2026-11-21T12:00Z');
const SETTINGS = { expiryThresholdDays: [30, 14, 7, 1], incidentDays: 7 };
const NEW: DomainReading = {
  state: null,
  expiresMs: null,
  registrar: null,
  statuses: [],
  nameServers: [],
  source: null,
  checkedMs: null,
  nextQueryMs: START,
  unconfirmedSinceMs: null,
  heldUntilMs: null,
};
const found = (expiresMs: number | null, statuses: string[] = []): RegistryAnswer => ({
  kind: 'found',
  expiresMs,
  registrar: null,
  statuses,
  nameServers: [],
  source: 'https://rdap.test/domain/shop.test',
});
const OTHERS: RegistryAnswer[] = [
  { kind: 'notFound', source: '' },
  { kind: 'notOffered' },
  { kind: 'unreachable', source: '' },
  { kind: 'unreachable', source: '', retryAfterMs: 20 * HOUR_MS },
];

describe('decideDomain', () => {
  it('names the smallest threshold that is reached, and the moment of the next change', () => {
    const reading = decideReading(NEW, found(START + 10 * DAY_MS), START);
    expect(decideDomain(reading, SETTINGS, START)).to.deep.equal({
      state: 'ok',
      signal: 'fine',
      sinceMs: null,
      decideAtMs: START + 3 * QUERY_EVERY_MS,
      thresholdDays: 14,
    });
    const atFault = decideDomain({ ...reading, nextQueryMs: START + 3 * DAY_MS }, SETTINGS, START + 3 * DAY_MS);
    expect(atFault).to.include({ state: 'expiring', signal: 'failing', thresholdDays: 7 });
  });

  it('knows nothing once the queries stay away', () => {
    const reading = decideReading(NEW, found(START + 300 * DAY_MS), START);
    expect(decideDomain(reading, SETTINGS, START + 3 * QUERY_EVERY_MS - 1).signal).to.equal('fine');
    expect(decideDomain(reading, SETTINGS, START + 3 * QUERY_EVERY_MS).signal).to.equal('unclear');
  });

  it('never alarms by one answer that nothing is found, and never looks fine without a date', () => {
    const answers = fc.array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(...OTHERS),
          fc
            .option(fc.integer({ min: -400, max: 400 }))
            .map((days) => found(days === null ? null : START + days * DAY_MS)),
        ),
        fc.integer({ min: 0, max: 2 * QUERY_EVERY_MS }),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(answers, (given) => {
        let reading = NEW;
        let nowMs = START;
        let before: RegistryAnswer | null = null;
        for (const [answer, laterMs] of given) {
          const next = decideReading(reading, answer, nowMs);
          expect(next.nextQueryMs - nowMs).to.be.at.least(
            next.unconfirmedSinceMs === null ? QUERY_EVERY_MS : CONFIRM_AFTER_MS,
          );
          const { signal, state } = decideDomain(next, SETTINGS, nowMs);
          if (answer.kind === 'notOffered' || answer.kind === 'unreachable') expect(signal).to.equal('unclear');
          if (answer.kind === 'notFound' && before?.kind !== 'notFound') expect(signal).to.equal('unclear');
          if (signal === 'fine') expect([state, next.expiresMs! > nowMs]).to.deep.equal(['ok', true]);
          // An earlier date than the known one never counts at once.
          if (reading.expiresMs !== null && next.expiresMs !== null && reading.unconfirmedSinceMs === null)
            expect(next.expiresMs).to.be.at.least(reading.expiresMs);
          [reading, before] = [next, answer];
          nowMs += laterMs;
        }
      }),
    );
  });
});
