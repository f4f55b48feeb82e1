export { INCIDENT_STATUSES, type IncidentCommand, type CurrentIncident } from './incident-commands.js';
export { type ApplyDeps, applyIncidentCommands } from './apply-incident-commands.js';
export {
  addFailurePaths,
  addSecondOpinion,
  closeIncidentsOfMonitors,
  currentIncidents,
  eraseIncidents,
  lockOpenIncidents,
  type MonitorEnding,
  readIncidentEnds,
} from './monitor-incidents.js';
export { expireAcknowledgementsTask } from './expire-acknowledgements.js';
export { incidentRoutes } from './incident-routes.js';
export { getIncident } from './read-incidents.js';
export { readIncidentEvidence } from './evidence-document/read-incident-evidence.js';
export { incidentTools } from './incident-tools.js';
export { evidenceDocumentRoutes } from './evidence-document/evidence-document-routes.js';
export { acknowledgeRoutes } from './acknowledge-routes.js';
export { serviceCallRoutes } from './service-calls/service-call-routes.js';
export { purgeServiceCalls } from './service-calls/answer-call.js';
export { countOpenByHour, readOpenIncidents } from './read-open-incidents.js';
export type { EvidenceContext, FailureEvidence, SecondOpinion } from './incident-evidence-schemas.js';
export { incidentSummarySchema } from './incident-schemas.js';
