export interface IncidentWords {
  /** As the console names it; in lower case, also in its filter box and addresses. */
  label: string;
  /** As the evidence names the check that found it. */
  check: string;
  /** The state of a region that reports it. */
  failing: string;
  /** An alert begins with it: the trouble in a few words. */
  headline: string;
  /** The behaviour of the monitor while it lasts, and afterwards. */
  is: string;
  was: string;
  /** It is about checks that succeed: a region that it names answers, and not as it should. */
  isOfSuccesses?: boolean;
}

const FACTS = {
  Availability: {
    label: 'Availability',
    check: 'Availability check',
    failing: 'Down',
    headline: 'Down',
    is: 'is down',
    was: 'was down',
  },
  Assertion: {
    label: 'Assertion',
    check: 'Assertions of the HTTP check',
    failing: 'Problem',
    headline: 'Not as expected',
    is: 'does not answer as expected',
    was: 'did not answer as expected',
    isOfSuccesses: true,
  },
  SslExpiry: {
    label: 'Certificate',
    check: 'Certificate check',
    failing: 'Problem',
    headline: 'Certificate at fault',
    is: 'has a certificate problem',
    was: 'had a certificate problem',
  },
  Latency: {
    label: 'Latency',
    check: 'Latency check',
    failing: 'Slow',
    headline: 'Slow',
    is: 'is slow',
    was: 'was slow',
    isOfSuccesses: true,
  },
  Dns: {
    label: 'DNS',
    check: 'DNS check',
    failing: 'Problem',
    headline: 'DNS at fault',
    is: 'has a DNS problem',
    was: 'had a DNS problem',
  },
  Domain: {
    label: 'Domain',
    check: 'Registration of the domain',
    failing: 'Problem',
    headline: 'Domain at fault',
    is: 'has a problem with its domain',
    was: 'had a problem with its domain',
  },
  Heartbeat: {
    label: 'Heartbeat',
    check: 'Heartbeat',
    failing: 'Down',
    headline: 'No success reported',
    is: 'did not report success',
    was: 'did not report success',
  },
} as const satisfies Record<string, IncidentWords>;

export type IncidentType = keyof typeof FACTS;
export const INCIDENT_TYPES = Object.keys(FACTS) as IncidentType[];
export const INCIDENT_WORDS: Readonly<Record<IncidentType, IncidentWords>> = FACTS;

/** The degrees of how bad an incident is, the worst first. */
export const SEVERITIES = ['down', 'partial', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  down: 'Down',
  partial: 'Partly down',
  warning: 'Degraded',
};
