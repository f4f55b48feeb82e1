// One script: a chunk for each of these costs more to compress than it saves, and who opens one opens the others.
export { DiagnosisScreen } from './incident/diagnosis-screen.js';
export { IncidentScreen } from './incident/incident-screen.js';
export { IncidentsScreen } from './incidents/incidents-screen.js';
export { MonitorScreen } from './monitor/monitor-screen.js';
export { MonitorsScreen } from './monitors/monitors-screen.js';
