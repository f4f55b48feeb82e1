import type { IncidentView } from '../describe-incident.js';

type Kind = Pick<IncidentView, 'incidentType' | 'severity'>;

interface TroubleWords {
  is: string;
  was: string;
  /** What a region says that sees it. */
  failing: string;
  kind: string;
}

const WORDS: Readonly<Record<IncidentView['incidentType'], TroubleWords>> = {
  Availability: { is: 'is down', was: 'was down', failing: 'Down', kind: 'Availability: can it be reached?' },
  SslExpiry: {
    is: 'has a certificate at fault',
    was: 'had a certificate at fault',
    failing: 'At fault',
    kind: 'Certificate: is it valid, and for how long?',
  },
  Latency: { is: 'is slow', was: 'was slow', failing: 'Slow', kind: 'Latency: does it answer in time?' },
  Dns: {
    is: 'has DNS at fault',
    was: 'had DNS at fault',
    failing: 'At fault',
    kind: 'DNS: does the name lead where it should?',
  },
};

/** What is wrong, or was, in the words of this page. */
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
  content: 'judging the answer',
};

/** Where a check failed, for people; the name itself for one that is not known here. */
export function phaseWords(phase: string): string {
  return Object.hasOwn(FAILED_IN, phase) ? FAILED_IN[phase]! : phase;
}

/** `0.4 ms`, `42 ms`, `1,200 ms`. */
export function millisecondsText(value: number): string {
  return `${value >= 100 ? Math.round(value).toLocaleString('en-GB') : Number(value.toPrecision(2))} ms`;
}
