import type { CertificateSummary, DnsDetail, DnsRecords, SslDetail } from '../outcome.js';

/** The limit of the wire contract. */
export const MAX_DETAIL_BYTES = 64 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** The limits of lists and texts; tried in turn until the detail fits. */
interface DetailLimits {
  entries: number;
  certificates: number;
  chars: number;
  /** Whether the records of each server of the zone are kept. */
  serverRecords: boolean;
}

const LIMITS: readonly DetailLimits[] = [
  { entries: 100, certificates: 10, chars: 1_024, serverRecords: true },
  { entries: 40, certificates: 10, chars: 512, serverRecords: true },
  { entries: 20, certificates: 5, chars: 256, serverRecords: true },
  { entries: 20, certificates: 5, chars: 256, serverRecords: false },
];

/**
 * Encodes a detail as JSON. A detail that is too long is truncated in the same way at every check, so that checks remain
 * comparable, and has `isCut`.
 */
export function encodeDetail(detail: SslDetail | DnsDetail | undefined): Buffer {
  if (!detail) return NO_BYTES;
  let bytes = Buffer.from(JSON.stringify(detail));
  for (const limits of LIMITS) {
    if (bytes.length <= MAX_DETAIL_BYTES) return bytes;
    const cut = detail.kind === 'ssl' ? cutSsl(detail, limits) : cutDns(detail, limits);
    bytes = Buffer.from(JSON.stringify({ ...cut, isCut: true }));
  }
  return bytes.length <= MAX_DETAIL_BYTES ? bytes : NO_BYTES;
}

function cutSsl(detail: SslDetail, { entries, certificates, chars }: DetailLimits): SslDetail {
  return {
    ...detail,
    ...cutSummary(detail, chars),
    subjectAltNames: detail.subjectAltNames.slice(0, entries).map((name) => name.slice(0, chars)),
    chain: detail.chain.slice(0, certificates).map((one) => ({ ...one, ...cutSummary(one, chars) })),
  };
}

function cutSummary({ subject, issuer, serialNumber }: CertificateSummary, chars: number) {
  return {
    subject: subject.slice(0, chars),
    issuer: issuer.slice(0, chars),
    serialNumber: serialNumber.slice(0, chars),
  };
}

function cutDns(detail: DnsDetail, limits: DetailLimits): DnsDetail {
  const { propagation } = detail;
  return {
    ...detail,
    records: cutRecords(detail.records, limits),
    propagation: propagation && {
      ...propagation,
      servers: propagation.servers.map((one) => ({
        ...one,
        records: one.records && limits.serverRecords ? cutRecords(one.records, limits) : null,
      })),
    },
  };
}

function cutRecords(records: DnsRecords, { entries, chars }: DetailLimits): DnsRecords {
  return Object.fromEntries(
    Object.entries(records).map(([type, values]) => [
      type,
      values.slice(0, entries).map((value) => value.slice(0, chars)),
    ]),
  );
}
