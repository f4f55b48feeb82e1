import type { IncidentType } from '@watchpost/shared/incident-types';
import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';

const WITHOUT: readonly IncidentType[] = ['SslExpiry', 'Dns', 'Domain'];

/** Checks of certificates, names and domains do not count as availability. */
export function hasUptime(monitorTypes: readonly MonitorType[]): boolean {
  return !monitorTypes.every((type) => WITHOUT.includes(factsOf(type).incidentType));
}
