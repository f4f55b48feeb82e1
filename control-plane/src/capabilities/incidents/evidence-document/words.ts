import type { IncidentView } from '../describe-incident.js';

type Kind = Pick<IncidentView, 'incidentType' | 'severity'>;

interface TroubleWords {
  is: string;
  was: string;
  /** The state of a region that reports it. */
  failing: string;
  kind: string;
}

const WORDS: Readonly<Record<IncidentView['incidentType'], TroubleWords>> = {
  Availability: { is: 'is down', was: 'was down', failing: 'Down', kind: 'Availability: can it be reached?' },
  SslExpiry: {
    is: 'has a certificate problem',
    was: 'had a certificate problem',
    failing: 'Problem',
    kind: 'Certificate: is it valid, and for how long?',
  },
  Latency: { is: 'is slow', was: 'was slow', failing: 'Slow', kind: 'Latency: does it answer in time?' },
  Dns: {
    is: 'has a DNS problem',
    was: 'had a DNS problem',
    failing: 'Problem',
    kind: 'DNS: does the name resolve as expected?',
  },
};

/** The words for what is or was wrong. */
export function troubleWords({ incidentType, severity }: Kind): TroubleWords {
  const words = WORDS[incidentType];
  if (incidentType !== 'Availability' || severity !== 'partial') return words;
  return { ...words, is: 'is partly down', was: 'was partly down' };
}

export const PHASES = [
  ['dns', 'Looking up the name'],
  ['connect', 'Connecting'],
  ['tls', 'Agreeing on encryption (TLS)'],
  ['firstByte', 'Waiting for the answer'],
  ['transfer', 'Reading the answer'],
] as const;
export type TimedPhase = (typeof PHASES)[number][0];

const FAILED_IN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PHASES.map(([phase, words]) => [phase, words.toLowerCase().replace('(tls)', '(TLS)')])),
  egress: 'choosing the address',
  request: 'sending the request',
  content: 'checking the answer',
};

/** The phase in which a check failed, in words; an unknown phase is returned as it is. */
export function phaseWords(phase: string): string {
  return Object.hasOwn(FAILED_IN, phase) ? FAILED_IN[phase]! : phase;
}

/** `0.4 ms`, `42 ms`, `1,200 ms`. */
export function millisecondsText(value: number): string {
  return `${value >= 100 ? Math.round(value).toLocaleString('en-GB') : Number(value.toPrecision(2))} ms`;
}
