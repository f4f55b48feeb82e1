import type { CheckKind, ProbeTarget } from '@watchpost/shared/check';
import type { DnsRecordType, ExpectedRecords } from '@watchpost/shared/checks/dns';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import { parseExpectedStatus } from '../settings/expected-status.js';
import { joinHeaders } from '../settings/http-headers.js';
import { type HttpSettings, httpSettings } from '../settings/http-settings-schemas.js';
import type { HttpSecrets } from '../settings/monitor-settings.js';
import { mailPortOf, placeOfUrl } from '../settings/monitor-url.js';
import { dnsSettings, sslSettings, tcpUdpSettings, type TypeSettings } from '../settings/type-settings-schemas.js';

/**
 * The target of a monitor's check of one kind.
 * @param settings as stored: what is not there has its default
 * @param secrets called where they are sent
 * @returns null where the URL does not suit that kind
 */
export function checkTarget(
  kind: CheckKind,
  url: string | null,
  settings: Partial<TypeSettings>,
  secrets: () => HttpSecrets,
): ProbeTarget | null {
  const place = url === null ? undefined : placeOfUrl(url);
  if (url === null || !place) return null;
  switch (kind) {
    case 'http': {
      const http = { ...httpSettings.defaults, ...settings.http };
      return httpTarget(url, http, joinHeaders(http.headers, secrets()));
    }
    case 'ssl': {
      if (place.port === null) return null;
      const { incidentDays } = { ...sslSettings.defaults, ...settings.ssl };
      return { kind, host: place.host, port: place.port, incidentDays, egress: 'monitor' };
    }
    case 'dns': {
      const dns = { ...dnsSettings.defaults, ...settings.dns };
      const [recordTypes, expectedRecords] = [recordTypesOf(dns), expectationsOf(dns)];
      return { kind, hostname: place.host, ...dns, recordTypes, expectedRecords, egress: 'monitor' };
    }
    case 'tcpUdp': {
      const tcpUdp = { ...tcpUdpSettings.defaults, ...settings.tcpUdp };
      if (place.port === null || (place.kind !== 'tcp' && place.kind !== 'udp')) return null;
      // Monitors stored before this was refused: without its `send` the check would test something else.
      if (tcpUdp.send !== null && mailPortOf(url) !== null) return null;
      return { kind, protocol: place.kind, host: place.host, port: place.port, ...tcpUdp, egress: 'monitor' };
    }
  }
}

/** The target of an HTTP check. A setting that agents read as it is needs no line here; where it is null, it is not sent. */
export function httpTarget(url: string, http: HttpSettings, headers: HttpTarget['headers']): HttpTarget {
  const { expectedStatusCodes, keyword: text, keywordMode: mode, body, ...same } = http;
  const expectedStatus = expectedStatusCodes.flatMap((code) => parseExpectedStatus(code) ?? []);
  const keyword = text === null ? null : { text, mode };
  const target = {
    kind: 'http' as const,
    url,
    ...same,
    headers,
    expectedStatus,
    keyword,
    body,
    egress: 'monitor' as const,
  };
  for (const name of Object.keys(same) as (keyof typeof same)[]) if (target[name] === null) delete target[name];
  return target;
}

/** Record types with expectations are queried, too. */
function recordTypesOf({ recordTypes, expectedRecords }: TypeSettings['dns']): DnsRecordType[] {
  return [...new Set([...recordTypes, ...(Object.keys(expectedRecords) as DnsRecordType[])])];
}

function expectationsOf({ expectedRecords }: TypeSettings['dns']): ExpectedRecords[] {
  return Object.entries(expectedRecords).flatMap(([type, expectation]) =>
    expectation ? [{ type: type as DnsRecordType, ...expectation }] : [],
  );
}
