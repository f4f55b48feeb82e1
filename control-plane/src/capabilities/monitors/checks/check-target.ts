import { CHECK_KINDS, targetFieldsOf, typeOfKind, type CheckKind, type ProbeTarget } from '@watchpost/shared/check';
import type { DnsRecordType, ExpectedRecords } from '@watchpost/shared/checks/dns';
import { factsOf } from '@watchpost/shared/monitor-types';
import { parseExpectedStatus } from '../settings/expected-status.js';
import { joinFields } from '../../../platform/http/secret-fields.js';
import type { MonitorSecrets } from '../settings/monitor-settings.js';
import { mailPortOf, placeOfUrl } from '../settings/monitor-url.js';
import { SECRET_SETTINGS, TYPE_SETTINGS, type TypeSettings } from '../settings/type-settings-schemas.js';

/** Fields of a target that are neither a setting of the same name, nor a part of the URL, nor has secrets. Null: nothing is checked. */
const CONVERTED: {
  readonly [Kind in CheckKind]?: (settings: TypeSettings[Kind], url: string) => object | null;
} = {
  http: ({ connectTo, expectedStatusCodes, keyword: text, keywordMode: mode }) => ({
    connectTo: connectTo && hostAndPort(connectTo),
    expectedStatus: expectedStatusCodes.flatMap((code) => parseExpectedStatus(code) ?? []),
    keyword: text === null ? null : { text, mode },
    variables: [],
    extract: [],
    steps: [],
  }),
  dns: (dns) => ({ recordTypes: recordTypesOf(dns), expectedRecords: expectationsOf(dns) }),
  // Monitors stored before this was refused: without its `send` the check would test something else.
  tcpUdp: ({ send }, url) => (send !== null && mailPortOf(url) !== null ? null : {}),
};

const KINDS = new Map(
  CHECK_KINDS.map((kind) => [
    kind,
    {
      fields: targetFieldsOf(kind),
      secretSettings: SECRET_SETTINGS.filter(({ field }) => field === kind),
      urls: factsOf(typeOfKind(kind)).url.kinds,
      convert: CONVERTED[kind] as ((settings: object, url: string) => object | null) | undefined,
    },
  ]),
);

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
  secrets: () => MonitorSecrets,
): ProbeTarget | null {
  const { fields, secretSettings, urls, convert } = KINDS.get(kind)!;
  const place = url === null ? undefined : placeOfUrl(url);
  if (url === null || !place || !urls.includes(place.kind)) return null;
  const own: Readonly<Record<string, unknown>> = { ...TYPE_SETTINGS[kind].defaults, ...settings[kind] };
  const converted = convert === undefined ? {} : convert(own, url);
  if (converted === null) return null;
  const opened = secretSettings.length === 0 ? {} : secrets();
  const whole = {};
  for (const { name, path, inTarget } of secretSettings) {
    const fields = own[name] as Readonly<Record<string, unknown>> | null;
    if (fields !== null) Object.assign(whole, inTarget(joinFields(fields, opened[path] ?? {})));
  }
  const { host, port, kind: protocol } = place;
  const inUrl = { url, protocol, host, hostname: host, port };
  const values: Readonly<Record<string, unknown>> = {
    ...inUrl,
    ...own,
    ...whole,
    ...converted,
    kind,
    egress: 'monitor',
  };
  const target: Record<string, unknown> = {};
  for (const { name, isOptional } of fields) if (!isOptional || values[name] !== null) target[name] = values[name];
  return target as unknown as ProbeTarget;
}

function hostAndPort(text: string) {
  const { host, port } = placeOfUrl(`tcp://${text}`)!;
  return { host, port };
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
