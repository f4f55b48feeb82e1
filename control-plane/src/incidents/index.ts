export * from './incident-commands.js';
export { applyIncidentCommands } from './apply-incident-commands.js';
export { currentIncidents } from './current-incidents.js';
