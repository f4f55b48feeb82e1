import type { ZodType } from 'zod';
import type { Route } from './route.js';
import { SCOPES } from './scopes.js';

/** What is wrong with the declarations themselves, in sentences; none at all in a sound program. */
export function faultsOfRoutes(routes: readonly Route[]): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const route of routes) {
    const report = (fault: string) =>
      faults.push(`${route.operationId} (${route.method.toUpperCase()} ${route.path}): ${fault}`);
    for (const name of [route.operationId, `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`]) {
      if (seen.has(name)) report(`declared twice: ${name}`);
      seen.add(name);
    }
    checkPath(route, report);
    checkAccess(route, report);
    if (route.list && !(route.query && 'page' in route.query.shape && 'pageSize' in route.query.shape)) {
      report('a list needs `page` and `pageSize` in its query');
    }
    if ((route.method === 'get') !== (route.audits === undefined))
      report('a GET changes nothing, and any other method names what it adds to the audit log (`audits`)');
    if (route.isStream && route.method !== 'get') report('only a GET answers with an event stream');
    if (!Object.keys(route.answers).some((status) => /^[23]/.test(status))) report('declares no answer for success');
    if (route.body)
      for (const loose of looseObjects(route.body, 'body'))
        report(`${loose} takes unknown fields: make it a strictObject`);
  }
  return faults;
}

function checkPath(route: Route, report: (fault: string) => void): void {
  const inPath = Array.from(route.path.matchAll(/\{(\w+)\}/g), (match) => match[1]!);
  const declared = Object.keys(route.params?.shape ?? {});
  for (const name of inPath) if (!declared.includes(name)) report(`the path parameter ${name} has no schema`);
  for (const name of declared) if (!inPath.includes(name)) report(`the parameter ${name} is not in the path`);
  if (route.workspaceParam !== undefined && !inPath.includes(route.workspaceParam))
    report(`no parameter ${route.workspaceParam} names the workspace`);
}

function checkAccess(route: Route, report: (fault: string) => void): void {
  if (route.scopes === 'anonymous') {
    if (route.role !== null || route.workspaceParam !== undefined)
      report('an anonymous route has no role and no workspace');
    if (route.apiKeys !== undefined) report('an anonymous route takes no API key');
    return;
  }
  if (route.scopes.length === 0) report('names no scope');
  for (const scope of route.scopes) if (!(scope in SCOPES)) report(`there is no scope ${scope}`);
}

interface Definition {
  type: string;
  shape?: Record<string, ZodType>;
  catchall?: ZodType;
  element?: ZodType;
  innerType?: ZodType;
  in?: ZodType;
  valueType?: ZodType;
  options?: readonly ZodType[];
  left?: ZodType;
  right?: ZodType;
}

function looseObjects(schema: ZodType, path: string, depth = 0): string[] {
  if (depth > 16) return [];
  const definition = schema.def as unknown as Definition;
  const inner = (next: ZodType | undefined, name: string) =>
    next ? looseObjects(next, `${path}${name}`, depth + 1) : [];
  return [
    ...(definition.type === 'object' && definition.catchall === undefined ? [path] : []),
    ...Object.entries(definition.shape ?? {}).flatMap(([name, field]) => inner(field, `.${name}`)),
    ...inner(definition.element, '[]'),
    ...inner(definition.valueType, '.*'),
    ...[definition.innerType, definition.in, definition.left, definition.right, ...(definition.options ?? [])].flatMap(
      (next) => inner(next, ''),
    ),
  ];
}
