export * from './incident-commands.js';
export { applyIncidentCommands } from './apply-incident-commands.js';
export { currentIncidents } from './current-incidents.js';
export { closeIncidentsOfMonitor } from './close-incidents-of-monitor.js';
export { incidentRoutes } from './incident-routes.js';
export { getIncident, listIncidents, type IncidentDeps } from './read-incidents.js';
export { updateIncident } from './update-incident.js';
export { addNote, listNotes } from './incident-notes.js';
export { IncidentNoteEntity } from './incident-note.entity.js';
