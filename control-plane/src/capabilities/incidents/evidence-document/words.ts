import { INCIDENT_WORDS, type IncidentWords, type Severity, SEVERITY_WORDS } from '@watchpost/shared/incident-types';
import type { Incident } from '../incident-schemas.js';

type Kind = Pick<Incident, 'incidentType' | 'severity' | 'worstSeverity'>;

/** The words for what is wrong, and for what was wrong at its worst. */
export function troubleWords({ incidentType, severity, worstSeverity }: Kind): IncidentWords {
  const words = INCIDENT_WORDS[incidentType];
  if (incidentType !== 'Availability') return words;
  return {
    ...words,
    is: severity === 'partial' ? 'is partly down' : words.is,
    was: worstSeverity === 'partial' ? 'was partly down' : words.was,
  };
}

/** `It is partly down now, and was down before.` A severity that this version does not know is named as a fault. */
export function severityChangeWords(from: unknown, to: unknown): string {
  const wordOf = (severity: unknown) => (SEVERITY_WORDS[severity as Severity] ?? 'At fault').toLowerCase();
  return `It is ${wordOf(to)} now, and was ${wordOf(from)} before.`;
}

const FAILED_IN: Readonly<Record<string, string>> = {
  egress: 'The address may not be checked.',
  dns: 'The name could not be resolved.',
  connect: 'No connection could be made.',
  tls: 'The connection could not be encrypted (TLS).',
  auth: 'The check could not sign in.',
  request: 'The request could not be sent.',
  firstByte: 'The server did not answer properly.',
  transfer: 'The answer did not arrive completely.',
  content: 'The response was not as expected.',
};

/** What went wrong, by the phase in which a check failed; an unknown phase is named as it is. */
export function failureWords(phase: string, reason: string): string {
  if (reason.startsWith('certificate_')) return 'The certificate is not acceptable.';
  return Object.hasOwn(FAILED_IN, phase) ? FAILED_IN[phase]! : `It failed in the phase ${phase}.`;
}
