import { z } from 'zod';
import { ADDRESS_FAMILIES, familyOf, parseV4, parseV6 } from '@watchpost/shared/address-ranges';
import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import type { FaultDetail } from '@watchpost/shared/fault';
import { isAboutBody } from '@watchpost/shared/assertions/sources';
import { decideStepFaults } from './decide-step-faults.js';
import { METHODS_WITH_BODY } from './request-settings.js';
import { isAlone, isOneMonitor, mailPortOf, placeOfUrl, urlTypeFaults } from './monitor-url.js';

const text = z.string().nullish().catch(null);
const map = z.record(z.string(), z.unknown()).optional().catch(undefined);
const request = z.object({
  method: text,
  body: text,
  headers: map,
  auth: z.object({ type: text, tokenUrl: text }).nullish().catch(null),
  assertions: z
    .array(z.object({ source: text, target: z.unknown().optional() }))
    .optional()
    .catch(undefined),
  extract: map,
});
type Request = z.output<typeof request>;
/**
 * The settings of a body that can contradict each other. What it leaves out is unknown here and causes no fault, and neither
 * does what is no such setting at all.
 */
export const contradictable = z.object({
  name: z.unknown().optional(),
  /** Null: there is none. */
  url: text,
  monitorTypes: z
    .array(z.unknown())
    .transform((types) => MONITOR_TYPES.filter((type) => types.includes(type)))
    .optional()
    .catch(undefined),
  serviceGroupId: text,
  privateLocations: z.array(z.unknown()).optional().catch(undefined),
  /** In ms. */
  checkTimeout: z.number().optional().catch(undefined),
  http: z
    .object({
      ...request.shape,
      keyword: text,
      connectTo: text,
      addresses: text,
      variables: map,
      steps: z
        .array(request.extend({ name: text, url: text, delay: text }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  dns: z
    .object({ resolvers: z.array(z.unknown()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  ssl: z.object({ addresses: text, startTls: text }).optional().catch(undefined),
  tcpUdp: z
    .object({
      send: text,
      expect: text,
      preset: text,
      script: z
        .array(z.object({ send: text }))
        .nullish()
        .catch(null),
      addresses: text,
    })
    .optional()
    .catch(undefined),
  /** Whether it has these settings matters here, not which. */
  heartbeat: z.unknown().optional(),
});
export type ContradictableSettings = Partial<z.output<typeof contradictable>>;

/** The contradictions between settings that are each valid. */
export function decideSettingsFaults(settings: ContradictableSettings): FaultDetail[] {
  const { url, monitorTypes, serviceGroupId, checkTimeout, http, tcpUdp } = settings;
  const faults: FaultDetail[] = heartbeatFaults(settings);
  if (typeof url === 'string' && monitorTypes !== undefined) {
    for (const message of urlTypeFaults(url, monitorTypes)) faults.push({ path: 'url', message });
  }
  const alone = monitorTypes?.find(isAlone);
  if (monitorTypes && alone && !isOneMonitor(monitorTypes)) {
    const others = monitorTypes.filter((type) => type !== alone).join(', ');
    const { words } = factsOf(alone).url;
    const message = `cannot have ${alone} together with ${others}: it needs ${words}, so make a monitor of its own for it`;
    faults.push({ path: 'monitorTypes', message });
  }
  if (alone && typeof serviceGroupId === 'string') {
    faults.push({ path: 'serviceGroupId', message: `must be null for ${alone}, which joins no service group` });
  }
  const mailPort = typeof url === 'string' ? mailPortOf(url) : null;
  if (mailPort !== null && typeof tcpUdp?.send === 'string') {
    faults.push({
      path: 'tcpUdp.send',
      message: `must be null for port ${mailPort}: nothing is sent to mail servers. They greet by themselves; check the greeting with \`tcpUdp.expect\``,
    });
  }
  faults.push(...scriptFaults(settings, mailPort), ...startTlsFaults(settings));
  if (typeof url === 'string') faults.push(...familyFaults(url, settings));
  if (http === undefined) return faults;
  faults.push(...requestFaults('http', url, http));
  if (http.method === 'HEAD' && typeof http.keyword === 'string')
    faults.push({ path: 'http.keyword', message: 'cannot be found with HEAD, whose answers have no body' });
  for (const [index, step] of (http.steps ?? []).entries())
    faults.push(...requestFaults(`http.steps.${index}`, step.url, { ...step, method: step.method ?? 'GET' }));
  return [...faults, ...decideStepFaults(http, checkTimeout)];
}

/** The contradictions within one request of a check. */
function requestFaults(
  at: string,
  url: string | null | undefined,
  { method, body, headers = {}, auth, assertions = [], extract = {} }: Request,
): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const fault = (path: string, message: string) => faults.push({ path: `${at}.${path}`, message });
  if (typeof method === 'string' && typeof body === 'string' && !METHODS_WITH_BODY.has(method))
    fault('body', `cannot be sent with ${method}; ${[...METHODS_WITH_BODY].join(', ')} can carry one`);
  if (auth?.type === 'clientCertificate' && typeof url === 'string' && placeOfUrl(url)?.kind === 'http')
    fault('auth', 'needs an https:// URL: without TLS no certificate is presented');
  const authorization = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  if (authorization !== undefined && typeof auth?.type === 'string' && auth.type !== 'clientCertificate')
    fault(`headers.${authorization}`, `is what \`${at}.auth\` sends: leave one of them out`);
  if (method !== 'HEAD') return faults;
  const message = 'is not there with HEAD, whose answers have no body';
  for (const [index, { source }] of assertions.entries())
    if (isAboutBody(source)) fault(`assertions.${index}.source`, message);
  for (const [name, value] of Object.entries(extract))
    if (['json', 'regex'].includes((value as { from?: string } | null)?.from ?? ''))
      fault(`extract.${name}.from`, message);
  return faults;
}

/** The commands that a script may send to mail servers, in whole lines: with others, a mail could be sent. */
const MAIL_COMMANDS = /^(?:(?:EHLO [\w.:[\]-]{1,255}|STARTTLS|NOOP|QUIT)\r\n)+$/i;

/** A script is in place of what is sent and expected, and a preset in place of a script. */
function scriptFaults({ url, tcpUdp }: ContradictableSettings, mailPort: number | null): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const given = (['preset', 'script'] as const).filter((field) => tcpUdp?.[field]);
  const [first] = given;
  if (!tcpUdp || first === undefined) return faults;
  const fault = (field: string, message: string) => faults.push({ path: `tcpUdp.${field}`, message });
  for (const field of ['send', 'expect'] as const)
    if (typeof tcpUdp[field] === 'string') fault(field, `must be null where there is \`tcpUdp.${first}\``);
  if (given.length > 1) fault('script', 'must be null where there is `tcpUdp.preset`');
  if (typeof url === 'string' && placeOfUrl(url)?.kind === 'udp') fault(first, 'needs a tcp:// URL');
  if (mailPort === null) return faults;
  if (typeof tcpUdp.preset === 'string' && tcpUdp.preset !== 'smtp')
    fault('preset', `must be smtp for port ${mailPort}, which is one of mail servers`);
  for (const [index, { send }] of (tcpUdp.script ?? []).entries())
    if (typeof send === 'string' && !MAIL_COMMANDS.test(bytesOf(send)))
      fault(
        `script.${index}.send`,
        `must have only the commands EHLO with a name, STARTTLS, NOOP and QUIT for port ${mailPort}, each with \\r\\n at its end`,
      );
  return faults;
}

function bytesOf(payload: string): string {
  return payload.startsWith('hex:')
    ? Buffer.from(payload.slice(4).replaceAll(/\s/g, ''), 'hex').toString('latin1')
    : payload;
}

/** Where TLS begins follows from the URL, except for services that turn to it. */
function startTlsFaults({ url, monitorTypes, ssl }: ContradictableSettings): FaultDetail[] {
  if (typeof url !== 'string' || !monitorTypes?.includes('SslCertificate') || ssl?.startTls === undefined) return [];
  const { kind } = placeOfUrl(url) ?? {};
  if (kind === 'tcp' && ssl.startTls === null)
    return [{ path: 'ssl.startTls', message: 'is required for the certificate of a tcp:// URL' }];
  if (kind === 'https' && ssl.startTls !== null)
    return [{ path: 'ssl.startTls', message: 'must be null for an https:// URL, whose connections begin with TLS' }];
  return [];
}

/** A URL, or the place that replaces its own, with an address instead of a name has one family only. */
function familyFaults(url: string, settings: ContradictableSettings): FaultDetail[] {
  const place = settings.http?.connectTo;
  return (['http', 'ssl', 'tcpUdp'] as const).flatMap((field) => {
    const [what, where] = field === 'http' && place ? ['`http.connectTo`', `tcp://${place}`] : ['the URL', url];
    const address = placeOfUrl(where)?.host ?? '';
    const wanted = settings[field]?.addresses;
    const isName = parseV4(address) === null && parseV6(address) === null;
    if (isName || (wanted !== 'ipv4' && wanted !== 'ipv6')) return [];
    const family = familyOf(address);
    if (wanted === family) return [];
    const message = `cannot be ${wanted}: ${what} has the ${ADDRESS_FAMILIES[family]} address ${address}`;
    return [{ path: `${field}.addresses`, message }];
  });
}

/** A heartbeat is a monitor of its own kind: nothing is checked, so it has no URL. */
function heartbeatFaults({ url, monitorTypes, heartbeat }: ContradictableSettings): FaultDetail[] {
  if (monitorTypes === undefined) return [];
  if (!monitorTypes.includes('Heartbeat')) {
    const message = 'must be left out: only monitors of type Heartbeat have it';
    return heartbeat === undefined || heartbeat === null ? [] : [{ path: 'heartbeat', message }];
  }
  const others = monitorTypes.filter((type) => type !== 'Heartbeat').join(', ');
  const together = `cannot have Heartbeat together with ${others}: make a monitor of its own for it`;
  return [
    ...(others === '' ? [] : [{ path: 'monitorTypes', message: together }]),
    ...(url === undefined || url === null
      ? []
      : [{ path: 'url', message: 'must not be sent for Heartbeat, which checks nothing' }]),
  ];
}

/** What a new monitor lacks: a heartbeat has no URL to take a name from, and no default of when it is due. */
export function decideMissing(settings: ContradictableSettings): FaultDetail[] {
  const isHeartbeat = settings.monitorTypes?.includes('Heartbeat');
  const message = `is required${isHeartbeat ? ' for Heartbeat' : ''}`;
  const needed = isHeartbeat ? (['name', 'heartbeat'] as const) : (['url'] as const);
  return needed.flatMap((path) =>
    settings[path] === undefined || (path === 'heartbeat' && settings[path] === null) ? [{ path, message }] : [],
  );
}
