import type { DnsRecordType, EgressPolicyName, ExpectedRecords, ProbeTarget } from '../check.js';
import {
  DnsRecordType as WireRecordType,
  EgressPolicy,
  RecordMatch,
  TransportProtocol,
  type CheckSpec as WireSpec,
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

/** A target as the wire contract has it. */
export function targetToWire(target: ProbeTarget): WireSpec['target'] {
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
      return { $case: 'ssl', value: { host, port, incidentDays, egress } };
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
          protocol:
            target.protocol === 'tcp'
              ? TransportProtocol.TRANSPORT_PROTOCOL_TCP
              : TransportProtocol.TRANSPORT_PROTOCOL_UDP,
          host: target.host,
          port: target.port,
          send: target.send ?? undefined,
          expect: target.expect ?? undefined,
          egress,
        },
      };
  }
}
