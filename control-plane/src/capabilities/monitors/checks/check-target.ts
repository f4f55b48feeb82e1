import type { CheckKind, ProbeTarget } from '@watchpost/shared/check';
import type { DnsRecordType, ExpectedRecords } from '@watchpost/shared/checks/dns';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { CheckSourceRow } from './check-source-store.js';
import { parseExpectedStatus } from '../settings/expected-status.js';
import { joinHeaders } from '../settings/http-headers.js';
import { openSecrets } from '../settings/monitor-secrets.js';
import { mailPortOf, placeOfUrl } from '../settings/monitor-url.js';

/** The fields of a monitor that determine the targets of its checks. */
export type TargetSource = Pick<CheckSourceRow, 'id' | 'url' | 'http' | 'httpSecrets' | 'ssl' | 'dns' | 'tcpUdp'>;

/**
 * The target of a monitor's check of one kind.
 * @returns null where the URL does not suit that kind
 * @throws where the secret headers cannot be decrypted
 */
export function checkTarget(secretBox: SecretBox, row: TargetSource, kind: CheckKind): ProbeTarget | null {
  const { url, http, ssl, dns, tcpUdp } = row;
  const place = url === null ? undefined : placeOfUrl(url);
  if (url === null || !place) return null;
  switch (kind) {
    case 'http':
      return {
        kind,
        url,
        method: http.method,
        headers: joinHeaders(http.headers, openSecrets(secretBox, row.id, row.httpSecrets)),
        body: http.body,
        expectedStatus: http.expectedStatusCodes.flatMap((code) => parseExpectedStatus(code) ?? []),
        followRedirects: http.followRedirects,
        keyword: http.keyword === null ? null : { text: http.keyword, mode: http.keywordMode },
        verifyCertificate: http.verifyCertificate,
        egress: 'monitor',
      };
    case 'ssl':
      return place.port === null
        ? null
        : { kind, host: place.host, port: place.port, incidentDays: ssl.incidentDays, egress: 'monitor' };
    case 'dns':
      return {
        kind,
        hostname: place.host,
        recordTypes: recordTypesOf(dns),
        expectedRecords: expectationsOf(dns),
        resolvers: dns.resolvers,
        checkPropagation: dns.checkPropagation,
        egress: 'monitor',
      };
    case 'tcpUdp':
      if (place.port === null || (place.kind !== 'tcp' && place.kind !== 'udp')) return null;
      // Monitors stored before this was refused: without its `send` the check would test something else.
      if (tcpUdp.send !== null && mailPortOf(url) !== null) return null;
      return { kind, protocol: place.kind, host: place.host, port: place.port, ...tcpUdp, egress: 'monitor' };
  }
}

/** Record types with expectations are queried, too. */
function recordTypesOf({ recordTypes, expectedRecords }: CheckSourceRow['dns']): DnsRecordType[] {
  return [...new Set([...recordTypes, ...(Object.keys(expectedRecords) as DnsRecordType[])])];
}

function expectationsOf({ expectedRecords }: CheckSourceRow['dns']): ExpectedRecords[] {
  return Object.entries(expectedRecords).flatMap(([type, expectation]) =>
    expectation ? [{ type: type as DnsRecordType, ...expectation }] : [],
  );
}
