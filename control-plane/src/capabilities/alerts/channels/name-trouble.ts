import type { IncidentSummary } from './alert-message.js';

const TROUBLE: Readonly<Record<IncidentSummary['incidentType'], string>> = {
  Availability: 'Down',
  SslExpiry: 'Certificate at fault',
  Latency: 'Slow',
  Dns: 'DNS at fault',
};

/** What is wrong with the monitor, in a word or two. */
export function nameProblem({ incidentType, severity }: Pick<IncidentSummary, 'incidentType' | 'severity'>): string {
  return incidentType === 'Availability' && severity === 'partial' ? 'Partly down' : TROUBLE[incidentType];
}
