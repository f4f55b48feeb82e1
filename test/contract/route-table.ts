import { readFileSync, writeFileSync } from 'node:fs';
import type { Route } from '@watchpost/control-plane/platform/http/route';
import type { Role } from '@watchpost/control-plane/platform/identity/caller';

/** One endpoint of the specification, independent of the code. */
export interface SpecRow {
  method: string;
  path: string;
  /** Null: no token is required. */
  scope: string | null;
  /** The least role. Null: no workspace is required. */
  role: Role | null;
}

const fileOf = (name: string) => new URL(`../../contract/${name}`, import.meta.url);
const ROUTES = fileOf('routes.txt');
/** Writes the table of routes instead of comparing it: `UPDATE_SNAPSHOTS=1 npm test -- contract/coverage`. */
const isUpdating = process.env['UPDATE_SNAPSHOTS'] === '1';

/** The tables of the specification, which no change of ours may change. */
export const SPECIFICATION: readonly SpecRow[] = readFileSync(fileOf('specification.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path, scope, role] = line.split(/\s+/) as [string, string, string, string];
    return { method, path, scope: scope === 'none' ? null : scope, role: role === '-' ? null : (role as Role) };
  });

/** Replaces the names of parameters, which do not distinguish paths. */
export function rowKey({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
}

/** What every route declares of access and audit, a line each: reviewed where it changes. */
export function tableOf(routes: readonly Route[]): string {
  return routes
    .map(({ method, path, scopes, role, apiKeys = true, audits = [] }) =>
      [
        `${path} ${method.toUpperCase()}`,
        scopes === 'anonymous' ? 'no token' : scopes.join(' or '),
        role ?? 'no workspace',
        ...(apiKeys || scopes === 'anonymous' ? [] : ['no API key']),
        ...('none' in audits
          ? [`not audited: ${audits.none}`]
          : audits.length > 0
            ? [`audits ${audits.join(', ')}`]
            : []),
      ].join(' · '),
    )
    .toSorted()
    .map((line) => `${line}\n`)
    .join('');
}

export function reviewedTable(current: string): string {
  if (isUpdating) writeFileSync(ROUTES, current);
  return readFileSync(ROUTES, 'utf8');
}
