import { CHECK_KINDS, targetFieldsOf, typeOfKind, type CheckKind, type ProbeTarget } from '@watchpost/shared/check';
import type { DnsRecordType, ExpectedRecords } from '@watchpost/shared/checks/dns';
import { scriptBeforeTls, scriptOfPreset } from '@watchpost/shared/checks/tcp-script';
import { factsOf } from '@watchpost/shared/monitor-types';
import { parseExpectedStatus } from '../settings/expected-status.js';
import { parseDuration } from '@watchpost/shared/duration';
import { withSecrets } from '../settings/decide-secrets.js';
import type { MonitorSecrets } from '../settings/monitor-settings.js';
import { mailPortOf, placeOfUrl } from '../settings/monitor-url.js';
import { FIELDS_WITH_SECRETS } from '../settings/secret-places.js';
import { TYPE_SETTINGS, type TypeSettings } from '../settings/type-settings-schemas.js';

/** Fields of a target that are neither a setting of the same name nor a part of the URL. Null: nothing is checked. */
const CONVERTED: {
  readonly [Kind in CheckKind]?: (settings: TypeSettings[Kind], url: string) => object | null;
} = {
  http: ({ connectTo, keyword: text, keywordMode: mode, variables, steps, ...request }) => ({
    ...requestOf(request),
    connectTo: connectTo && hostAndPort(connectTo),
    keyword: text === null ? null : { text, mode },
    variables: Object.entries(variables).map(([name, value]) =>
      typeof value === 'string' ? { name, value, secret: false } : { name, value: value.secret, secret: true },
    ),
    steps: steps.map(({ name, url, method, auth, body, assertions, always, delay, ...step }) => {
      const delayMs = parseDuration(delay)!;
      return { name, url, method, auth, body, assertions, always, delayMs, ...requestOf(step) };
    }),
  }),
  grpc: ({ metadata }) => ({ headers: headersOf(metadata) }),
  webSocket: ({ headers }) => ({ headers: headersOf(headers) }),
  dns: (dns) => ({ recordTypes: recordTypesOf(dns), expectedRecords: expectationsOf(dns) }),
  // Monitors stored before this was refused: without its `send` the check would test something else.
  tcpUdp: ({ send, preset, script }, url) =>
    send !== null && mailPortOf(url) !== null
      ? null
      : { script: preset === null ? script : scriptOfPreset(preset, placeOfUrl(url)!.port!) },
  ssl: ({ startTls }) => ({ prelude: startTls && scriptBeforeTls(startTls) }),
};

const KINDS = new Map(
  CHECK_KINDS.map((kind) => [
    kind,
    {
      fields: targetFieldsOf(kind),
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
  const { fields, urls, convert } = KINDS.get(kind)!;
  const place = url === null ? undefined : placeOfUrl(url);
  if (url === null || !place || !urls.includes(place.kind)) return null;
  const masked = { [kind]: { ...TYPE_SETTINGS[kind].defaults, ...settings[kind] } };
  const own = (FIELDS_WITH_SECRETS.has(kind) ? withSecrets(masked, secrets()) : masked)[kind]!;
  const converted = convert === undefined ? {} : convert(own, url);
  if (converted === null) return null;
  const { host, port, kind: protocol } = place;
  const inUrl = { url, protocol, host, hostname: host, port };
  const values: Readonly<Record<string, unknown>> = {
    ...inUrl,
    ...own,
    ...converted,
    kind,
    egress: 'monitor',
  };
  const target: Record<string, unknown> = {};
  for (const { name, isOptional } of fields) if (!isOptional || values[name] !== null) target[name] = values[name];
  return target as unknown as ProbeTarget;
}

function requestOf({
  headers,
  expectedStatusCodes,
  extract,
}: Pick<TypeSettings['http'], 'headers' | 'expectedStatusCodes' | 'extract'>) {
  return {
    headers: headersOf(headers),
    expectedStatus: expectedStatusCodes.flatMap((code) => parseExpectedStatus(code) ?? []),
    extract: Object.entries(extract).map(([name, { expression = '', ...facts }]) => ({ name, expression, ...facts })),
  };
}

function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
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
