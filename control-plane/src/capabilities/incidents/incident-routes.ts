import { z } from 'zod';
import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import {
  type Incident,
  incidentListQuery,
  incidentNoteSchema,
  incidentPatchSchema,
  incidentSchema,
  incidentSummarySchema,
  monitorIncidentListQuery,
  noteBodySchema,
} from './incident-schemas.js';
import { steadyPart } from './describe-incident.js';
import { readIncidentEvidence } from './evidence-document/read-incident-evidence.js';
import { evidenceLinkRoutes } from './evidence-link-routes.js';
import type { EvidenceLinkDeps } from './evidence-links.js';
import { incidentEvidenceSchema } from './incident-evidence-schemas.js';
import { addNote, changeNote, deleteNote, getNote, listNotes } from './incident-notes.js';
import { getIncident, listIncidents, listMonitorIncidents } from './read-incidents.js';
import { updateIncident } from './update-incident.js';

const READ = { scopes: ['monitor.admin', 'incident.read'], role: 'Viewer' } as const;
const WRITE = { scopes: ['monitor.admin', 'incident.write'], role: 'Responder' } as const;
const tag = 'Incidents';

const incident = resource({
  path: '/api/v1/incident',
  name: 'incident',
  tag,
  schema: incidentSchema,
  read: READ,
  write: WRITE,
  answer: (view: Incident) => ({ body: view, resource: steadyPart(view) }),
});

const note = resource({
  path: '/api/v1/incident/{incidentId}/notes',
  name: 'incident note',
  tag: 'Incident notes',
  schema: incidentNoteSchema,
  read: READ,
  write: WRITE,
  param: 'noteId',
});

export function incidentRoutes(deps: EvidenceLinkDeps): Route[] {
  return [
    incident.list({
      summary: 'List incidents',
      description:
        'Newest first, unless `sort` is another. `startDate` and `endDate` select by when an incident started.',
      query: incidentListQuery,
      schema: incidentSummarySchema,
      run: ({ actor, query: { startDate, endDate, endedAfter, ...filter } }, rows) =>
        listIncidents(deps, actor, { ...filter, fromMs: startDate, toMs: endDate, endedAfterMs: endedAfter }, rows),
    }),
    incident.get({
      summary: 'Get an incident with its evidence, notes and timeline',
      run: ({ actor, params }) => getIncident(deps, actor, params.id),
    }),
    route({
      method: 'get',
      path: '/api/v1/incident/{id}/evidence',
      operationId: 'getIncidentEvidence',
      summary: 'Get the evidence of an incident as people read it',
      description:
        'The same as the document that links in messages open: the verdict of each region, the failing attempts, and the timeline in sentences.',
      tag,
      ...READ,
      answers: { 200: { description: 'The evidence', schema: incidentEvidenceSchema } },
      run: ({ actor, params }) => readIncidentEvidence(deps, actor, params.id),
    }),
    incident.update({
      method: 'patch',
      audits: ['incident.acknowledged', 'incident.unacknowledged', 'incident.updated', 'incident.closed'],
      summary: 'Acknowledge, change the status, or close an incident',
      body: incidentPatchSchema,
      faults: ['incident_closed'],
      run: ({ actor, params, body }) => updateIncident(deps, actor, params.id, body),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/incident',
      operationId: 'listMonitorIncidents',
      summary: 'List the incidents of a monitor',
      tag,
      scopes: ['monitor.admin', 'monitor.read', 'incident.read'],
      role: 'Viewer',
      query: monitorIncidentListQuery,
      list: true,
      answers: { 200: { description: 'A page of incidents', schema: z.array(incidentSummarySchema) } },
      run({ actor, params, query }, rows) {
        const filter = {
          monitorId: params.id,
          fromMs: query.startDate,
          toMs: query.endDate,
          endedAfterMs: query.endedAfter,
        };
        return listMonitorIncidents(deps, actor, filter, rows);
      },
    }),
    note.list({
      summary: 'List the notes of an incident, newest first',
      run: ({ actor, params }, rows) => listNotes(deps, actor, params.incidentId, rows),
    }),
    note.create({
      audits: ['incident.note_added'],
      summary: 'Add a note to an open incident',
      body: noteBodySchema,
      faults: ['incident_closed'],
      run: ({ actor, params, body }) => addNote(deps, actor, params.incidentId, body.note),
    }),
    note.get({
      summary: 'Get a note of an incident',
      run: ({ actor, params }) => getNote(deps, actor, params),
    }),
    note.update({
      method: 'patch',
      audits: ['incident.note_changed'],
      summary: 'Change a note of an open incident',
      body: noteBodySchema.partial().meta({ id: 'IncidentNotePatch' }),
      faults: ['incident_closed'],
      run: ({ actor, params, body }) => changeNote(deps, actor, params, body.note),
    }),
    note.delete({
      audits: ['incident.note_deleted'],
      summary: 'Delete a note of an open incident',
      faults: ['incident_closed'],
      run: ({ actor, params }) => deleteNote(deps, actor, params),
    }),
    ...evidenceLinkRoutes(deps),
  ];
}
