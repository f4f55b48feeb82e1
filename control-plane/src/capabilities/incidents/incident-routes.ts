import { z } from 'zod';
import { idParam, pageQuery, rowsOfPage, uuid } from '../../platform/http/schemas.js';
import { listAnswer, type ApiAnswer, route, type Route } from '../../platform/http/route.js';
import {
  incidentListQuery,
  incidentNoteSchema,
  incidentPatchSchema,
  incidentSchema,
  incidentSummarySchema,
  monitorIncidentListQuery,
  noteBodySchema,
} from './incident-schemas.js';
import type { IncidentView } from './describe-incident.js';
import { readIncidentEvidence } from './evidence-document/read-incident-evidence.js';
import { evidenceLinkRoutes } from './evidence-link-routes.js';
import type { EvidenceLinkDeps } from './evidence-links.js';
import { incidentEvidenceSchema } from './incident-evidence-schemas.js';
import { addNote, changeNote, deleteNote, getNote, listNotes } from './incident-notes.js';
import { getIncident, listIncidents, listMonitorIncidents } from './read-incidents.js';
import { updateIncident } from './update-incident.js';

const READ = ['monitor.admin', 'incident.read'] as const;
const WRITE = ['monitor.admin', 'incident.write'] as const;
const noteParams = z.strictObject({ incidentId: uuid, noteId: uuid });
const notesParams = z.strictObject({ incidentId: uuid });
const tag = 'Incidents';
const notesTag = 'Incident notes';

/** Events that the service records without a change of the incident. */
const NOTIFICATION_EVENTS = new Set(['notified', 'notification_failed', 'paged']);

/**
 * The part of an incident that its ETag covers: neither durations, which change every second, nor the notifications
 * sent. So an incident that was read just after it opened can be acknowledged while its notifications go out.
 */
function steadyPart({
  durationFormatted: _,
  timeline,
  ...steady
}: IncidentView): Omit<IncidentView, 'durationFormatted'> {
  return { ...steady, timeline: timeline.filter(({ type }) => !NOTIFICATION_EVENTS.has(type)) };
}

function answerIncident(incident: IncidentView): ApiAnswer {
  return { body: incident, resource: steadyPart(incident) };
}

/** Incidents over REST. */
export function incidentRoutes(deps: EvidenceLinkDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/incident',
      operationId: 'listIncidents',
      summary: 'List incidents',
      description:
        'Newest first, unless `sort` is another. `startDate` and `endDate` select by when an incident started.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: incidentListQuery,
      list: true,
      answers: { 200: { description: 'A page of incidents', schema: z.array(incidentSummarySchema) } },
      async handle({ actor, query }) {
        const { startDate, endDate, endedAfter, page, pageSize, ...filter } = query;
        return listAnswer(
          await listIncidents(
            deps,
            actor,
            { ...filter, fromMs: startDate, toMs: endDate, endedAfterMs: endedAfter },
            rowsOfPage({ page, pageSize }),
          ),
        );
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/incident/{id}',
      operationId: 'getIncident',
      summary: 'Get an incident with its evidence, notes and timeline',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The incident', schema: incidentSchema } },
      handle: async ({ actor, params }) => answerIncident(await getIncident(deps, actor, params.id)),
    }),
    route({
      method: 'get',
      path: '/api/v1/incident/{id}/evidence',
      operationId: 'getIncidentEvidence',
      summary: 'Get the evidence of an incident as people read it',
      description:
        'The same as the document that links in messages open: the verdict of each region, the failing attempts, and the timeline in sentences.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The evidence', schema: incidentEvidenceSchema } },
      handle: async ({ actor, params }) => ({ body: await readIncidentEvidence(deps, actor, params.id) }),
    }),
    route({
      method: 'patch',
      path: '/api/v1/incident/{id}',
      operationId: 'updateIncident',
      audits: ['incident.acknowledged', 'incident.unacknowledged', 'incident.updated', 'incident.closed'],
      summary: 'Acknowledge, change the status, or close an incident',
      tag,
      scopes: WRITE,
      role: 'Responder',
      params: idParam,
      body: incidentPatchSchema,
      answers: { 200: { description: 'The incident as it is now', schema: incidentSchema } },
      faults: ['incident_closed'],
      handle: async (request) =>
        answerIncident(
          await updateIncident(deps, request.actor, request.params.id, request.body, (current) =>
            request.checkPrecondition(steadyPart(current)),
          ),
        ),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/incident',
      operationId: 'listMonitorIncidents',
      summary: 'List the incidents of a monitor',
      tag,
      scopes: ['monitor.admin', 'monitor.read', 'incident.read'],
      role: 'Viewer',
      params: idParam,
      query: monitorIncidentListQuery,
      list: true,
      answers: { 200: { description: 'A page of incidents', schema: z.array(incidentSummarySchema) } },
      async handle({ actor, params, query }) {
        const filter = {
          monitorId: params.id,
          fromMs: query.startDate,
          toMs: query.endDate,
          endedAfterMs: query.endedAfter,
        };
        return listAnswer(await listMonitorIncidents(deps, actor, filter, rowsOfPage(query)));
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/incident/{incidentId}/notes',
      operationId: 'listIncidentNotes',
      summary: 'List the notes of an incident, newest first',
      tag: notesTag,
      scopes: READ,
      role: 'Viewer',
      params: notesParams,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of notes', schema: z.array(incidentNoteSchema) } },
      handle: async ({ actor, params, query }) =>
        listAnswer(await listNotes(deps, actor, params.incidentId, rowsOfPage(query))),
    }),
    route({
      method: 'post',
      path: '/api/v1/incident/{incidentId}/notes',
      operationId: 'createIncidentNote',
      audits: ['incident.note_added'],
      summary: 'Add a note to an open incident',
      tag: notesTag,
      scopes: WRITE,
      role: 'Responder',
      params: notesParams,
      body: noteBodySchema,
      answers: { 201: { description: 'The note', schema: incidentNoteSchema } },
      faults: ['incident_closed'],
      async handle({ actor, params, body }) {
        const note = await addNote(deps, actor, params.incidentId, body.note);
        return { status: 201, body: note, location: `/api/v1/incident/${params.incidentId}/notes/${note.id}` };
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/incident/{incidentId}/notes/{noteId}',
      operationId: 'getIncidentNote',
      summary: 'Get a note of an incident',
      tag: notesTag,
      scopes: READ,
      role: 'Viewer',
      params: noteParams,
      answers: { 200: { description: 'The note', schema: incidentNoteSchema } },
      handle: async ({ actor, params }) => ({ body: await getNote(deps, actor, params) }),
    }),
    route({
      method: 'patch',
      path: '/api/v1/incident/{incidentId}/notes/{noteId}',
      operationId: 'updateIncidentNote',
      audits: ['incident.note_changed'],
      summary: 'Change a note of an open incident',
      tag: notesTag,
      scopes: WRITE,
      role: 'Responder',
      params: noteParams,
      body: noteBodySchema.partial().meta({ id: 'IncidentNotePatch' }),
      answers: { 200: { description: 'The note as it is now', schema: incidentNoteSchema } },
      faults: ['incident_closed'],
      handle: async (request) => ({
        body: await changeNote(deps, request.actor, request.params, request.body.note, (current) =>
          request.checkPrecondition(current),
        ),
      }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/incident/{incidentId}/notes/{noteId}',
      operationId: 'deleteIncidentNote',
      audits: ['incident.note_deleted'],
      summary: 'Delete a note of an open incident',
      tag: notesTag,
      scopes: WRITE,
      role: 'Responder',
      params: noteParams,
      answers: { 204: { description: 'It is gone' } },
      faults: ['incident_closed'],
      async handle(request) {
        await deleteNote(deps, request.actor, request.params, (current) => request.checkPrecondition(current));
        return { status: 204 };
      },
    }),
    ...evidenceLinkRoutes(deps),
  ];
}
