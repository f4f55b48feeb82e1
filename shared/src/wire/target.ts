import type {
  DnsRecordType,
  DnsTarget,
  EgressPolicyName,
  ExpectedRecords,
  HttpTarget,
  ProbeTarget,
  SslTarget,
  TcpUdpTarget,
} from '../check.js';
import {
  DnsRecordType as WireRecordType,
  EgressPolicy,
  RecordMatch,
  TransportProtocol,
  type CheckSpec as WireSpec,
  type DnsTarget as WireDns,
  type HttpTarget as WireHttp,
  type SslTarget as WireSsl,
  type TcpUdpTarget as WireTcpUdp,
} from '../gen/watchpost/agent/v1/agent.js';

const EGRESS: Readonly<Record<EgressPolicyName, EgressPolicy>> = {
  monitor: EgressPolicy.EGRESS_POLICY_MONITOR,
  public: EgressPolicy.EGRESS_POLICY_PUBLIC,
};
const RECORD_TYPE: Readonly<Record<DnsRecordType, WireRecordType>> = {
  A: WireRecordType.DNS_RECORD_TYPE_A,
  AAAA: WireRecordType.DNS_RECORD_TYPE_AAAA,
  CNAME: WireRecordType.DNS_RECORD_TYPE_CNAME,
  MX: WireRecordType.DNS_RECORD_TYPE_MX,
  NS: WireRecordType.DNS_RECORD_TYPE_NS,
  TXT: WireRecordType.DNS_RECORD_TYPE_TXT,
};
const MATCH: Readonly<Record<ExpectedRecords['match'], RecordMatch>> = {
  any: RecordMatch.RECORD_MATCH_ANY,
  all: RecordMatch.RECORD_MATCH_ALL,
  exact: RecordMatch.RECORD_MATCH_EXACT,
};
const PROTOCOL: Readonly<Record<TcpUdpTarget['protocol'], TransportProtocol>> = {
  tcp: TransportProtocol.TRANSPORT_PROTOCOL_TCP,
  udp: TransportProtocol.TRANSPORT_PROTOCOL_UDP,
};
const RECORD_TYPE_NAMES = namesByCode(RECORD_TYPE);
const MATCH_NAMES = namesByCode(MATCH);
const PROTOCOL_NAMES = namesByCode(PROTOCOL);

/** A target as the wire contract has it. */
export function targetToWire(target: ProbeTarget): NonNullable<WireSpec['target']> {
  const egress = EGRESS[target.egress];
  switch (target.kind) {
    case 'http':
      return {
        $case: 'http',
        value: {
          url: target.url,
          method: target.method,
          headers: target.headers.map(({ name, value }) => ({ name, value })),
          body: Buffer.from(target.body ?? ''),
          expectedStatus: target.expectedStatus.map(({ from, to }) => ({ from, to })),
          followRedirects: target.followRedirects,
          keyword: target.keyword?.text ?? '',
          keywordAbsent: target.keyword?.mode === 'absent',
          verifyCertificate: target.verifyCertificate,
          egress,
        },
      };
    case 'ssl': {
      const { host, port, incidentDays } = target;
      const byLifetime = incidentDays === null;
      return {
        $case: 'ssl',
        value: { host, port, incidentDays: incidentDays ?? FORMER_INCIDENT_DAYS, byLifetime, egress },
      };
    }
    case 'dns':
      return {
        $case: 'dns',
        value: {
          hostname: target.hostname,
          recordTypes: target.recordTypes.map((type) => RECORD_TYPE[type]),
          expectedRecords: target.expectedRecords.map(({ type, match, values }) => ({
            type: RECORD_TYPE[type],
            match: MATCH[match],
            values: [...values],
          })),
          resolvers: [...target.resolvers],
          checkPropagation: target.checkPropagation,
          egress,
        },
      };
    case 'tcpUdp':
      return {
        $case: 'tcpUdp',
        value: {
          protocol: PROTOCOL[target.protocol],
          host: target.host,
          port: target.port,
          send: target.send ?? undefined,
          expect: target.expect ?? undefined,
          egress,
        },
      };
  }
}

/** @returns undefined for a target that this build does not know, or that is not complete enough to be probed */
export function targetFromWire(target: WireSpec['target']): ProbeTarget | undefined {
  switch (target?.$case) {
    case 'http':
      return httpFromWire(target.value);
    case 'ssl':
      return sslFromWire(target.value);
    case 'dns':
      return dnsFromWire(target.value);
    case 'tcpUdp':
      return tcpUdpFromWire(target.value);
    case undefined:
      return undefined;
    default:
      return target satisfies never;
  }
}

/** Agents of a former version, which judge by days only, use their former default. */
const FORMER_INCIDENT_DAYS = 7;
const NO_HEADERS: HttpTarget['headers'] = [];
const NO_TEXTS: readonly string[] = [];
const NO_EXPECTATIONS: readonly ExpectedRecords[] = [];

/** Values that nearly all checks have in common exist once: an agent has ten thousand specs in memory. */
type Shared = HttpTarget['expectedStatus'] | readonly DnsRecordType[] | string;
const shared = new Map<string, Shared>();
const MAX_SHARED = 1_000;

function share<T extends Shared>(name: string, value: T): T {
  const known = shared.get(name) as T | undefined;
  if (known !== undefined) return known;
  if (shared.size < MAX_SHARED) shared.set(name, value);
  return value;
}

function httpFromWire(http: WireHttp): HttpTarget {
  const status = http.expectedStatus.map(({ from, to }) => ({ from, to }));
  return {
    kind: 'http',
    url: http.url,
    method: share(`method ${http.method}`, http.method),
    headers: http.headers.length === 0 ? NO_HEADERS : http.headers.map(({ name, value }) => ({ name, value })),
    body: http.body.length === 0 ? null : http.body.toString('utf8'),
    expectedStatus: share(`status ${JSON.stringify(status)}`, status),
    followRedirects: http.followRedirects,
    keyword: http.keyword === '' ? null : { text: http.keyword, mode: http.keywordAbsent ? 'absent' : 'present' },
    verifyCertificate: http.verifyCertificate,
    egress: egressFromWire(http.egress),
  };
}

function sslFromWire({ host, port, incidentDays, byLifetime, egress }: WireSsl): SslTarget | undefined {
  if (!isPort(port)) return undefined;
  return { kind: 'ssl', host, port, incidentDays: byLifetime ? null : incidentDays, egress: egressFromWire(egress) };
}

function dnsFromWire(dns: WireDns): DnsTarget | undefined {
  const recordTypes = dns.recordTypes.flatMap((type) => RECORD_TYPE_NAMES.get(type) ?? []);
  if (recordTypes.length === 0) return undefined;
  const expectedRecords = dns.expectedRecords.flatMap(({ type, match, values }): ExpectedRecords[] => {
    const known = { type: RECORD_TYPE_NAMES.get(type), match: MATCH_NAMES.get(match) };
    return known.type && known.match ? [{ type: known.type, match: known.match, values }] : [];
  });
  return {
    kind: 'dns',
    hostname: dns.hostname,
    recordTypes: share(`types ${recordTypes.join()}`, recordTypes),
    expectedRecords: expectedRecords.length === 0 ? NO_EXPECTATIONS : expectedRecords,
    resolvers: dns.resolvers.length === 0 ? NO_TEXTS : dns.resolvers,
    checkPropagation: dns.checkPropagation,
    egress: egressFromWire(dns.egress),
  };
}

function tcpUdpFromWire({ protocol, host, port, send, expect, egress }: WireTcpUdp): TcpUdpTarget | undefined {
  const known = PROTOCOL_NAMES.get(protocol);
  if (!known || !isPort(port)) return undefined;
  return {
    kind: 'tcpUdp',
    protocol: known,
    host,
    port,
    send: send ?? null,
    expect: expect ?? null,
    egress: egressFromWire(egress),
  };
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** An unknown policy is read as the strict one. */
function egressFromWire(policy: EgressPolicy): EgressPolicyName {
  return policy === EgressPolicy.EGRESS_POLICY_MONITOR ? 'monitor' : 'public';
}

function namesByCode<Name extends string, Code>(codes: Readonly<Record<Name, Code>>): ReadonlyMap<Code, Name> {
  return new Map((Object.keys(codes) as Name[]).map((name) => [codes[name], name]));
}
