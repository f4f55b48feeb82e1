import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KIND_CODES, CHECK_KINDS } from '../check.js';
import {
  type CheckResult as WireResult,
  type OutcomeKind as WireOutcome,
  PullRequest,
  ResultBatch,
} from '../gen/watchpost/agent/v1/agent.js';
import {
  MAX_RESOLVED,
  MOST_HOPS,
  type CheckFindings,
  type CheckResult,
  type DnsDetail,
  type Outcome,
  type SslDetail,
} from '../outcome.js';
import { decodePullRequest } from './decode-pull-request.js';
import { decodeResultBatch } from './decode-result-batch.js';
import { pullRequestToWire } from './encode-pull-request.js';
import { encodeResultBatch } from './encode-result-batch.js';
import { encodeResult, resultToWire } from './encode-result.js';
import type { PullMessage } from './messages.js';
import { WireError } from './wire-error.js';

const micros = fc.nat();
const moment = fc.integer({ min: 946_684_800_000, max: 7_258_118_400_000 });
const text = fc.string({ maxLength: 200 }).map((value) => value.replaceAll('\0', ''));
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant<Outcome>({ kind: 'up' }),
  text.filter((degraded) => degraded !== '').map((degraded): Outcome => ({ kind: 'up', degraded })),
  fc.record(
    {
      kind: fc.constant('down' as const),
      phase: fc.constantFrom('egress', 'dns', 'connect', 'tls', 'request', 'firstByte', 'transfer', 'content'),
      reason: fc.constantFrom('timeout', 'dns_not_found', 'certificate_invalid', 'keyword_missing'),
      message: text,
      isPartial: fc.constant(true),
    },
    { requiredKeys: ['kind', 'phase', 'reason', 'message'] },
  ) as fc.Arbitrary<Outcome>,
  fc.record({
    kind: fc.constant('inconclusive' as const),
    reason: fc.constantFrom('agent_late', 'agent_no_network'),
    message: text,
  }) as fc.Arbitrary<Outcome>,
);
const timings = fc.record({ dnsUs: micros, connectUs: micros, tlsUs: micros, firstByteUs: micros, transferUs: micros });
const iso = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const summary = {
  subject: text,
  issuer: text,
  serialNumber: text,
  validFrom: iso,
  validTo: iso,
  fingerprint256: fc.constant('AB:CD'),
};
const assertion = fc.record({
  index: fc.nat(19),
  passed: fc.boolean(),
  expected: text,
  actual: fc.option(text),
  message: fc.option(text),
});
const evidence = fc.record(
  {
    assertions: fc.array(assertion, { maxLength: 3 }),
    hops: fc.array(
      fc.record({
        url: text,
        address: fc.constant('192.0.2.1:80'),
        statusCode: fc.constantFrom(null, 301, 200),
        httpVersion: fc.constantFrom(null, '1.1', '2'),
        timings,
      }),
      { maxLength: 3 },
    ),
    headers: fc.dictionary(fc.stringMatching(/^[a-z-]{1,20}$/), text, { maxKeys: 5 }),
    bodyStart: text,
    resolved: fc.array(fc.ipV4(), { maxLength: 4 }),
    received: text,
    certificate: fc.record({ ...summary, subjectAltNames: fc.array(text, { maxLength: 3 }) }),
  },
  { requiredKeys: [] },
);
const cut = fc.option(fc.constant(true as const), { nil: undefined });
const whole = <T extends object>(given: T) => JSON.parse(JSON.stringify(given)) as T;
const sslDetail: fc.Arbitrary<SslDetail> = fc
  .record({
    kind: fc.constant('ssl' as const),
    ...summary,
    isValid: fc.boolean(),
    daysUntilExpiry: fc.integer({ min: -40_000, max: 3_000_000 }),
    subjectAltNames: fc.array(text, { maxLength: 5 }),
    keyType: fc.constantFrom('rsa', 'ec'),
    keyBits: fc.option(fc.nat(16_384)),
    signatureAlgorithm: fc.constant('ecdsa-with-SHA256'),
    protocol: fc.constant('TLSv1.3'),
    cipher: fc.constant('TLS_AES_128_GCM_SHA256'),
    chain: fc.array(fc.record(summary), { maxLength: 3 }),
    chainTrusted: fc.boolean(),
    hostnameMatches: fc.boolean(),
    ocspStapled: fc.boolean(),
    ocsp: fc.option(
      fc.record({
        status: fc.constantFrom('good' as const, 'revoked' as const, 'unknown' as const, 'unreadable' as const),
        thisUpdate: fc.option(iso),
        nextUpdate: fc.option(iso),
        revokedAt: fc.option(iso),
      }),
    ),
    isCut: cut,
  })
  .map((given) => whole(given) as SslDetail);
const records = fc.dictionary(
  fc.constantFrom('A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'),
  fc.array(text, { maxLength: 3 }),
);
const dnsDetail: fc.Arbitrary<DnsDetail> = fc
  .record({
    kind: fc.constant('dns' as const),
    resolver: fc.option(fc.constant('192.0.2.53:53')),
    records,
    failures: fc.option(fc.dictionary(fc.constantFrom('A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'), text), {
      nil: undefined,
    }),
    responseUs: micros,
    propagation: fc.option(
      fc.record({
        consistent: fc.boolean(),
        convergedPercent: fc.nat(100),
        servers: fc.array(
          fc.record({
            server: text,
            serial: fc.option(fc.nat(0xffff_ffff)),
            records: fc.option(records),
            error: fc.option(text),
          }),
          { maxLength: 3 },
        ),
      }),
    ),
    isCut: cut,
  })
  .map((given) => whole(given) as DnsDetail);
const findings: fc.Arbitrary<CheckFindings> = fc.record(
  {
    addresses: fc.array(
      fc.record({
        address: fc.oneof(fc.ipV4(), fc.ipV6()),
        status: fc.constantFrom('available' as const, 'unavailable' as const, 'notChecked' as const),
        responseUs: fc.option(micros),
        certificateFingerprint: fc.constantFrom(null, 'AB:CD'),
        message: fc.option(text),
      }),
      { maxLength: 10 },
    ),
    addressWarnings: fc.array(text, { maxLength: 10 }),
    steps: fc.array(
      fc.record({
        name: fc.string({ maxLength: 60 }).map((value) => value.replaceAll('\0', '')),
        wasAvailable: fc.option(fc.boolean()),
        statusCode: fc.option(fc.integer({ min: 100, max: 999 })),
        totalUs: fc.option(micros),
        timings: fc.option(timings),
        message: fc.option(text),
      }),
      { maxLength: 9 },
    ),
  },
  { requiredKeys: [] },
);
const isHealthy = (made: Outcome) => made.kind === 'up' && made.degraded === undefined;
const result: fc.Arbitrary<CheckResult> = fc
  .record({
    key: fc.record({ monitorKey: fc.maxSafeNat(), kind: fc.constantFrom(...CHECK_KINDS) }),
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
    ssl: sslDetail,
    dns: dnsDetail,
    findings,
    hasDetail: fc.boolean(),
    isVerified: fc.boolean(),
  })
  .map(({ ssl, dns, findings: found, hasDetail, isVerified, ...made }): CheckResult => {
    const detail = made.key.kind === 'ssl' ? ssl : made.key.kind === 'dns' ? dns : undefined;
    return {
      ...made,
      evidence: isHealthy(made.outcome) || made.outcome.kind === 'inconclusive' ? null : made.evidence,
      ...(detail && hasDetail ? { detail } : {}),
      ...found,
      ...(made.outcome.kind === 'down'
        ? isVerified
          ? { answer: 'verified' as const }
          : { answer: 'complete' as const, answerDigest: -7 }
        : {}),
    };
  });

const batchOf = (results: WireResult[], firstSequence = 1n) =>
  ResultBatch.encode({ firstSequence, spoolId: 'spool', results }).finish();
const read = (change: (wire: WireResult) => void) => {
  const wire = resultToWire(fc.sample(result, { numRuns: 1, seed: 1 })[0]!);
  change(wire);
  return decodeResultBatch(batchOf([wire])).results[0]!;
};

const DNS_SEEN = '{"kind":"dns","resolver":null,"records":{},"responseUs":1,"propagation":null}';
function withDetail(wire: WireResult, kind: number, detail: string): void {
  Object.assign(wire, { key: { monitorKey: 5n, kind }, detail: Buffer.from(detail) });
}

const heartbeat = fc.record({
  spoolDepth: micros,
  checks: micros,
  lagP99Us: micros,
  visibility: fc.constantFrom('unknown' as const, 'seeing' as const, 'blind' as const),
});
const pullMessage: fc.Arbitrary<PullMessage> = fc.oneof(
  fc.record({
    kind: fc.constant('hello' as const),
    protocolVersion: fc.nat(),
    hello: fc.record({
      agentVersion: fc.constant('1.2.3'),
      capabilities: fc.subarray(CHECK_KINDS),
      lastRevision: fc.maxSafeNat(),
      epoch: fc.constantFrom('', '7'),
    }),
  }),
  fc.record({ kind: fc.constant('revisionAck' as const), revision: fc.maxSafeNat() }),
  fc.constant({ kind: 'leaving' as const }),
  fc.record({ kind: fc.constant('heartbeat' as const), heartbeat }),
  fc.record({
    kind: fc.constant('runResult' as const),
    requestId: fc.constant('run-1'),
    result: fc.option(result),
    refusal: fc.constant('busy'),
  }),
);

describe('what agents send', () => {
  it('is decoded as it was encoded: a batch of results', () => {
    fc.assert(
      fc.property(
        fc.array(result, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 2 ** 50 }),
        (results, firstSequence) => {
          const frame = encodeResultBatch({ firstSequence, spoolId: 'spool', payloads: results.map(encodeResult) });
          const batch = decodeResultBatch(frame);
          expect(batch.results).to.deep.equal(results);
          expect([batch.firstSequence, batch.lastSequence]).to.deep.equal([
            firstSequence,
            firstSequence + results.length - 1,
          ]);
        },
      ),
    );
  });

  it('is decoded as it was encoded: every message of an assignment stream', () => {
    fc.assert(
      fc.property(pullMessage, (message) => {
        const frame = PullRequest.encode(pullRequestToWire(message)).finish();
        expect(decodePullRequest(frame)).to.deep.equal(message);
      }),
    );
  });

  it('is refused where a number or a code is out of range', () => {
    const faults: ((wire: WireResult) => void)[] = [
      (wire) => (wire.key = undefined),
      (wire) => (wire.key!.monitorKey = -1n),
      (wire) => (wire.key!.monitorKey = 1n << 53n),
      (wire) => (wire.key!.kind = 77),
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
      (wire) =>
        (wire.timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0xffff_ffff, authUs: 0 }),
      (wire) => Object.assign(wire, { outcome: 2, phase: 'dns', reason: 'timeout', evidence: Buffer.from('{') }),
      (wire) =>
        Object.assign(wire, { outcome: 2, phase: 'dns', reason: 'timeout', evidence: Buffer.from('{"hops":5}') }),
      (wire) =>
        Object.assign(wire, { outcome: 2, phase: 'dns', reason: 'timeout', evidence: Buffer.alloc(65_537, 32) }),
      (wire) => Object.assign(wire, { findings: Buffer.from('{"steps":[{"name":"a"}]}') }),
      (wire) => Object.assign(wire, { findings: Buffer.alloc(32 * 1024 + 1, 32) }),
      (wire) => withDetail(wire, CHECK_KIND_CODES.ssl, '{'),
      (wire) => withDetail(wire, CHECK_KIND_CODES.ssl, 'null'),
      (wire) => withDetail(wire, CHECK_KIND_CODES.ssl, '{"kind":"ssl"}'),
      (wire) => withDetail(wire, CHECK_KIND_CODES.ssl, DNS_SEEN),
      (wire) => withDetail(wire, CHECK_KIND_CODES.dns, DNS_SEEN.replace('"records":{', '"records":{"A":5,')),
      (wire) => withDetail(wire, CHECK_KIND_CODES.dns, DNS_SEEN.replace('"responseUs":1', '"responseUs":-1')),
      (wire) => withDetail(wire, CHECK_KIND_CODES.dns, DNS_SEEN + ' '.repeat(65_536)),
    ];
    for (const fault of faults)
      expect(() => read(fault), fault.toString())
        .to.throw(WireError)
        .with.property('refusedSequence', 1);
  });

  it('has its text truncated, without characters that the database cannot store', () => {
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

  it('keeps the hop that failed, however long the evidence is', () => {
    const timings = { dnsUs: 1, connectUs: 1, tlsUs: 1, firstByteUs: 1, transferUs: 1 };
    const long = fc.integer({ min: 0, max: 2_048 }).map((length) => '\u3042'.repeat(length));
    fc.assert(
      fc.property(
        fc.array(long, { minLength: 1, maxLength: 110 }),
        fc.nat(),
        long,
        fc.boolean(),
        (paths, at, text, hasFailedLast) => {
          const hops = paths.map((path, index) => ({
            url: `/${index}/${path}`,
            address: null,
            statusCode: 200,
            httpVersion: null,
            timings,
          }));
          const failed = hasFailedLast ? hops.length - 1 : at % hops.length;
          const marked = hops.map((hop, index) =>
            index === failed && !hasFailedLast ? { ...hop, isDecisive: true as const } : hop,
          );
          const assertion = { index: 0, passed: false, expected: text, actual: null, message: text };
          const outcome: Outcome = { kind: 'down', phase: 'connect', reason: 'timeout', message: '' };
          const evidence = { hops: marked, assertions: Array.from({ length: 20 }, () => assertion), bodyStart: text };
          const sent = fc.sample(result, { numRuns: 1, seed: 1 })[0]!;
          const bytes = resultToWire({ ...sent, outcome, evidence }).evidence;
          expect(bytes.length).to.be.at.most(32 * 1024);
          expect(JSON.parse(Buffer.from(bytes).toString()).hops).to.deep.include(hops[failed]!);
        },
      ),
    );
  });

  it('has its lists truncated, by the agent and for agents that do not', () => {
    const resolved = Array.from({ length: 150 }, (_, index) => `192.0.2.${index}`);
    const [failure] = fc.sample(result, { numRuns: 1, seed: 1 });
    const sent = resultToWire({
      ...failure!,
      outcome: { kind: 'down', phase: 'connect', reason: 'timeout', message: '' },
      evidence: { resolved },
    });
    const first = { resolved: resolved.slice(0, MAX_RESOLVED) };
    expect(JSON.parse(Buffer.from(sent.evidence).toString())).to.deep.equal(first);
    const certificate = fc.sample(fc.record(summary), { numRuns: 1, seed: 1 })[0]!;
    const { authUs: _, ...timings } = sent.timings!;
    const hops = Array.from({ length: 140 }, (_, index) => ({
      url: `/${index}`,
      address: null,
      statusCode: 301,
      httpVersion: null,
      timings,
    }));
    const evidence = {
      resolved,
      hops,
      certificate: { ...certificate, subjectAltNames: Array.from({ length: 300 }, () => 'shop.test') },
    };
    const long = read((wire) =>
      Object.assign(wire, sent, { evidence: Buffer.from(JSON.stringify(evidence)) }),
    ).evidence!;
    expect(long).to.deep.include({ ...first, hops: hops.slice(0, MOST_HOPS) });
    expect(long.certificate!.subjectAltNames).to.have.length(200);
    const chain = Array.from({ length: 150 }, () => certificate);
    const ssl = { ...fc.sample(sslDetail, { numRuns: 1, seed: 1 })[0]!, chain };
    expect(read((wire) => withDetail(wire, CHECK_KIND_CODES.ssl, JSON.stringify(ssl))).detail)
      .to.have.property('chain')
      .with.length(100);
    const dns = DNS_SEEN.replace(
      '"records":{',
      `"records":{"TXT":${JSON.stringify(Array.from({ length: 5_100 }, () => ''))}`,
    );
    expect(read((wire) => withDetail(wire, CHECK_KIND_CODES.dns, dns)).detail)
      .to.have.nested.property('records.TXT')
      .with.length(5_000);
  });

  it('has findings cut by the agent to what is accepted', () => {
    const long = '\u0001'.repeat(1_000);
    const [failure] = fc.sample(result, { numRuns: 1, seed: 1 });
    const step = { wasAvailable: false, statusCode: 500, totalUs: 1, timings: null, message: long };
    const sent = resultToWire({
      ...failure!,
      addresses: Array.from({ length: 10 }, () => ({
        address: '192.0.2.1',
        status: 'unavailable' as const,
        responseUs: 1,
        certificateFingerprint: null,
        message: long,
      })),
      addressWarnings: Array.from({ length: 10 }, () => long),
      steps: Array.from({ length: 9 }, (_, index) => ({ ...step, name: `${index}` })),
    });
    const { steps, addressWarnings } = read((wire) => Object.assign(wire, sent));
    expect(steps!.map(({ name, message }) => [name, message!.length])).to.deep.equal(
      Array.from({ length: 9 }, (_, index) => [`${index}`, 100]),
    );
    expect(addressWarnings![9]).to.have.length(100);
  });

  it('may contain details that only a newer version knows; they are left out', () => {
    const more = read((wire) =>
      withDetail(
        wire,
        CHECK_KIND_CODES.dns,
        '{"kind":"dns","more":1,"resolver":"a\\u0000","records":{"A":["\\ud800"],"NAPTR":["x"]},"responseUs":1,"propagation":null}',
      ),
    );
    expect(more.detail).to.deep.equal({
      kind: 'dns',
      resolver: 'a\ufffd',
      records: { A: ['\ufffd'] },
      responseUs: 1,
      propagation: null,
    });
    for (const kind of [CHECK_KIND_CODES.http, CHECK_KIND_CODES.tcpUdp])
      expect(read((wire) => withDetail(wire, kind, '{"kind":"http"}'))).not.to.have.property('detail');
  });

  it('is refused where a batch is empty, too long or without a spool id', () => {
    const wire = resultToWire(fc.sample(result, 1)[0]!);
    for (const batch of [
      { firstSequence: 1n, spoolId: 'spool', results: [] },
      { firstSequence: 1n, spoolId: 'spool', results: Array.from({ length: 1_001 }, () => wire) },
      { firstSequence: 1n, spoolId: '', results: [wire] },
      { firstSequence: (1n << 64n) - 1n, spoolId: 'spool', results: [wire] },
    ]) {
      expect(() => decodeResultBatch(ResultBatch.encode(batch).finish())).to.throw(WireError);
    }
  });

  it('causes a refusal or nothing, whatever the bytes', () => {
    const valid = batchOf([resultToWire(fc.sample(result, { numRuns: 1, seed: 2 })[0]!)]);
    const damaged = fc
      .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
      .map((changes) => {
        const bytes = Uint8Array.from(valid);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        for (const readFrame of [decodeResultBatch, decodePullRequest]) {
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

  it('introduces the agent, without the check kinds that only a newer version knows', () => {
    const hello = {
      protocolVersion: 3,
      agentVersion: '1.2.3',
      capabilities: ['http', 'telepathy', 'http'],
      lastRevision: 42n,
      assignmentEpoch: '7',
    };
    expect(decodePullRequest(PullRequest.encode({ message: { $case: 'hello', value: hello } }).finish())).to.deep.equal(
      {
        kind: 'hello',
        protocolVersion: 3,
        hello: { agentVersion: '1.2.3', capabilities: ['http'], lastRevision: 42, epoch: '7' },
      },
    );
  });
});
