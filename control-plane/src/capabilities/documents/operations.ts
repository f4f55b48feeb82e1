import { Fault } from '@watchpost/shared/fault';
import type { ApiRequest, Route } from '../../platform/http/route.js';
import { inputReader } from '../../platform/http/reading/read-input.js';
import { scopesAllow } from '../../platform/http/scopes.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';

/** The input of an operation of REST, as a caller would send it. */
export interface OperationInput {
  params?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** Runs operations of REST for the caller of a request, with the same checks as over HTTP. */
export type RunOperation = (operationId: string, input: OperationInput) => Promise<unknown>;

/** Runs one operation for several inputs at once: for all of them or, where it throws a Fault, for none. */
export type RunOperationForAll = (operationId: string, inputs: readonly OperationInput[]) => Promise<unknown[]>;

export type Operations = ReadonlyMap<string, Route>;

export function operationsOf(routes: readonly Route[]): Operations {
  return new Map(routes.map((route) => [route.operationId, route]));
}

/** The request on whose behalf operations run. */
export type OuterRequest = Pick<
  ApiRequest<unknown, unknown, unknown>,
  'actor' | 'caller' | 'via' | 'requestId' | 'remoteAddress'
>;

/**
 * Makes the functions that run operations. They answer the bodies of the answers, and throw the Fault that the operation would
 * answer.
 */
export function operationRunner(
  operations: Operations,
  { actor, caller, via, requestId, remoteAddress }: OuterRequest,
): { run: RunOperation; runForAll: RunOperationForAll } {
  const requestsOf = (route: Route, inputs: readonly OperationInput[]) => {
    const read = inputReader(route);
    return inputs.map(({ params = {}, body }) => ({
      ...read({ params, querystring: '', body }),
      actor,
      caller,
      via,
      requestId,
      remoteAddress,
      headers: {},
      wantsPage: false,
      checkPrecondition: () => {},
    }));
  };
  return {
    async run(operationId, input) {
      const route = requireAllowed(operations, operationId, actor);
      const [request] = requestsOf(route, [input]);
      return (await route.handle(request!)).body;
    },
    async runForAll(operationId, inputs) {
      const route = requireAllowed(operations, operationId, actor);
      const answers = await route.handleAll!(requestsOf(route, inputs));
      return answers.map(({ body }) => body);
    },
  };
}

/**
 * Checks that a caller may run an operation.
 * @throws Fault insufficient_scope, insufficient_workspace_role
 */
export function requireAllowed(operations: Operations, operationId: string, { caller, workspace }: Actor): Route {
  const route = operations.get(operationId);
  if (!route) throw new Error(`there is no operation ${operationId}`);
  const { scopes, role } = route;
  if (scopes !== 'anonymous' && !scopesAllow(caller.scopes, scopes))
    throw new Fault('insufficient_scope', `This needs a token with one of these scopes: ${scopes.join(', ')}.`);
  if (role !== null && !roleAllows(workspace.role, role)) {
    throw new Fault(
      'insufficient_workspace_role',
      `This needs the role ${role}; yours in this workspace is ${workspace.role}.`,
    );
  }
  return route;
}
