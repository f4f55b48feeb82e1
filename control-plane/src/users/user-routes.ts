import { route, type Route } from '../http/route.js';
import type { Database } from '../db/database.js';
import { readOwnUser } from './read-user.js';
import { userSchema } from './user-schemas.js';

/** Users over REST. */
export function userRoutes(deps: { db: Database }): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/user',
      operationId: 'getUser',
      summary: 'Get my profile',
      description:
        'The account that belongs to the access token. It exists from the first request with a valid token on.',
      tag: 'Users, trial and plans',
      scopes: ['user.read'],
      role: null,
      answers: { 200: { description: 'My profile', schema: userSchema } },
      handle: async ({ caller }) => ({ body: await readOwnUser(deps, caller) }),
    }),
  ];
}
