/** The syntax of a monitor's `url`, independent of its types: its scheme, or a host name alone. */
export const URL_KINDS = ['http', 'https', 'tcp', 'udp', 'hostname'] as const;
export type MonitorUrlKind = (typeof URL_KINDS)[number];

interface MonitorTypeFacts {
  /** As the console names it, and what it shows. */
  label: string;
  hint: string;
  /** As the filter box of the console and its addresses name it. */
  word: string;
  /** The check that agents run for it, which several types can share; null: no agent checks it. */
  kind: string | null;
  /** Of the incidents that it opens. A check that decides whether its target can be reached belongs to a type of `Availability`. */
  incidentType: string;
  /** The smallest plan with it. */
  plan: string;
  url: { kinds: readonly MonitorUrlKind[]; words: string };
  /** No other type suits its URL: it is a monitor of its own, in no service group. */
  isAlone?: true;
}

/** Every monitor type of the interface specification. Types that share a kind are in the order in which they name it. */
const FACTS = {
  HttpAvailability: {
    label: 'HTTP',
    hint: 'It answers as expected',
    word: 'http',
    kind: 'http',
    incidentType: 'Availability',
    plan: 'Starter',
    url: { kinds: ['http', 'https'], words: 'an http:// or https:// URL' },
  },
  SslCertificate: {
    label: 'Certificate',
    hint: 'It is valid, and not about to expire',
    word: 'certificate',
    kind: 'ssl',
    incidentType: 'SslExpiry',
    plan: 'Growth',
    url: { kinds: ['https'], words: 'an https:// URL' },
  },
  Latency: {
    label: 'Latency',
    hint: 'It answers fast enough',
    word: 'latency',
    kind: 'http',
    incidentType: 'Latency',
    plan: 'Growth',
    url: { kinds: ['http', 'https'], words: 'an http:// or https:// URL' },
  },
  Dns: {
    label: 'DNS',
    hint: 'Its records are as expected, on every name server',
    word: 'dns',
    kind: 'dns',
    incidentType: 'Dns',
    plan: 'Pro',
    url: { kinds: ['http', 'https', 'hostname'], words: 'a host name, or an http:// or https:// URL' },
  },
  TcpUdp: {
    label: 'TCP or UDP',
    hint: 'The port accepts connections and answers',
    word: 'tcp',
    kind: 'tcpUdp',
    incidentType: 'Availability',
    plan: 'Enterprise',
    url: { kinds: ['tcp', 'udp'], words: 'a tcp://host:port or udp://host:port URL' },
    isAlone: true,
  },
  Heartbeat: {
    label: 'Heartbeat',
    hint: 'A job reports in time',
    word: 'heartbeat',
    kind: null,
    incidentType: 'Heartbeat',
    plan: 'Starter',
    url: { kinds: [], words: 'no URL' },
  },
} as const satisfies Record<string, MonitorTypeFacts>;

export type MonitorType = keyof typeof FACTS;
type Facts = (typeof FACTS)[MonitorType];
export type IncidentType = Facts['incidentType'];
export const MONITOR_TYPES = Object.keys(FACTS) as MonitorType[];
export const INCIDENT_TYPES = [...new Set(MONITOR_TYPES.map((type): IncidentType => FACTS[type].incidentType))];

export function factsOf(type: MonitorType): MonitorTypeFacts & Pick<Facts, 'kind' | 'incidentType' | 'plan'> {
  return FACTS[type];
}
