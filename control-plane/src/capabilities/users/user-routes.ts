import { route, type ApiAnswer, type Route } from '../../platform/http/route.js';
import { changeUser, createUser } from './change-user.js';
import { deleteUser, type UserAccountDeps } from './delete-user.js';
import { changePreferences, readPreferences } from './preferences.js';
import { readUser } from './read-user.js';
import { preferencesSchema, type User, userInput, userSchema } from './user-schemas.js';

const tag = 'Users, trial and plans';
const READ = { tag, scopes: ['user.read'], role: null } as const;
const WRITE = { tag, scopes: ['monitor.admin', 'user.write'], role: null, apiKeys: false } as const;

export function userRoutes(deps: UserAccountDeps): Route[] {
  return [...profileRoutes(deps), ...preferencesRoutes(deps)];
}

function profileRoutes(deps: UserAccountDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/user',
      operationId: 'getUser',
      summary: 'Get my profile',
      description:
        'The account that belongs to the access token. It exists from the first request with a valid token on.',
      ...READ,
      answers: { 200: { description: 'My profile', schema: userSchema } },
      handle: async ({ caller }) => answer(await readUser(deps, caller.userId)),
    }),
    route({
      method: 'post',
      path: '/api/v1/user',
      operationId: 'createUser',
      audits: { none: 'the first token has created the account and its workspace already' },
      summary: 'Create my account',
      description:
        'Creates the account of the access token, with a personal workspace. Any first request with a valid token does so, too: 201 means that this request created it, 200 that it existed and is unchanged.',
      tag,
      scopes: ['user.create', 'user.write'],
      role: null,
      body: userInput.optional(),
      answers: {
        200: { description: 'The account that was there', schema: userSchema },
        201: { description: 'The account that was made', schema: userSchema },
      },
      async handle({ caller, body }) {
        const { user, isNew } = await createUser(deps, caller, body ?? {});
        return { ...answer(user), ...(isNew ? { status: 201, location: '/api/v1/user' } : { status: 200 }) };
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/user/{id}',
      operationId: 'updateUser',
      audits: { none: 'a profile belongs to its user, not to a workspace' },
      summary: 'Change my profile',
      description: "Fields that are not named stay. Your own only; another user's id is not found.",
      ...WRITE,
      body: userInput,
      answers: { 200: { description: 'The profile as it is now', schema: userSchema } },
      handle: async ({ caller, params, body, checkPrecondition }) =>
        answer(await changeUser(deps, caller, params.id, body, (current) => checkPrecondition(steadyPart(current)))),
    }),
    route({
      method: 'delete',
      path: '/api/v1/user/{id}',
      operationId: 'deleteUser',
      audits: ['workspace.deleted'],
      summary: 'Delete my account',
      description:
        'Removes the account, its memberships, its personal workspace and every other workspace that nobody else belongs to, with all that is in them. While it owns a workspace with other members it is refused: hand that over or remove them first. A later request with a token of the same principal makes a new account.',
      ...WRITE,
      answers: { 204: { description: 'It is gone' } },
      faults: ['last_owner'],
      run: ({ caller, via, params, checkPrecondition }) =>
        deleteUser(deps, { caller, via }, params.id, (current) => checkPrecondition(steadyPart(current))),
    }),
  ];
}

function preferencesRoutes(deps: UserAccountDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/user/preferences',
      operationId: 'getPreferences',
      summary: 'Get my preferences',
      description: 'A JSON object of whatever applications keep for you; empty at first.',
      ...READ,
      answers: { 200: { description: 'My preferences', schema: preferencesSchema } },
      run: ({ caller }) => readPreferences(deps, caller),
    }),
    route({
      method: 'patch',
      path: '/api/v1/user/preferences',
      operationId: 'updatePreferences',
      audits: { none: 'preferences belong to their user, not to a workspace' },
      summary: 'Change my preferences',
      description: 'A JSON Merge Patch (RFC 7396): null removes a member, objects merge, everything else replaces.',
      tag,
      scopes: ['edit:user', 'user.write'],
      role: null,
      body: preferencesSchema,
      answers: { 200: { description: 'The preferences as they are now', schema: preferencesSchema } },
      run: ({ caller, body, checkPrecondition }) => changePreferences(deps, caller, body, checkPrecondition),
    }),
  ];
}

/** The part of a profile that its ETag covers: without fields that change with time alone. */
function steadyPart({ trial, ...user }: User) {
  const { plan, started, ends } = trial;
  return { ...user, trial: { plan, started, ends } };
}

function answer(user: User): ApiAnswer {
  return { body: user, resource: steadyPart(user) };
}
