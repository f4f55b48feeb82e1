import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Reference, parseReference } from './references/reference.js';
import { parseRootAnchors } from './probes/dnssec/root-anchors.js';
import type { KeyDigest } from './probes/dnssec/zone-key.js';
import { createEgressPolicy, type EgressPolicy } from '@watchpost/shared/egress';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import { isLoopbackHost } from '@watchpost/shared/loopback';
import { parseUrl } from '@watchpost/shared/parse-url';
import { parseAgentToken, type AgentToken } from './sync/agent-token.js';

/** The configuration from the environment, validated and with defaults. Only this file of the agent reads `process.env`. */
export interface AgentConfig {
  /** At least one address of the control plane; either all use TLS or none does. */
  controlPlaneUrls: readonly URL[];
  /** null: the agent uses the certificate in `dataDir`. */
  token: AgentToken | null;
  /** Authorities to trust beside the public ones, each as PEM, from NODE_EXTRA_CA_CERTS. */
  extraRoots: readonly string[];
  /** Spool, assignment and lock. */
  dataDir: string;
  metricsHost: string;
  /** 0: any free port. */
  metricsPort: number;
  monitorEgress: EgressPolicy;
  publicEgress: EgressPolicy;
  denyCidrs: readonly string[];
  logLevel: string;
  /** A file that replaces /etc/resolv.conf; undefined: none. */
  resolvConf: string | undefined;
  /** The port of the authoritative name servers of zones. */
  nameServerPort: number;
  /** Digests of the keys of the root zone that DNSSEC begins with; undefined: those of IANA. */
  rootAnchors: readonly KeyDigest[] | undefined;
  spoolMaxBytes: number;
  /** Targets that show whether the agent has a network. */
  references: Reference[];
}

/** Lists every fault of the environment. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(
      `The agent's configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MOST_REFERENCES = 10;
const MEGABYTE = 1024 * 1024;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const MOST_CONTROL_PLANES = 10;
const CONTROL_PLANE_TAKES =
  'the address of the control plane’s agent port: https://host:port, or on the same machine http://127.0.0.1:8443; several of one control plane separated by commas';

/** @throws ConfigError with each invalid variable, its value and what it accepts; never the value of a token */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): AgentConfig {
  const faults: string[] = [];
  const fault = (name: string, takes: string, secret = false) => {
    const value = env[name];
    const got =
      value === undefined || value === '' ? 'is not set' : secret ? 'is not usable' : `is ${JSON.stringify(value)}`;
    faults.push(`${name} ${got}: it takes ${takes}`);
  };
  const whole = (name: string, fallback: number, min: number, max: number, takes: string): number => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    fault(name, takes);
    return fallback;
  };
  const cidrs = (name: string): string[] => {
    const ranges = (env[name] ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    try {
      createEgressPolicy({ allowCidrs: ranges });
      return ranges;
    } catch {
      fault(name, 'a comma-separated list of CIDR ranges, like 10.0.0.0/8,fd00::/8');
      return [];
    }
  };
  const certificates = (name: string, takes: string): string[] => {
    const faultsBefore = faults.length;
    const found = readable(name, takes).match(CERTIFICATE) ?? [];
    if (faults.length === faultsBefore && (found.length === 0 || !found.every(isCertificate))) fault(name, takes);
    return found;
  };
  const denyCidrs = cidrs('PROBE_DENY_CIDRS');
  const egress = (name: string): EgressPolicy =>
    createEgressPolicy({ allowCidrs: cidrs(name), denyCidrs, ownAddresses });

  const controlPlaneUrls = parseControlPlanes(env['CONTROL_PLANE_URL'] ?? '', (got, takes) =>
    faults.push(`CONTROL_PLANE_URL ${got}: it takes ${takes}`),
  );
  const readable = (name: string, takes: string): string => {
    try {
      return readFileSync(env[name]!, 'utf8');
    } catch (error) {
      fault(name, `${takes}: ${(error as Error).message}`);
      return '';
    }
  };
  if (env['AGENT_TOKEN'] && env['AGENT_TOKEN_FILE'])
    fault('AGENT_TOKEN_FILE', 'a file with the token, where AGENT_TOKEN is not set');
  const tokenVariable = env['AGENT_TOKEN'] ? 'AGENT_TOKEN' : 'AGENT_TOKEN_FILE';
  const tokenText = (
    env['AGENT_TOKEN'] || (env['AGENT_TOKEN_FILE'] ? readable('AGENT_TOKEN_FILE', 'a file with the token') : '')
  ).trim();
  const extraRoots = env['NODE_EXTRA_CA_CERTS'] ? certificates('NODE_EXTRA_CA_CERTS', 'a PEM file of authorities') : [];
  const isTls = controlPlaneUrls[0]?.protocol === 'https:';
  // Over TLS an enrolled agent needs no token. Whether it is enrolled is known when its folder is opened.
  if (tokenText === '' ? !isTls : !/^[\x21-\x7e]{1,512}$/.test(tokenText))
    fault(
      tokenText === '' ? 'AGENT_TOKEN' : tokenVariable,
      'the token that `npm run admin -- agents create` prints once',
      true,
    );
  const dataDir = env['DATA_DIR'] ?? '';
  if (dataDir === '') fault('DATA_DIR', 'a folder for this agent only, on a disk that survives restarts');
  const metricsHost = env['METRICS_HOST'] || '127.0.0.1';
  if (isIP(metricsHost) === 0) fault('METRICS_HOST', 'an IP address to listen on');
  const logLevel = env['LOG_LEVEL'] || 'info';
  if (!LEVELS.includes(logLevel)) fault('LOG_LEVEL', `one of ${LEVELS.join(', ')}`);

  const references = (env['REFERENCE_TARGETS'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseReference);
  if (references.length > MOST_REFERENCES || references.includes(undefined))
    fault(
      'REFERENCE_TARGETS',
      `up to ${MOST_REFERENCES} targets that answer as long as there is a network, comma-separated: host:port or URLs, like 1.1.1.1:443,https://example.com`,
    );

  const anchorsTake = 'DS records of the root zone, like `20326 8 2 E06D…`, or the path of a file of them';
  const anchorsText = env['DNS_ROOT_ANCHORS'] ?? '';
  const anchorsBefore = faults.length;
  const rootAnchors =
    anchorsText === ''
      ? undefined
      : parseRootAnchors(anchorsText.includes('/') ? readable('DNS_ROOT_ANCHORS', anchorsTake) : anchorsText);
  if (rootAnchors === null && faults.length === anchorsBefore) fault('DNS_ROOT_ANCHORS', anchorsTake);

  const config: AgentConfig = {
    rootAnchors: rootAnchors ?? undefined,
    references: references.filter((reference) => reference !== undefined),
    controlPlaneUrls,
    token: tokenText === '' ? null : parseAgentToken(tokenText),
    extraRoots,
    dataDir,
    metricsHost,
    logLevel,
    metricsPort: whole('METRICS_PORT', 9465, 0, 65_535, 'a port, 0 to 65535 (0 takes any free one)'),
    monitorEgress: egress('PROBE_ALLOW_CIDRS'),
    publicEgress: egress('PUBLIC_CHECK_ALLOW_CIDRS'),
    denyCidrs,
    resolvConf: env['RESOLV_CONF']
      ? (readable('RESOLV_CONF', 'a file in the format of /etc/resolv.conf'), env['RESOLV_CONF'])
      : undefined,
    nameServerPort: whole('NAME_SERVER_PORT', 53, 1, 65_535, 'the port of the name servers of zones, 1 to 65535'),
    spoolMaxBytes: whole('SPOOL_MAX_MB', 512, 16, 1_000_000, 'a number of megabytes, 16 or more') * MEGABYTE,
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/**
 * The addresses of one control plane, without duplicates.
 * @param fault called for each invalid address, with what it is and what is accepted
 */
function parseControlPlanes(text: string, fault: (got: string, takes: string) => void): URL[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) fault('is not set', CONTROL_PLANE_TAKES);
  const urls = new Map<string, URL>();
  for (const part of parts) {
    const url = parseControlPlane(part);
    if (url) urls.set(url.origin, url);
    else fault(`has ${JSON.stringify(part)}`, CONTROL_PLANE_TAKES);
  }
  if (urls.size > MOST_CONTROL_PLANES) fault(`has ${urls.size} addresses`, `at most ${MOST_CONTROL_PLANES}`);
  // With TLS an agent has a certificate, without TLS a permanent token; it cannot have both.
  if (new Set([...urls.values()].map(({ protocol }) => protocol)).size > 1)
    fault('has https:// and http://', 'addresses of one kind');
  return [...urls.values()];
}

/** Without TLS the token could be read on the way, so that only loopback addresses are accepted. */
function parseControlPlane(text: string): URL | undefined {
  const url = parseUrl(text);
  if (!url) return undefined;
  const bare =
    url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === '';
  return bare && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    ? url
    : undefined;
}
