import { principalIdOf } from '../../platform/identity/caller.js';
import { route, type Route } from '../../platform/http/route.js';
import type { EventFeed } from './event-feed.js';
import { parseEventId } from './event-position.js';

const EXAMPLE = `retry: 1250

event: monitor
data: {"id":"019aa5c2-7d3e-7c11-9f0a-3b1c5d7e9f01","version":18231}

event: incident
data: {"id":"019aa5c2-8f10-7a44-8c0e-5d2f6a7b8c9d","version":18232}
id: 1795430400123-4711:4713:4712@Zk3xW91aQ0bT

`;

const DESCRIPTION = `A stream of server-sent events (\`text/event-stream\`), each with the id of an object that changed and a \`version\` that
grows with each of its changes; what changed is read by the other endpoints. Events are \`monitor\` (settings, state, first result),
\`incident\` (state, timeline, notes), \`delivery\` (finished, failed or cancelled), \`fleet\` (\`id\` is a region whose agents changed or
that became suspect), \`member\` (joined, left, role, status, preferences), \`invitation\`, \`apiKey\` (made, revoked) and
\`maintenance\` (reserved). Several changes of an object may be one event, and an event may come twice; a change
that was rolled back has none.

A client that reconnects sends \`Last-Event-ID\` with the last id that it received, as browsers do by themselves, and gets what it missed
for up to 5 minutes. The event \`reset\` asks it to read everything again: the id is older or not known, the database was replaced by a
standby that may lack its newest changes, or more than 500 changes came at once.
Without that header the stream begins now: open it first, and read the objects after that.

A comment comes every 15 s; a stream on which nothing came for 40 s is dead. It ends within seconds when the caller may no longer read the
workspace. A stream is no use of a session of the console, which ends 12 hours after the last one. At most 10 streams of a user, or of an API key, may be open,
and at most 50 of a user with all API keys of that user: more are 429. A server that holds all the streams that it can gives each owner of
workspaces at least one: it ends the oldest stream of the owner who holds most, whose client connects again.`;

export function eventRoutes({ feed }: { feed: EventFeed }): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/events',
      operationId: 'streamEvents',
      summary: 'Follow what changes in the workspace',
      description: DESCRIPTION,
      tag: 'Events',
      scopes: ['monitor.admin', 'monitor.read'],
      role: 'Viewer',
      isStream: true,
      answers: { 200: { description: 'Events until either side ends the stream', example: EXAMPLE } },
      async handle({ actor, headers }) {
        const { workspaceId, ownerId } = actor.workspace;
        const { userId } = actor.caller;
        const principalId = principalIdOf(actor.caller);
        const lastId = headers['last-event-id'];
        const resumes = typeof lastId === 'string' && lastId !== '';
        const since = resumes ? (parseEventId(lastId) ?? 'unknown') : null;
        return { stream: await feed.admit({ principalId, userId, workspaceId, ownerId }, since) };
      },
    }),
  ];
}
