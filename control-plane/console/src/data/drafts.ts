import { first } from './session.js';

const PREFIX = 'draft:';

/** Drafts are kept a user and tab, so that they survive a reload and signing in again, and nobody else gets them. */
function keyOf(name: string): string {
  return `${PREFIX}${first?.user.id ?? ''}:${name}`;
}

/** @returns what was kept under this name; undefined if there is nothing, or nothing that can be read */
export function readDraft(name: string): unknown {
  try {
    const text = sessionStorage.getItem(keyOf(name));
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Keeps a draft. Where the storage is full or switched off, the draft lives as long as the page. */
export function keepDraft(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    return;
  }
}

export function dropDraft(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name));
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
