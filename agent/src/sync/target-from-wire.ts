import type {
  DnsRecordType,
  DnsTarget,
  EgressPolicyName,
  ExpectedRecords,
  HttpTarget,
  ProbeTarget,
  SslTarget,
  TcpUdpTarget,
} from '@watchpost/shared/check';
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
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';

const NO_HEADERS: HttpTarget['headers'] = [];
const NO_TEXTS: readonly string[] = [];
const NO_EXPECTATIONS: readonly ExpectedRecords[] = [];
const RECORD_TYPES = new Map<WireRecordType, DnsRecordType>([
  [WireRecordType.DNS_RECORD_TYPE_A, 'A'],
  [WireRecordType.DNS_RECORD_TYPE_AAAA, 'AAAA'],
  [WireRecordType.DNS_RECORD_TYPE_CNAME, 'CNAME'],
  [WireRecordType.DNS_RECORD_TYPE_MX, 'MX'],
  [WireRecordType.DNS_RECORD_TYPE_NS, 'NS'],
  [WireRecordType.DNS_RECORD_TYPE_TXT, 'TXT'],
]);
const MATCHES = new Map<RecordMatch, ExpectedRecords['match']>([
  [RecordMatch.RECORD_MATCH_ANY, 'any'],
  [RecordMatch.RECORD_MATCH_ALL, 'all'],
  [RecordMatch.RECORD_MATCH_EXACT, 'exact'],
]);
const PROTOCOLS = new Map<TransportProtocol, TcpUdpTarget['protocol']>([
  [TransportProtocol.TRANSPORT_PROTOCOL_TCP, 'tcp'],
  [TransportProtocol.TRANSPORT_PROTOCOL_UDP, 'udp'],
]);

/** Lists that nearly all checks have in common are kept once: an agent holds ten thousand specs. */
const shared = new Map<string, HttpTarget['expectedStatus'] | readonly DnsRecordType[] | string>();
const MAX_SHARED = 1_000;

function once<T extends HttpTarget['expectedStatus'] | readonly DnsRecordType[] | string>(name: string, value: T): T {
  const known = shared.get(name) as T | undefined;
  if (known !== undefined) return known;
  if (shared.size < MAX_SHARED) shared.set(name, value);
  return value;
}

/** @returns undefined for a target that this agent does not know, or that says too little to be probed */
export function targetFromWire(target: WireSpec['target']): ProbeTarget | undefined {
  switch (target?.$case) {
    case 'http':
      return fromWireHttp(target.value);
    case 'ssl':
      return fromWireSsl(target.value);
    case 'dns':
      return fromWireDns(target.value);
    case 'tcpUdp':
      return fromWireTcpUdp(target.value);
    case undefined:
      return undefined;
  }
}

function fromWireHttp(http: WireHttp): HttpTarget {
  const status = http.expectedStatus.map(({ from, to }) => ({ from, to }));
  return {
    kind: 'http',
    url: http.url,
    method: once(`method ${http.method}`, http.method),
    headers: http.headers.length === 0 ? NO_HEADERS : http.headers.map(({ name, value }) => ({ name, value })),
    body: http.body.length === 0 ? null : http.body.toString('utf8'),
    expectedStatus: once(`status ${JSON.stringify(status)}`, status),
    followRedirects: http.followRedirects,
    keyword: http.keyword === '' ? null : { text: http.keyword, mode: http.keywordAbsent ? 'absent' : 'present' },
    verifyCertificate: http.verifyCertificate,
    egress: egressOf(http.egress),
  };
}

function fromWireSsl({ host, port, incidentDays, egress }: WireSsl): SslTarget | undefined {
  if (!isPort(port)) return undefined;
  return { kind: 'ssl', host, port, incidentDays, egress: egressOf(egress) };
}

function fromWireDns(dns: WireDns): DnsTarget | undefined {
  const recordTypes = dns.recordTypes.flatMap((type) => RECORD_TYPES.get(type) ?? []);
  if (recordTypes.length === 0) return undefined;
  const expectedRecords = dns.expectedRecords.flatMap(({ type, match, values }): ExpectedRecords[] => {
    const known = { type: RECORD_TYPES.get(type), match: MATCHES.get(match) };
    return known.type && known.match ? [{ type: known.type, match: known.match, values }] : [];
  });
  return {
    kind: 'dns',
    hostname: dns.hostname,
    recordTypes: once(`types ${recordTypes.join()}`, recordTypes),
    expectedRecords: expectedRecords.length === 0 ? NO_EXPECTATIONS : expectedRecords,
    resolvers: dns.resolvers.length === 0 ? NO_TEXTS : dns.resolvers,
    checkPropagation: dns.checkPropagation,
    egress: egressOf(dns.egress),
  };
}

function fromWireTcpUdp({ protocol, host, port, send, expect, egress }: WireTcpUdp): TcpUdpTarget | undefined {
  const known = PROTOCOLS.get(protocol);
  if (!known || !isPort(port)) return undefined;
  return {
    kind: 'tcpUdp',
    protocol: known,
    host,
    port,
    send: send ?? null,
    expect: expect ?? null,
    egress: egressOf(egress),
  };
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** A policy that is not known is the strict one. */
function egressOf(policy: EgressPolicy): EgressPolicyName {
  return policy === EgressPolicy.EGRESS_POLICY_MONITOR ? 'monitor' : 'public';
}
