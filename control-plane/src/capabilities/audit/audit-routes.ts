import { z } from 'zod';
import type { Database } from '../../platform/db/database.js';
import { route, type Route } from '../../platform/http/route.js';
import { auditEntrySchema, auditQuery } from './audit-schemas.js';
import { listAudit } from './list-audit.js';
import { AUDIT_RETENTION_DAYS } from './purge-audit.js';

export function auditRoutes(deps: { db: Database }): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/workspaces/{id}/audit',
      operationId: 'listAuditEntries',
      summary: 'List who changed what in a workspace',
      description: `Newest first. Every change by a person, an API key, a link or an operator makes one entry for each object that it changes; a request that changes nothing makes none. Entries cannot be changed and are kept for ${AUDIT_RETENTION_DAYS} days.`,
      tag: 'Audit log',
      scopes: ['account.read'],
      role: 'Admin',
      workspaceParam: 'id',
      query: auditQuery,
      list: true,
      answers: { 200: { description: 'A page of entries', schema: z.array(auditEntrySchema) } },
      run: ({ actor, query }, rows) => listAudit(deps, actor, query, rows),
    }),
  ];
}
