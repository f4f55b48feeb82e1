import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckResult, DnsDetail } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { answerOf } from './check-answer.js';
import { detectDetailChange, type LastAnswer } from './detect-detail-change.js';

const NOW = Date.UTC(2026, 10, 21);
const FRESH = 150_000;
const subject = { target: 'shop.test', isChecked: true, changedMs: 0 };

function result(minute: number, address: string | null): CheckResult {
  const detail: DnsDetail | null =
    address === null
      ? null
      : { kind: 'dns', resolver: '192.0.2.53:53', records: { A: [address] }, responseUs: 900, propagation: null };
  return {
    key: { monitorKey: 1, kind: 'dns' },
    scheduledAtMs: NOW + minute * MINUTE_MS,
    startedAtMs: NOW + minute * MINUTE_MS + 3,
    freshMs: FRESH,
    totalUs: 1_000,
    timings: { dnsUs: 900, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
    statusCode: null,
    address: null,
    evidence: null,
    loopLagUs: 0,
    outcome:
      address === null
        ? { kind: 'down', phase: 'dns', reason: 'dns_not_found', message: 'no such name' }
        : { kind: 'up' },
    ...(detail ? { detail } : {}),
  };
}

const answers = fc.array(fc.constantFrom('a', 'b', null), { minLength: 1, maxLength: 12 });

/** Applies results one at a time, each in time, as ingest does. */
function run(results: readonly CheckResult[], before: LastAnswer | null = null) {
  let last = before;
  const changes: unknown[] = [];
  for (const one of results) {
    const decided = detectDetailChange(last, [one], subject, one.scheduledAtMs + 500);
    last = decided.last ?? last;
    changes.push(...decided.details.map((detail) => detail.changes));
  }
  return { last, changes };
}

describe('The last answer of a name', () => {
  it('does not depend on the batches in which results arrive, if they arrive in time', () => {
    fc.assert(
      fc.property(answers, (seen) => {
        const results = seen.map((address, minute) => result(minute, address));
        const long = results.map((one) => ({ ...one, freshMs: 100 * MINUTE_MS }));
        const together = detectDetailChange(null, long, subject, long.at(-1)!.scheduledAtMs + 500);
        const apart = run(long);
        expect(together.last).to.deep.equal(apart.last);
        expect(together.details.map(({ changes }) => changes)).to.deep.equal(apart.changes);
      }),
    );
  });

  it('contains a change exactly where a good answer has a value for the first time', () => {
    fc.assert(
      fc.property(answers, (seen) => {
        const { changes } = run(seen.map((address, minute) => result(minute, address)));
        const good = seen.filter((address) => address !== null);
        const expected = good.map((address, index) => index > 0 && good.indexOf(address) === index);
        expect(changes.map((change) => change !== null)).to.deep.equal(expected);
      }),
    );
  });

  it('has another value once its former one was missing ten times, also where the stored answer is not read', () => {
    let last: LastAnswer | null = null;
    const found: unknown[] = [];
    for (let minute = 0; minute < 14; minute++) {
      const one = result(minute, minute === 0 ? 'a' : 'b');
      const decided = detectDetailChange(last, [one], subject, one.scheduledAtMs + 500);
      found.push(...decided.details.flatMap(({ changes }) => changes ?? []).map((change) => ({ minute, ...change })));
      last = decided.last && { ...decided.last, answer: minute === 0 ? decided.last.answer : null };
    }
    expect(found).to.deep.equal([
      { minute: 1, type: 'A', added: ['b'], removed: [] },
      { minute: 10, type: 'A', added: [], removed: ['a'] },
    ]);
  });

  it('is not changed by results that are repeated, late, or of another target', () => {
    fc.assert(
      fc.property(answers, (seen) => {
        const results = seen.map((address, minute) => result(minute, address));
        const { last: known } = run(results);
        const nowMs = results.at(-1)!.scheduledAtMs + 500;
        const again = detectDetailChange(known, results, subject, nowMs);
        expect([again.last, again.current]).to.deep.equal([null, []]);
        const late = detectDetailChange(known, [result(seen.length, 'z')], subject, nowMs + 60 * MINUTE_MS);
        expect(late.last).to.equal(null);
        expect(late.details.map(({ changes }) => changes)).to.deep.equal([null]);
        const elsewhere = detectDetailChange(
          known,
          [result(seen.length, 'z')],
          { ...subject, target: 'other.test' },
          nowMs + MINUTE_MS,
        );
        expect(elsewhere.details[0]!.changes).to.equal(null);
        expect(elsewhere.last?.target).to.equal('other.test');
      }),
    );
  });

  it('has the same hash in any order of its fields, and a different one for different content', () => {
    const detail = result(0, 'a').detail as DnsDetail;
    const turned = Object.fromEntries(Object.entries(detail).toReversed()) as unknown as DnsDetail;
    expect(answerOf(turned).hash).to.equal(answerOf(detail).hash);
    expect(answerOf({ ...detail, responseUs: 5 }).hash).to.equal(answerOf(detail).hash);
    expect(answerOf({ ...detail, records: { A: ['b'] } }).hash).to.not.equal(answerOf(detail).hash);
    expect(answerOf(detail).hash).to.match(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  });
});
