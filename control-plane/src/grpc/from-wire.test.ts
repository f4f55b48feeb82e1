import { expect } from 'chai';
import fc from 'fast-check';
import {
  CheckKind as WireKind,
  type CheckResult as WireResult,
  Hello,
  OutcomeKind as WireOutcome,
  PullRequest,
  ResultBatch,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import { pullMessageFromWire, resultBatchFromWire } from './from-wire.js';
import { WireError } from './wire-error.js';

const micros = fc.nat();
const moment = fc.integer({ min: 946_684_800_000, max: 7_258_118_400_000 });
const text = fc.string({ maxLength: 200 }).map((value) => value.replaceAll('\0', ''));
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant<Outcome>({ kind: 'up' }),
  fc.record({
    kind: fc.constant('down' as const),
    phase: fc.constantFrom('egress', 'dns', 'connect', 'tls', 'request', 'firstByte', 'transfer', 'content'),
    reason: fc.constantFrom('timeout', 'dns_not_found', 'certificate_invalid', 'keyword_missing'),
    message: text,
  }) as fc.Arbitrary<Outcome>,
  fc.record({
    kind: fc.constant('inconclusive' as const),
    reason: fc.constantFrom('agent_late', 'agent_no_network'),
    message: text,
  }) as fc.Arbitrary<Outcome>,
);
const timings = fc.record({ dnsUs: micros, connectUs: micros, tlsUs: micros, firstByteUs: micros, transferUs: micros });
const evidence = fc.record(
  {
    hops: fc.array(
      fc.record({
        url: text,
        address: fc.constant('192.0.2.1:80'),
        statusCode: fc.constantFrom(null, 301, 200),
        timings,
      }),
      { maxLength: 3 },
    ),
    headers: fc.dictionary(fc.stringMatching(/^[a-z-]{1,20}$/), text, { maxKeys: 5 }),
    bodyStart: text,
    resolved: fc.array(fc.ipV4(), { maxLength: 4 }),
  },
  { requiredKeys: [] },
);
const result: fc.Arbitrary<CheckResult> = fc
  .record({
    key: fc.record({ monitorKey: fc.maxSafeNat(), kind: fc.constantFrom('http', 'ssl', 'dns', 'tcpUdp') }),
    scheduledAtMs: moment,
    startedAtMs: moment,
    totalUs: micros,
    freshMs: fc.integer({ min: 0, max: 86_400_000 }),
    outcome,
    statusCode: fc.option(fc.integer({ min: 100, max: 999 })),
    timings,
    address: fc.option(fc.constant('[2001:db8::1]:443')),
    loopLagUs: micros,
    evidence: fc.option(evidence),
  })
  .map((made): CheckResult => ({ ...made, evidence: made.outcome.kind === 'down' ? made.evidence : null }));

/** The agent's side of the mapping, told once more. */
function toWire(from: CheckResult): WireResult {
  const kinds = {
    http: WireKind.CHECK_KIND_HTTP,
    ssl: WireKind.CHECK_KIND_SSL,
    dns: WireKind.CHECK_KIND_DNS,
    tcpUdp: WireKind.CHECK_KIND_TCP_UDP,
  };
  const outcomes = {
    up: WireOutcome.OUTCOME_KIND_UP,
    down: WireOutcome.OUTCOME_KIND_DOWN,
    inconclusive: WireOutcome.OUTCOME_KIND_INCONCLUSIVE,
  };
  return {
    key: { monitorKey: BigInt(from.key.monitorKey), kind: kinds[from.key.kind] },
    scheduledAtMs: BigInt(from.scheduledAtMs),
    startedAtMs: BigInt(from.startedAtMs),
    totalUs: from.totalUs,
    freshMs: from.freshMs,
    outcome: outcomes[from.outcome.kind],
    phase: from.outcome.kind === 'down' ? from.outcome.phase : '',
    reason: from.outcome.kind === 'up' ? '' : from.outcome.reason,
    message: from.outcome.kind === 'up' ? '' : from.outcome.message,
    statusCode: from.statusCode ?? 0,
    timings: from.timings,
    address: from.address ?? '',
    loopLagUs: from.loopLagUs,
    evidence: from.evidence ? Buffer.from(JSON.stringify(from.evidence)) : Buffer.alloc(0),
  };
}

const batchOf = (results: WireResult[], firstSequence = 1n) =>
  ResultBatch.encode({ firstSequence, spoolId: 'spool', results }).finish();
const read = (change: (wire: WireResult) => void) => {
  const wire = toWire(fc.sample(result, { numRuns: 1, seed: 1 })[0]!);
  change(wire);
  return resultBatchFromWire(batchOf([wire])).results[0]!;
};

describe('what agents send', () => {
  it('arrives as it was meant', () => {
    fc.assert(
      fc.property(
        fc.array(result, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 2 ** 50 }),
        (results, first) => {
          const batch = resultBatchFromWire(batchOf(results.map(toWire), BigInt(first)));
          expect(batch.results).to.deep.equal(results);
          expect([batch.firstSequence, batch.lastSequence]).to.deep.equal([first, first + results.length - 1]);
        },
      ),
    );
  });

  it('is refused as a whole where any number is out of its range', () => {
    const faults: ((wire: WireResult) => void)[] = [
      (wire) => (wire.key = undefined),
      (wire) => (wire.key!.monitorKey = -1n),
      (wire) => (wire.key!.monitorKey = 1n << 53n),
      (wire) => (wire.key!.kind = 77 as number as WireKind),
      (wire) => (wire.key!.kind = 0),
      (wire) => (wire.scheduledAtMs = 0n),
      (wire) => (wire.scheduledAtMs = 1n << 62n),
      (wire) => (wire.startedAtMs = -5n),
      (wire) => (wire.totalUs = 0xffff_ffff),
      (wire) => (wire.freshMs = 86_400_001),
      (wire) => (wire.loopLagUs = 0x8000_0000),
      (wire) => (wire.statusCode = 99),
      (wire) => (wire.statusCode = 70_000),
      (wire) => (wire.outcome = 0),
      (wire) => (wire.outcome = 9 as number as WireOutcome),
      (wire) => Object.assign(wire, { outcome: 2, phase: 'constructor', reason: 'timeout' }),
      (wire) => Object.assign(wire, { outcome: 2, phase: 'dns', reason: '__proto__' }),
      (wire) => Object.assign(wire, { outcome: 3, reason: 'timeout' }),
      (wire) => (wire.timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0xffff_ffff }),
      (wire) => Object.assign(wire, { outcome: 2, phase: 'dns', reason: 'timeout', evidence: Buffer.from('{') }),
      (wire) =>
        Object.assign(wire, { outcome: 2, phase: 'dns', reason: 'timeout', evidence: Buffer.from('{"hops":5}') }),
      (wire) =>
        Object.assign(wire, { outcome: 2, phase: 'dns', reason: 'timeout', evidence: Buffer.alloc(65_537, 32) }),
    ];
    for (const fault of faults)
      expect(() => read(fault), fault.toString())
        .to.throw(WireError)
        .with.property('refusedSequence', 1);
  });

  it('has its texts cut, and without what the database cannot store', () => {
    const down = { outcome: 2, phase: 'content', reason: 'keyword_missing' };
    const long = read((wire) => Object.assign(wire, down, { message: 'x'.repeat(5_000) }));
    expect((long.outcome as { message: string }).message).to.have.length(1_000);
    const odd = read((wire) =>
      Object.assign(wire, down, {
        message: 'a\0b',
        evidence: Buffer.from(
          '{"bodyStart":"\\u0000\\ud800 \\ud83d\\ude00","headers":{"a\\u0000":"b\\u0000"},"more":1}',
        ),
      }),
    );
    expect((odd.outcome as { message: string }).message).to.equal('a\ufffdb');
    expect(odd.evidence).to.deep.equal({ bodyStart: '\ufffd\ufffd \u{1f600}', headers: { 'a\ufffd': 'b\ufffd' } });
  });

  it('is refused where a batch is empty, too long, or without a spool', () => {
    const wire = toWire(fc.sample(result, 1)[0]!);
    for (const batch of [
      { firstSequence: 1n, spoolId: 'spool', results: [] },
      { firstSequence: 1n, spoolId: 'spool', results: Array.from({ length: 1_001 }, () => wire) },
      { firstSequence: 1n, spoolId: '', results: [wire] },
      { firstSequence: (1n << 64n) - 1n, spoolId: 'spool', results: [wire] },
    ]) {
      expect(() => resultBatchFromWire(ResultBatch.encode(batch).finish())).to.throw(WireError);
    }
  });

  it('never throws anything but a refusal, whatever the bytes', () => {
    const valid = batchOf([toWire(fc.sample(result, { numRuns: 1, seed: 2 })[0]!)]);
    const damaged = fc
      .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
      .map((changes) => {
        const bytes = Uint8Array.from(valid);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        for (const readFrame of [resultBatchFromWire, pullMessageFromWire]) {
          try {
            readFrame(bytes);
          } catch (error) {
            expect(error).to.be.instanceOf(WireError);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('introduces the agent, with the kinds that are known here', () => {
    const hello = {
      protocolVersion: 3,
      agentVersion: '1.2.3',
      capabilities: ['http', 'telepathy', 'http'],
      lastRevision: 42n,
      assignmentEpoch: '7',
    };
    expect(
      pullMessageFromWire(PullRequest.encode({ message: { $case: 'hello', value: Hello.create(hello) } }).finish()),
    ).to.deep.equal({
      kind: 'hello',
      protocolVersion: 3,
      hello: { agentVersion: '1.2.3', capabilities: ['http'], lastRevision: 42, epoch: '7' },
    });
  });
});
