import type { IncidentType } from './incident-types.js';

/** The syntax of a monitor's `url`, independent of its types: its scheme, or a host name alone. */
export const URL_KINDS = ['http', 'https', 'tcp', 'udp', 'grpc', 'grpcs', 'ws', 'wss', 'hostname'] as const;
export type MonitorUrlKind = (typeof URL_KINDS)[number];

/** Whether a monitor is checked: it is while it is `enabled`. */
export const MONITORING_STATUSES = ['enabled', 'disabled', 'paused'] as const;

interface MonitorTypeFacts {
  /** As the console names it, and what it shows. */
  label: string;
  hint: string;
  /** As the filter box of the console and its addresses name it. */
  word: string;
  /** The check that agents run for it, which several types can share; null: no agent checks it. */
  kind: string | null;
  /** Of the incidents that it opens. A check that decides whether its target can be reached belongs to a type of `Availability`. */
  incidentType: IncidentType;
  /** The type of those that it opens while its checks succeed. */
  warningType?: IncidentType;
  /** The smallest plan with it. */
  plan: string;
  /** The fields of a monitor that it reads: what it is set by. */
  settings: readonly string[];
  url: { kinds: readonly MonitorUrlKind[]; words: string; example: string | null };
  /** It is a monitor of its own, in no service group. */
  isAlone?: true;
  /** What the machine of an agent needs for it, which not every one has. */
  needs?: string;
}

/** Every monitor type of the interface specification. Types that share a kind are in the order in which they name it. */
const FACTS = {
  HttpAvailability: {
    label: 'HTTP',
    hint: 'It answers as expected',
    word: 'http',
    kind: 'http',
    incidentType: 'Availability',
    warningType: 'Assertion',
    plan: 'Starter',
    settings: ['http'],
    url: { kinds: ['http', 'https'], words: 'an http:// or https:// URL', example: 'https://example.com/health' },
  },
  SslCertificate: {
    label: 'Certificate',
    hint: 'It is valid, and not about to expire',
    word: 'certificate',
    kind: 'ssl',
    incidentType: 'SslExpiry',
    plan: 'Growth',
    settings: ['ssl'],
    url: {
      kinds: ['https', 'tcp'],
      words: 'an https:// URL, or a tcp:// URL with `ssl.startTls`',
      example: 'https://example.com',
    },
  },
  Latency: {
    label: 'Latency',
    hint: 'It answers fast enough',
    word: 'latency',
    kind: 'http',
    incidentType: 'Latency',
    warningType: 'Assertion',
    plan: 'Growth',
    settings: ['http', 'latency'],
    url: { kinds: ['http', 'https'], words: 'an http:// or https:// URL', example: 'https://example.com/health' },
  },
  Dns: {
    label: 'DNS',
    hint: 'Its records are as expected, on every name server',
    word: 'dns',
    kind: 'dns',
    incidentType: 'Dns',
    plan: 'Pro',
    settings: ['dns'],
    url: {
      kinds: ['http', 'https', 'hostname'],
      words: 'a host name, or an http:// or https:// URL',
      example: 'example.com',
    },
  },
  TcpUdp: {
    label: 'TCP or UDP',
    hint: 'The port accepts connections and answers',
    word: 'tcp',
    kind: 'tcpUdp',
    incidentType: 'Availability',
    plan: 'Enterprise',
    settings: ['tcpUdp'],
    url: {
      kinds: ['tcp', 'udp'],
      words: 'a tcp://host:port or udp://host:port URL',
      example: 'tcp://db.example.com:5432',
    },
    isAlone: true,
  },
  Grpc: {
    label: 'gRPC',
    hint: 'Its health service reports that it is serving',
    word: 'grpc',
    kind: 'grpc',
    incidentType: 'Availability',
    plan: 'Enterprise',
    settings: ['grpc'],
    url: {
      kinds: ['grpc', 'grpcs'],
      words: 'a grpc://host:port or grpcs://host:port URL',
      example: 'grpcs://api.example.com:50051',
    },
    isAlone: true,
  },
  WebSocket: {
    label: 'WebSocket',
    hint: 'It accepts a WebSocket, and sends what is expected',
    word: 'websocket',
    kind: 'webSocket',
    incidentType: 'Availability',
    plan: 'Enterprise',
    settings: ['webSocket'],
    url: { kinds: ['ws', 'wss'], words: 'a ws:// or wss:// URL', example: 'wss://chat.example.com/socket' },
    isAlone: true,
  },
  Ping: {
    label: 'Ping',
    hint: 'The host answers echo requests',
    word: 'ping',
    kind: 'ping',
    incidentType: 'Availability',
    warningType: 'Assertion',
    plan: 'Enterprise',
    settings: ['ping'],
    url: { kinds: ['hostname'], words: 'a host name or an address', example: 'gateway.example.com' },
    isAlone: true,
    needs: 'the program `ping` and the right to use it (see the guide about agents)',
  },
  Domain: {
    label: 'Domain',
    hint: 'It is registered, and not about to expire',
    word: 'domain',
    kind: null,
    incidentType: 'Domain',
    plan: 'Enterprise',
    settings: ['domain'],
    url: {
      kinds: ['hostname', 'http', 'https'],
      words: 'a domain, or an http:// or https:// URL in it',
      example: 'example.com',
    },
    isAlone: true,
  },
  Heartbeat: {
    label: 'Heartbeat',
    hint: 'A job reports in time',
    word: 'heartbeat',
    kind: null,
    incidentType: 'Heartbeat',
    plan: 'Starter',
    settings: ['heartbeat'],
    url: { kinds: [], words: 'no URL', example: null },
  },
} as const satisfies Record<string, MonitorTypeFacts>;

export type MonitorType = keyof typeof FACTS;
type Facts = (typeof FACTS)[MonitorType];
export const MONITOR_TYPES = Object.keys(FACTS) as MonitorType[];

export function factsOf(type: MonitorType): MonitorTypeFacts & Pick<Facts, 'kind' | 'plan'> {
  return FACTS[type];
}

/** Reports whether a type is alone and agents check it, so that it has a one-off test of its own. */
export function isTestable(type: MonitorType): boolean {
  return factsOf(type).isAlone === true && factsOf(type).kind !== null;
}

/** The type of the monitors whose URL has this syntax, where no other type suits it. */
export function typeAloneWith(urlKind: string): MonitorType | undefined {
  return MONITOR_TYPES.find(
    (type) => isTestable(type) && urlKind !== 'hostname' && factsOf(type).url.kinds.some((kind) => kind === urlKind),
  );
}
