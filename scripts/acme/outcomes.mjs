import { namesOf, summaryOf } from '@watchpost/agent/probes/certificate-summary';
import { freshMs, schedulePhaseMs } from '@watchpost/shared/check';
import { mixHash } from '@watchpost/shared/mix-hash';

const DAY_MS = 86_400_000;
const REGION_EXTRA_MS = { northeurope: 0, eastus2: 74, southeastasia: 148 };
const ADDRESS = '203.0.113.24';
const KIND_OF = { HttpAvailability: 'http', Latency: 'http', SslCertificate: 'ssl', TcpUdp: 'tcpUdp' };

/** The kinds of check of a monitor. */
export const kindsOf = ({ types }) => [...new Set(types.map((type) => KIND_OF[type]))];

/** A number from 0 to 1 that depends on the words and nothing else, so that every run plays the same day. */
function noise(...words) {
  let hash = 0x811c9dc5;
  for (const char of words.join('/')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return mixHash(hash) / 2 ** 32;
}

/** The times in (`afterMs`, `untilMs`] at which a check of a monitor is scheduled in a region. */
export function scheduledTimes(monitor, kind, region, afterMs, untilMs) {
  const intervalMs = monitor.minutes * 60_000;
  const phaseMs = schedulePhaseMs({ monitorKey: monitor.key, kind }, region, intervalMs);
  const times = [];
  for (
    let atMs = Math.floor((afterMs - phaseMs) / intervalMs) * intervalMs + phaseMs;
    atMs <= untilMs;
    atMs += intervalMs
  )
    if (atMs > afterMs) times.push(atMs);
  return times;
}

/** What an agent reports of one check. @param fault what is wrong with the site at that time, see `story.mjs` */
export function resultOf(monitor, kind, region, atMs, fault) {
  const intervalMs = monitor.minutes * 60_000;
  const timings = timingsOf(monitor, kind, region, atMs, fault);
  const result = {
    key: { monitorKey: monitor.key, kind },
    scheduledAtMs: atMs,
    startedAtMs: atMs + 3,
    freshMs: freshMs({ target: { kind, steps: [] }, intervalMs, timeoutMs: 30_000 }),
    loopLagUs: 400,
    outcome: { kind: 'up' },
    totalUs: Object.values(timings).reduce((sum, us) => sum + us, 0),
    timings,
    statusCode: kind === 'http' ? 200 : null,
    address: `${ADDRESS}:443`,
    evidence: null,
    ...(kind === 'ssl' ? { detail: certificateOf(monitor, atMs) } : {}),
  };
  return fault?.outcome === undefined ? result : { ...result, ...fault.outcome(monitor, region) };
}

function timingsOf({ name, typicalMs }, kind, region, atMs, fault) {
  // Slower by day than by night, and never twice the same.
  const hour = (atMs % DAY_MS) / 3_600_000;
  const daily = 1 + 0.16 * Math.sin(((hour - 9) / 24) * 2 * Math.PI);
  const jitter = 0.9 + 0.2 * noise(name, region, atMs) + (noise(atMs, name) > 0.985 ? 0.8 : 0);
  const farMs = REGION_EXTRA_MS[region] * (kind === 'http' ? 1 : 0.4);
  const serverMs = typicalMs * daily * jitter * (fault?.slower ?? 1);
  const us = (ms) => Math.max(1, Math.round(ms * 1_000));
  if (kind === 'tcpUdp')
    return { dnsUs: us(0.6), connectUs: us(serverMs + farMs), tlsUs: 0, firstByteUs: 0, transferUs: 0 };
  return {
    dnsUs: us(3 + 4 * noise(region, atMs, name)),
    connectUs: us(9 + farMs * 0.25),
    tlsUs: us(18 + farMs * 0.3),
    firstByteUs: kind === 'ssl' ? 0 : us(serverMs * 0.8 + farMs * 0.35),
    transferUs: kind === 'ssl' ? 0 : us(serverMs * 0.12 + farMs * 0.1),
  };
}

function certificateOf({ name, address, chain }, atMs) {
  const host = address.split('/')[0];
  // The checkout's certificate ends in nine days: it warns, and is no incident yet.
  const daysLeft = name === 'Certificate of checkout' ? 9 : 61;
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  const madeUp = {
    subject: `CN=${host}`,
    issuer: 'CN=Acme Trust R4, O=Acme Trust',
    serialNumber: '04:9A:1C:77:2E:51',
    validFrom: new Date(dayMs + (daysLeft - 90) * DAY_MS).toISOString(),
    validTo: new Date(dayMs + (daysLeft + 1) * DAY_MS).toISOString(),
    fingerprint256: 'A3:5E:10:9B:77:C4:02:DE:61:8F:34:B9:5A:E0:17:CC:93:4D:28:F6:0B:71:8A:E5:3C:92:D0:46:BF:15:6E:A8',
  };
  const root = {
    ...madeUp,
    subject: 'CN=Acme Trust R4, O=Acme Trust',
    issuer: 'CN=Acme Trust Root X1, O=Acme Trust',
    serialNumber: '11:D0:59',
    validTo: new Date(dayMs + 900 * DAY_MS).toISOString(),
  };
  const summaries = chain?.map(summaryOf) ?? [madeUp, root];
  const [summary] = summaries;
  return {
    kind: 'ssl',
    ...summary,
    isValid: true,
    daysUntilExpiry: Math.floor((Date.parse(summary.validTo) - atMs) / DAY_MS),
    subjectAltNames: chain ? namesOf(chain[0]) : [host],
    keyType: 'ec',
    keyBits: 256,
    signatureAlgorithm: 'ecdsa-with-SHA256',
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    chain: summaries,
    chainTrusted: true,
    hostnameMatches: true,
    ocspStapled: false,
    ocsp: null,
  };
}

/** The site itself answers that it does not work. */
export const answers = (statusCode, statusText, bodyStart) => (monitor, region) => ({
  outcome: {
    kind: 'down',
    phase: 'content',
    reason: 'unexpected_status',
    message: `The server answered with status ${statusCode} ${statusText} instead of 200-399.`,
  },
  statusCode,
  evidence: {
    headers: { 'content-type': 'text/plain', server: 'envoy', 'retry-after': '30', 'x-region': region },
    bodyStart,
    resolved: [ADDRESS],
    hops: [],
  },
});

/** Nothing comes back. */
export const timesOut = () => ({
  outcome: {
    kind: 'down',
    phase: 'connect',
    reason: 'timeout',
    message: `The server at ${ADDRESS}:443 did not accept the connection within 30 s.`,
  },
  statusCode: null,
  totalUs: 30_000_000,
  timings: { dnsUs: 4_100, connectUs: 29_995_900, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
  evidence: { resolved: [ADDRESS] },
});

/** The agent is at fault: nothing is known of the site. */
export const agentOverloaded = () => ({
  outcome: {
    kind: 'inconclusive',
    reason: 'agent_overloaded',
    message: 'The agent had too much to do to measure this check.',
  },
  statusCode: null,
  evidence: null,
});
