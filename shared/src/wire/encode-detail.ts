import type { CertificateSummary, DnsDetail, DnsRecords, SslDetail } from '../outcome.js';

/** What the wire contract allows. */
export const MAX_DETAIL_BYTES = 64 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** How much of each list and text is kept; tried in turn until the whole fits. */
interface Room {
  entries: number;
  certificates: number;
  chars: number;
  /** Whether what each server of the zone answered is kept. */
  serverRecords: boolean;
}

const ROOMS: readonly Room[] = [
  { entries: 100, certificates: 10, chars: 1_024, serverRecords: true },
  { entries: 40, certificates: 10, chars: 512, serverRecords: true },
  { entries: 20, certificates: 5, chars: 256, serverRecords: true },
  { entries: 20, certificates: 5, chars: 256, serverRecords: false },
];

/**
 * The detail as JSON. What is longer than a result may be is cut the same way at every check, so that one check still
 * compares with the next, and `isCut` says so.
 */
export function encodeDetail(detail: SslDetail | DnsDetail | undefined): Buffer {
  if (!detail) return NO_BYTES;
  let bytes = Buffer.from(JSON.stringify(detail));
  for (const room of ROOMS) {
    if (bytes.length <= MAX_DETAIL_BYTES) return bytes;
    const cut = detail.kind === 'ssl' ? cutSsl(detail, room) : cutDns(detail, room);
    bytes = Buffer.from(JSON.stringify({ ...cut, isCut: true }));
  }
  return bytes.length <= MAX_DETAIL_BYTES ? bytes : NO_BYTES;
}

function cutSsl(detail: SslDetail, { entries, certificates, chars }: Room): SslDetail {
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

function cutDns(detail: DnsDetail, room: Room): DnsDetail {
  const { propagation } = detail;
  return {
    ...detail,
    records: cutRecords(detail.records, room),
    propagation: propagation && {
      ...propagation,
      servers: propagation.servers.map((one) => ({
        ...one,
        records: one.records && room.serverRecords ? cutRecords(one.records, room) : null,
      })),
    },
  };
}

function cutRecords(records: DnsRecords, { entries, chars }: Room): DnsRecords {
  return Object.fromEntries(
    Object.entries(records).map(([type, values]) => [
      type,
      values.slice(0, entries).map((value) => value.slice(0, chars)),
    ]),
  );
}
