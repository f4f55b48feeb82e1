import { resource } from '../../platform/http/resource.js';
import type { Route } from '../../platform/http/route.js';
import { KEPT_DAYS, markInputSchema, markListQuery, markSchema } from './mark-schemas.js';
import { createMark, deleteMark, listMarks, type MarkDeps } from './marks.js';

export function markRoutes(deps: MarkDeps): Route[] {
  const mark = resource({
    path: '/api/v1/marks',
    name: 'mark',
    tag: 'Marks',
    schema: markSchema,
    read: { scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' },
    write: { scopes: ['monitor.admin', 'monitor.write'], role: 'Editor' },
  });
  return [
    mark.list({
      summary: 'List marks',
      description: 'Newest first.',
      query: markListQuery,
      run: ({ actor, query }, rows) => listMarks(deps, actor, query, rows),
    }),
    mark.create({
      summary: 'Mark a deploy, or another change outside',
      description: `The diagnosis of an incident names it among what changed before. Marks are kept for ${KEPT_DAYS} days.`,
      body: markInputSchema,
      run: ({ actor, body }) => createMark(deps, actor, body),
    }),
    mark.delete({
      summary: 'Delete a mark',
      run: ({ actor, params }) => deleteMark(deps, actor, params.id),
    }),
  ];
}
