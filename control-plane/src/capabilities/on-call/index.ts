export { onCallRoutes } from './on-call-routes.js';
export { mailReadiness } from './readiness.js';
export { settleSwaps } from './follow-swaps.js';
export { teamSection } from './document-section.js';
export { WEEKDAYS } from './decide-rotation.js';
export { calendarLinkRoutes } from './calendar-link-routes.js';
export { readTeamOnCall, type TeamOnCall } from './read-team-on-call.js';
export { readWorkspaceOnCall, type TeamDutyState } from './read-workspace-on-call.js';
