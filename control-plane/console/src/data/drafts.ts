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
