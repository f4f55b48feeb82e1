import { z } from 'zod';
import { entityTag } from '../../platform/http/entity-tag.js';
import { listAnswer, route, type Route } from '../../platform/http/route.js';
import { idParam, linkQuery, linkTokenParams, pageQuery, rowsOfPage, uuid } from '../../platform/http/schemas.js';
import { calendarLinkInputSchema, calendarLinkSchema, newCalendarLinkSchema } from './calendar-link-schemas.js';
import {
  addCalendarLink,
  CALENDAR_PATH,
  type CalendarLinkDeps,
  listCalendarLinks,
  MAX_LINKS,
  readLinkedCalendar,
  removeCalendarLink,
  steadyPart,
} from './calendar-links.js';
import { READ, tag, WRITE } from './team-routes.js';

/** Rejects when a caller makes too many requests. */
interface Limit {
  take(who: string): Promise<void>;
}

export interface CalendarLinkRouteDeps extends CalendarLinkDeps {
  /** By address, and by link. */
  limits: { visitors: Limit; links: Limit };
}

/** Links through which calendar programs, which send no token, read who is on call. */
export function calendarLinkRoutes(deps: CalendarLinkRouteDeps): Route[] {
  const path = '/api/v1/teams/{id}/calendar-links';
  return [
    route({
      method: 'get',
      path,
      operationId: 'listCalendarLinks',
      summary: 'List the links to the calendar of a team',
      description:
        'Newest first: your own, and those of everybody for an Admin or the Owner. The links themselves are not shown.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of links', schema: z.array(calendarLinkSchema) } },
      handle: async ({ actor, params, query }) =>
        listAnswer(await listCalendarLinks(deps, actor, params.id, rowsOfPage(query))),
    }),
    route({
      method: 'post',
      path,
      operationId: 'createCalendarLink',
      audits: ['calendar_link.created'],
      summary: 'Make a link to the calendar of a team, for a calendar program',
      description: `Everybody with the link can read this calendar and nothing else, as long as you are an active member and the link is not deleted. At most ${MAX_LINKS} per person and team.`,
      tag,
      scopes: WRITE,
      role: 'Viewer',
      params: idParam,
      body: calendarLinkInputSchema,
      answers: { 201: { description: 'The link, shown this once', schema: newCalendarLinkSchema } },
      async handle({ actor, params, body }) {
        const link = await addCalendarLink(deps, actor, params.id, body);
        const location = `/api/v1/teams/${params.id}/calendar-links/${link.id}`;
        return { status: 201, body: link, location, resource: steadyPart(link) };
      },
    }),
    route({
      method: 'delete',
      path: `${path}/{linkId}`,
      operationId: 'deleteCalendarLink',
      audits: ['calendar_link.deleted'],
      summary: 'End a link to the calendar of a team',
      description: 'Your own, or anybody’s as Admin or Owner.',
      tag,
      scopes: WRITE,
      role: 'Viewer',
      params: z.strictObject({ id: uuid, linkId: uuid }),
      answers: { 204: { description: 'It leads nowhere any more' } },
      async handle({ actor, params, checkPrecondition }) {
        await removeCalendarLink(deps, actor, params, checkPrecondition);
        return { status: 204 };
      },
    }),
    route({
      method: 'get',
      path: `${CALENDAR_PATH}/{token}/on-call.ics`,
      operationId: 'readLinkedCalendar',
      summary: 'The shifts of a team as an iCalendar feed, by a link to it',
      description:
        'RFC 5545, from 30 days ago to 180 days ahead, times in UTC. The token in the link is the credential.',
      tag,
      scopes: 'anonymous',
      role: null,
      params: linkTokenParams,
      query: linkQuery,
      produces: ['text/calendar'],
      secretPath: true,
      faults: ['rate_limited'],
      answers: { 200: { description: 'The calendar' } },
      async handle({ params, remoteAddress }) {
        await deps.limits.visitors.take(remoteAddress);
        const { text, content } = await readLinkedCalendar(deps, params.token, (linkId) =>
          deps.limits.links.take(linkId),
        );
        // The link is the credential, so shared caches must not store the answer.
        const headers = {
          'Cache-Control': 'private, no-cache',
          ETag: entityTag(content),
          'X-Robots-Tag': 'noindex',
        };
        return { body: text, type: 'text/calendar; charset=utf-8', headers };
      },
    }),
  ];
}
