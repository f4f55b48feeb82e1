export { onCallRoutes } from './on-call-routes.js';
export type { OnCallDeps } from './on-call-deps.js';
export { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from './teams.js';
export { addTeamMember, changeTeamMember, removeTeamMember } from './team-members.js';
export { getSchedule, setSchedule } from './schedule.js';
export { addOverride, removeOverride } from './overrides.js';
export { previewShifts, readCalendar, readOnCall } from './read-on-call.js';
export { listRoutedGroups, routeServiceGroup, unrouteServiceGroup } from './routing.js';
export { readTeamOnCall, type TeamOnCall } from './read-team-on-call.js';
