export { reportRoutes } from './report-routes.js';
export { sendDueReports } from './send-due-reports.js';
