export { recordAudit, type AuditedChange, type ChangeAuthor, type OwnChange } from './record-audit.js';
export { auditRoutes } from './audit-routes.js';
export { purgeAudit } from './purge-audit.js';
