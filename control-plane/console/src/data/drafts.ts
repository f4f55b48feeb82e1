import { MASK } from '@watchpost/shared/secrets/secret-header';
import { first, workspaceId } from './session.js';

const PREFIX = 'draft:';

/** Drafts of what belongs to the user, in every workspace. */
const OF_USER: readonly string[] = ['profile'];

/**
 * Drafts are kept a user, workspace and tab, so that they survive a reload and signing in again, and nobody else gets them.
 * Reading the key follows the workspace.
 */
export function draftKey(name: string): string {
  return `${PREFIX}${first?.user.id ?? ''}:${OF_USER.includes(name) ? '' : workspaceId.value}:${name}`;
}

/** Decides whether a text that was typed is a secret, by its path in the values of a form. */
export type IsSecretText = (path: readonly string[], text: string) => boolean;

/** The values of a form as they are kept. */
export interface Draft<T> {
  values: T;
  /** The paths of the secrets that were typed, which are kept nowhere. */
  leftOut: readonly (readonly string[])[];
}

/** Leaves the secrets out that were typed. In their place is what was there `before`, unless that is one, too. */
export function draftOf<T>(typed: T, before: T, isSecret: IsSecretText): Draft<T> {
  const leftOut: string[][] = [];
  const isTyped = (value: unknown, path: readonly string[]) =>
    typeof value === 'string' && value !== '' && value !== MASK && isSecret(path, value);
  const kept = (value: unknown, path: string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => kept(item, [...path, String(index)]));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, kept(own, [...path, name])]));
    if (!isTyped(value, path)) return value;
    leftOut.push(path);
    const former = valueAtPath(before, path);
    return typeof former === 'string' && !isTyped(former, path) ? former : undefined;
  };
  return { values: kept(typed, []) as T, leftOut };
}

/** @returns the secrets of a draft that have not been typed again, and that something still needs */
export function missingOf<T>(draft: Draft<T>, values: T): Draft<T>['leftOut'] {
  return draft.leftOut.filter(
    (path) =>
      typeof valueAtPath(values, path.slice(0, -1)) === 'object' &&
      valueAtPath(values, path) === valueAtPath(draft.values, path),
  );
}

function valueAtPath(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], values);
}

/** @returns what was kept by this key; undefined if there is nothing, or nothing that can be read */
export function readDraft(key: string): unknown {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Keeps a draft. Where the storage is full or switched off, the draft lives as long as the page. */
export function keepDraft(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}

export function dropDraft(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    return;
  }
}

/** For signing out: the next user of this tab gets no drafts. */
export function dropAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    return;
  }
}
