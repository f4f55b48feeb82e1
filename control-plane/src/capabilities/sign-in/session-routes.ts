import { notFound } from '@watchpost/shared/fault';
import { z } from 'zod';
import { route, type Route } from '../../platform/http/route.js';
import { pageQuery } from '../../platform/http/schemas.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Caller } from '../../platform/identity/caller.js';
import { type Session, sessionSchema } from './session-schemas.js';
import { type ConsoleSessions, MAX_SESSIONS } from './sessions.js';

const shared = { tag: 'Users, trial and plans', role: null } as const;
/** A key is for a program: it ends no browser of its owner. */
const changing = { ...shared, apiKeys: false } as const;
const PATH = '/api/v1/user/sessions';

export function sessionRoutes({ sessions }: { sessions: ConsoleSessions }): Route[] {
  return [
    route({
      ...shared,
      method: 'get',
      path: PATH,
      operationId: 'listSessions',
      summary: 'List the browsers that are signed in to the console as me',
      description: `The one that was used last first; at most ${MAX_SESSIONS}. A session ends 12 hours after its last use, and 30 days after its sign-in in any case. Event streams are no use, nor are requests with the header \`x-watchpost-background: 1\`, by which a page reports that an event or a timer caused them.`,
      scopes: ['user.read'],
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of sessions', schema: z.array(sessionSchema) } },
      async run({ caller }, rows) {
        const { items, total } = await sessions.list(caller.userId, rows);
        return { items: items.map((session) => describeSession(session, caller)), total };
      },
    }),
    route({
      ...changing,
      method: 'delete',
      path: `${PATH}/{id}`,
      operationId: 'endSession',
      audits: { none: 'a session belongs to its user, not to a workspace' },
      summary: 'Sign one browser out',
      description: 'Its next request is refused, on every process.',
      scopes: ['monitor.admin', 'user.write'],
      answers: { 204: { description: 'It is signed out' } },
      faults: ['not_found'],
      run: ({ caller, params, checkPrecondition }) => sessions.end(caller.userId, params.id, checkPrecondition),
    }),
    route({
      ...changing,
      method: 'delete',
      path: PATH,
      operationId: 'endSessions',
      audits: { none: 'sessions belong to their user, not to a workspace' },
      summary: 'Sign out everywhere',
      description:
        'Ends all sessions of the console, this one included. Access tokens go on until they expire. Without a session it is not found.',
      scopes: ['monitor.admin', 'user.write'],
      answers: { 204: { description: 'No browser is signed in' } },
      faults: ['not_found'],
      async run({ caller, checkPrecondition }) {
        if ((await sessions.endAll(caller.userId, checkPrecondition)) === 0) throw notFound('session');
      },
    }),
  ];
}

function describeSession(
  session: Awaited<ReturnType<ConsoleSessions['list']>>['items'][number],
  { credential }: Caller,
): Session {
  const isCurrent = credential.type === 'session' && credential.id === session.id;
  return viewOf(sessionSchema, { ...session, ends: new Date(session.endsAtMs), isCurrent });
}
