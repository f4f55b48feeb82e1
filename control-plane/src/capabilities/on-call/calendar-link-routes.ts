import { entityTag } from '../../platform/http/entity-tag.js';
import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import { BY_LINK } from '../../platform/http/schemas.js';
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
import { ACCESS } from './team-routes.js';

/** Rejects when a caller makes too many requests. */
interface Limit {
  take(who: string): Promise<void>;
}

export interface CalendarLinkRouteDeps extends CalendarLinkDeps {
  /** By address, and by link. */
  limits: { visitors: Limit; links: Limit };
}

const link = resource({
  ...ACCESS,
  path: '/api/v1/teams/{id}/calendar-links',
  name: 'calendar link',
  schema: calendarLinkSchema,
  param: 'linkId',
});

/** Links through which calendar programs, which send no token, read who is on call. */
export function calendarLinkRoutes(deps: CalendarLinkRouteDeps): Route[] {
  return [
    link.list({
      summary: 'List the links to the calendar of a team',
      description:
        'Newest first: your own, and those of everybody for an Admin or the Owner. The links themselves are not shown.',
      run: ({ actor, params }, rows) => listCalendarLinks(deps, actor, params.id, rows),
    }),
    link.create({
      summary: 'Make a link to the calendar of a team, for a calendar program',
      description: `Everybody with the link can read this calendar and nothing else, as long as you are an active member and the link is not deleted. At most ${MAX_LINKS} per person and team.`,
      role: 'Viewer',
      body: calendarLinkInputSchema,
      created: newCalendarLinkSchema,
      run: ({ actor, params, body }) => addCalendarLink(deps, actor, params.id, body),
      answer: (made) => ({ body: made, resource: steadyPart(made) }),
    }),
    link.delete({
      summary: 'End a link to the calendar of a team',
      description: 'Your own, or anybody’s as Admin or Owner.',
      role: 'Viewer',
      run: ({ actor, params }) => removeCalendarLink(deps, actor, params),
    }),
    route({
      method: 'get',
      path: `${CALENDAR_PATH}/{token}/on-call.ics`,
      operationId: 'readLinkedCalendar',
      summary: 'The shifts of a team as an iCalendar feed, by a link to it',
      description:
        'RFC 5545, from 30 days ago to 180 days ahead, times in UTC. The token in the link is the credential.',
      tag: ACCESS.tag,
      ...BY_LINK,
      produces: ['text/calendar'],
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
