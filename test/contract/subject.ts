import type { Route } from '@watchpost/control-plane/platform/http/route';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Api, ApiResponse } from '../support/product.js';
import { TWILIO } from '../support/signed-calls.js';
import type { World } from '../support/seed.js';
import type { Example, ExampleCall } from './example.js';
import { EXAMPLES } from './examples/index.js';

/** The app that the whole suite shares. The cases are made from its route table. */
export const app: TestApp = await startTestApp({ env: { ...TWILIO, TWILIO_API_URL: 'http://127.0.0.1:9' } });
after(() => app.stop());
export const description = await app.describe();

export interface Subject {
  route: Route;
  /** `DELETE /api/v1/monitor/{id}` */
  title: string;
  example: Example;
}

export const SUBJECTS: readonly Subject[] = app.routes.map((route) => ({
  route,
  title: `${route.method.toUpperCase()} ${route.path}`,
  example: EXAMPLES[route.operationId] ?? {},
}));

/** Routes that need a token. */
export const GUARDED = SUBJECTS.filter(({ route }) => route.scopes !== 'anonymous');

/** The parameters of a path, except the one that names the workspace. */
export function paramsOf({ route }: Subject): string[] {
  const names = Array.from(route.path.matchAll(/\{(\w+)\}/g), (match) => match[1]!);
  return names.filter((name) => name !== route.workspaceParam);
}

export function pathOf(
  { route }: Pick<Subject, 'route'>,
  workspaceId: string,
  { params = {}, query }: ExampleCall,
): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === route.workspaceParam ? workspaceId : params[name];
    if (value === undefined) throw new Error(`the example of ${route.operationId} has no value for {${name}}`);
    return encodeURIComponent(value);
  });
  return query === undefined ? path : `${path}?${query}`;
}

export async function seedOf(subject: Subject, world: World): Promise<ExampleCall> {
  return (await subject.example.seed?.(world)) ?? {};
}

/** The caller that the example names, or a member with the least role of the route. */
export async function callerOf(subject: Subject, world: World, call: ExampleCall, scope?: string): Promise<Api> {
  if (subject.route.scopes === 'anonymous') return world.app.anonymous;
  const options = scope === undefined ? {} : { scope };
  if (call.by) return world.as(call.by, options);
  const { role } = subject.route;
  return world.as(role === null ? world.owner : await world.member(role), options);
}

/** Calls the route with the parameters of its example, except for those given. */
export async function send(
  subject: Subject,
  world: World,
  call: ExampleCall,
  more: { api?: Api; headers?: Record<string, string>; path?: string; body?: unknown } = {},
): Promise<ApiResponse> {
  const api = more.api ?? (await callerOf(subject, world, call));
  const body = 'body' in more ? more.body : call.body;
  return api(subject.route.method.toUpperCase(), more.path ?? pathOf(subject, world.workspaceId, call), body, {
    ...call.headers,
    ...more.headers,
  });
}

export function successOf({ route, example }: Subject): number {
  return example.status ?? Number(Object.keys(route.answers).find((status) => status.startsWith('2')));
}
