import { expect } from 'chai';
import fc from 'fast-check';
import { DNS_RECORD_TYPES, type CheckSpec, type ExpectedRecords, type ProbeTarget } from '@watchpost/shared/check';
import {
  AssignmentUpdate,
  CheckKind,
  CheckSpec as WireSpec,
  DnsRecordType,
  EgressPolicy,
  RecordMatch,
  TransportProtocol,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { specToWire, toWire } from './to-wire.js';

const text = fc.string({ unit: 'grapheme', maxLength: 50 });
const egress = fc.constantFrom('monitor' as const, 'public' as const);
const port = fc.integer({ min: 1, max: 65_535 });
const recordType = fc.constantFrom(...DNS_RECORD_TYPES);
const target: fc.Arbitrary<ProbeTarget> = fc.oneof(
  fc.record({
    kind: fc.constant('http' as const),
    url: fc.webUrl(),
    method: fc.constantFrom('GET', 'POST'),
    headers: fc.array(fc.record({ name: text, value: text }), { maxLength: 4 }),
    body: fc.option(text.filter((body) => body !== '')),
    expectedStatus: fc.array(fc.record({ from: fc.nat(999), to: fc.nat(999) }), { maxLength: 4 }),
    followRedirects: fc.boolean(),
    keyword: fc.option(
      fc.record({
        text: text.filter((word) => word !== ''),
        mode: fc.constantFrom('present' as const, 'absent' as const),
      }),
    ),
    verifyCertificate: fc.boolean(),
    egress,
  }),
  fc.record({ kind: fc.constant('ssl' as const), host: text, port, incidentDays: fc.nat(365), egress }),
  fc.record({
    kind: fc.constant('dns' as const),
    hostname: text,
    recordTypes: fc.uniqueArray(recordType),
    expectedRecords: fc.array(
      fc.record({
        type: recordType,
        match: fc.constantFrom<ExpectedRecords['match'][]>('any', 'all', 'exact'),
        values: fc.array(text, { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
    resolvers: fc.array(text, { maxLength: 3 }),
    checkPropagation: fc.boolean(),
    egress,
  }),
  fc.record({
    kind: fc.constant('tcpUdp' as const),
    protocol: fc.constantFrom('tcp' as const, 'udp' as const),
    host: text,
    port,
    send: fc.option(text),
    expect: fc.option(text),
    egress,
  }),
);
const spec: fc.Arbitrary<CheckSpec> = fc
  .record({
    monitorKey: fc.maxSafeNat(),
    intervalMs: fc.nat(3_600_000),
    timeoutMs: fc.nat(60_000),
    phaseMs: fc.nat(3_600_000),
    changedAtMs: fc.maxSafeNat(),
    target,
  })
  .map(({ monitorKey, ...made }) => ({ key: { monitorKey, kind: made.target.kind }, ...made }));

/** The agent's side of the mapping, told once more. */
function fromWire(wire: WireSpec): CheckSpec {
  const kinds = {
    [CheckKind.CHECK_KIND_HTTP]: 'http',
    [CheckKind.CHECK_KIND_SSL]: 'ssl',
    [CheckKind.CHECK_KIND_DNS]: 'dns',
    [CheckKind.CHECK_KIND_TCP_UDP]: 'tcpUdp',
  };
  return {
    key: { monitorKey: Number(wire.key!.monitorKey), kind: kinds[wire.key!.kind as 1] as CheckSpec['key']['kind'] },
    intervalMs: wire.intervalMs,
    timeoutMs: wire.timeoutMs,
    phaseMs: wire.phaseMs,
    changedAtMs: Number(wire.changedAtMs),
    target: targetFromWire(wire.target!),
  };
}

function targetFromWire({ $case, value }: NonNullable<WireSpec['target']>): ProbeTarget {
  const common = { egress: value.egress === EgressPolicy.EGRESS_POLICY_PUBLIC ? 'public' : 'monitor' } as const;
  const typeOf = (type: DnsRecordType) => DnsRecordType[type].replace('DNS_RECORD_TYPE_', '') as 'A';
  switch ($case) {
    case 'http': {
      const { body, keyword, keywordAbsent, ...rest } = value;
      return {
        ...rest,
        kind: 'http',
        body: body.length === 0 ? null : body.toString(),
        keyword: keyword === '' ? null : { text: keyword, mode: keywordAbsent ? 'absent' : 'present' },
        ...common,
      };
    }
    case 'ssl':
      return { ...value, kind: 'ssl', ...common };
    case 'dns':
      return {
        ...value,
        kind: 'dns',
        recordTypes: value.recordTypes.map(typeOf),
        expectedRecords: value.expectedRecords.map(({ type, match, values }) => ({
          type: typeOf(type),
          match: RecordMatch[match].replace('RECORD_MATCH_', '').toLowerCase() as 'any',
          values,
        })),
        ...common,
      };
    case 'tcpUdp':
      return {
        ...value,
        kind: 'tcpUdp',
        protocol: value.protocol === TransportProtocol.TRANSPORT_PROTOCOL_UDP ? 'udp' : 'tcp',
        send: value.send ?? null,
        expect: value.expect ?? null,
        ...common,
      };
  }
}

describe('what agents are told', () => {
  it('arrives as it was meant', () => {
    fc.assert(
      fc.property(spec, (given) => {
        const bytes = WireSpec.encode(specToWire(given)).finish();
        expect(fromWire(WireSpec.decode(bytes))).to.deep.equal(given);
      }),
    );
  });

  it('carries the clock of the server', () => {
    const update = toWire(
      {
        kind: 'delta',
        revision: 2 ** 52,
        epoch: '9',
        upserts: [],
        removes: [{ monitorKey: 5, kind: 'dns' }],
        arrears: [{ key: { monitorKey: 5, kind: 'dns' }, doneThroughMs: 7 }],
      },
      1_763_700_000_123,
    );
    const read = AssignmentUpdate.decode(AssignmentUpdate.encode(update).finish());
    expect(read.serverTimeMs).to.equal(1_763_700_000_123n);
    expect(read.message).to.deep.include({
      $case: 'delta',
      value: {
        revision: 1n << 52n,
        epoch: '9',
        upserts: [],
        removes: [{ monitorKey: 5n, kind: 3 }],
        arrears: [{ key: { monitorKey: 5n, kind: 3 }, doneThroughMs: 7n }],
      },
    });
  });
});
