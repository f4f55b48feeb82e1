import { batch, signal, type Signal } from '@preact/signals';
import { asFault, type ApiFault } from './api-fault.js';
import { request, type Answer, type Method, type RequestOptions } from './api.js';
import { nowMs } from './clock.js';
import { eventStream } from './connection.js';
import { decideStale, type ConsoleEvent } from './decide-stale.js';
import { sessionEnded, workspaceId } from './session.js';
import { useEffect, useRef } from 'preact/hooks';
import { paramsOf, queryText, type Query } from './address.js';

const MOST_ENTRIES = 200;
/** The API answers so many rows at once, also where more are asked for. */
const MOST_ROWS = 200;
/** Events that come in a burst cause one request. */
const GATHER_MS = 250;
/** The least time between two requests for the same answer that events cause. */
const LEAST_GAP_MS = 3_000;
/** How often what is shown is read again while no events arrive. */
export const POLL_MS = 15_000;
/** How often it is read again while they do: events name changes of state, not each check. */
export const LIVE_REFRESH_MS = 60_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const;

/** An answer by its address, shared by all that show it. */
export interface Entry {
  readonly path: string;
  readonly workspace: string;
  readonly answer: Signal<Answer<unknown> | undefined>;
  readonly fault: Signal<ApiFault | undefined>;
  readonly isLoading: Signal<boolean>;
  watchers: number;
  isStale: boolean;
  failures: number;
  askedMs: number;
  request: AbortController | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** By workspace and path, in the order of their last use. */
const entries = new Map<string, Entry>();

/** @returns the entry of a path with query in the current workspace; it is made if there is none */
export function entryOf(path: string, workspace = workspaceId.peek()): Entry {
  const key = `${workspace} ${path}`;
  const entry: Entry = entries.get(key) ?? {
    path,
    workspace,
    answer: signal(undefined),
    fault: signal(undefined),
    isLoading: signal(false),
    watchers: 0,
    isStale: true,
    failures: 0,
    askedMs: 0,
    request: undefined,
    timer: undefined,
  };
  entries.delete(key);
  entries.set(key, entry);
  for (const [name, { watchers }] of entries) {
    if (entries.size <= MOST_ENTRIES) break;
    if (watchers === 0 && name !== key) entries.delete(name);
  }
  return entry;
}

/** A moment that is ahead is from before a wrong clock was corrected, and counts as long ago. */
function msSince(atMs: number): number {
  const ms = nowMs() - atMs;
  return ms < 0 ? Infinity : ms;
}

/** Puts an answer that is known already, such as that of the first document. */
export function putAnswer(
  path: string,
  body: unknown,
  total: number | null = null,
  workspace = workspaceId.peek(),
): void {
  const entry = entryOf(path, workspace);
  entry.answer.value = { body, etag: null, total, receivedMs: nowMs() };
  entry.isStale = false;
}

/** Shows what a change has answered until it is read again: who edits it meanwhile edits nothing that is out of date. */
export function putChanged(path: string, answer: Answer<unknown>): void {
  entryOf(path).answer.value = answer;
}

/** @returns the rows of all lists of this path in the current workspace that are known and not out of date, some twice */
export function knownRows<T>(path: string): T[] {
  return [...entries.values()].flatMap(({ path: own, workspace, answer, isStale }) => {
    const rows = answer.peek()?.body;
    const isOf = workspace === workspaceId.peek() && own.split('?')[0] === path && !isStale;
    return isOf && Array.isArray(rows) ? (rows as T[]) : [];
  });
}

/** Keeps an entry current until the returned function is called. The request is aborted when nobody shows it. */
export function watch(entry: Entry): () => void {
  entry.watchers++;
  const ageMs = msSince(entry.answer.peek()?.receivedMs ?? 0);
  if (entry.isStale || ageMs > (eventStream.peek() === 'live' ? LIVE_REFRESH_MS : POLL_MS)) void load(entry);
  return () => {
    entry.watchers--;
    if (entry.watchers > 0) return;
    entry.request?.abort();
    clearTimeout(entry.timer);
    entry.timer = undefined;
  };
}

/**
 * Reads an address, a list up to the length that it asks for, which may be several pages of the API.
 * @throws ApiFault as `request`
 */
export async function readList<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const answer = await request<T>('GET', path, options);
  const rows: unknown = answer.body;
  const most = Math.min(Number(paramsOf(path).get('pageSize')), answer.total ?? 0);
  if (!Array.isArray(rows) || rows.length < MOST_ROWS) return answer;
  for (let page = 2; rows.length < most; page++) {
    const { body: next } = await request<unknown[]>('GET', `${path}&page=${page}`, options);
    if (next.length === 0) break;
    rows.push(...next);
  }
  return answer;
}

/** Reads the answer again. While it loads and where it fails, the former one stays. */
export async function load(entry: Entry): Promise<void> {
  if (sessionEnded.peek()) return;
  entry.request?.abort();
  clearTimeout(entry.timer);
  entry.timer = undefined;
  const controller = new AbortController();
  entry.request = controller;
  entry.isStale = false;
  entry.askedMs = nowMs();
  entry.isLoading.value = true;
  try {
    const answer = await readList(entry.path, { signal: controller.signal, workspace: entry.workspace });
    if (entry.request !== controller) return;
    entry.failures = 0;
    batch(() => {
      entry.answer.value = answer;
      entry.fault.value = undefined;
      entry.isLoading.value = false;
    });
    // It may have changed since it was asked for.
    if (entry.isStale && entry.watchers > 0 && entry.timer === undefined) void load(entry);
  } catch (error) {
    if (entry.request !== controller) return;
    entry.isStale = true;
    batch(() => {
      if (!controller.signal.aborted) entry.fault.value = asFault(error);
      entry.isLoading.value = false;
    });
    if (!controller.signal.aborted) retryLater(entry);
  } finally {
    if (entry.request === controller) entry.request = undefined;
  }
}

/** @returns whether the latest request was refused: trying again does not help */
function isRefused({ fault }: Entry): boolean {
  const status = fault.peek()?.status ?? 0;
  return status > 0 && status < 500 && status !== 429;
}

/** What may pass by itself is tried again. */
function retryLater(entry: Entry): void {
  if (entry.watchers === 0 || isRefused(entry)) return;
  const waitMs = RETRY_MS[Math.min(entry.failures++, RETRY_MS.length - 1)]!;
  entry.timer = setTimeout(() => void load(entry), waitMs);
}

/** Marks what an event may have changed, and reads again what is shown of it. */
export function applyEvent(event: ConsoleEvent): void {
  for (const entry of entries.values()) {
    if (!decideStale(entry.path, event)) continue;
    entry.isStale = true;
    if (entry.watchers === 0 || entry.timer !== undefined) continue;
    const waitMs = Math.max(GATHER_MS, LEAST_GAP_MS - msSince(entry.askedMs));
    entry.timer = setTimeout(() => void load(entry), waitMs);
  }
}

/**
 * Reads all again that is shown and older than `ageMs`; the rest is read again when it is shown. Without an age, as after a
 * change, what is on its way counts as old too, and what was refused is tried again.
 */
export function refreshAll(ageMs = 0): void {
  for (const entry of entries.values()) {
    const isOnItsWay = entry.request !== undefined;
    const atMs = isOnItsWay ? entry.askedMs : (entry.answer.peek()?.receivedMs ?? 0);
    if (ageMs > 0 && (msSince(atMs) < ageMs || isRefused(entry))) continue;
    entry.isStale = true;
    if (entry.watchers > 0 && (ageMs === 0 || !isOnItsWay)) void load(entry);
  }
}

export interface ResourceView<T> {
  /** undefined until the first answer; then always the latest there was. */
  data: T | undefined;
  etag: string | null;
  total: number | null;
  /** When `data` arrived, ms since the epoch; 0 before. */
  receivedMs: number;
  isLoading: boolean;
  /** `data` belongs to the former address: that of this one has not arrived. */
  isPrevious: boolean;
  /** Why the latest request failed; `data` stays. */
  fault: ApiFault | undefined;
  reload: () => void;
}

/**
 * Shows the answer of `GET path` and keeps it current by events. Equal addresses share one request.
 * @param path `/api/v1/…`; null asks for nothing
 */
export function useResource<T>(path: string | null, query?: Query): ResourceView<T> {
  const workspace = workspaceId.value;
  const address = path === null ? null : `${path}${queryText(query)}`;
  const entry = address === null ? undefined : entryOf(address, workspace);
  const former = useRef<{ workspace: string; path: string; answer: Answer<unknown> }>(undefined);

  useEffect(() => (entry === undefined ? undefined : watch(entry)), [address, workspace]);

  const own = entry?.answer.value;
  if (own !== undefined && path !== null) former.current = { workspace, path, answer: own };
  // Another page or filter of a list: what is shown stays until its answer is there. Never that of another object.
  const previous =
    former.current?.workspace === workspace && former.current.path === path ? former.current.answer : undefined;
  const answer = own ?? previous;
  return {
    data: answer?.body as T | undefined,
    etag: own?.etag ?? null,
    total: answer?.total ?? null,
    receivedMs: answer?.receivedMs ?? 0,
    isLoading: entry?.isLoading.value ?? false,
    isPrevious: own === undefined && previous !== undefined,
    fault: entry?.fault.value,
    reload: () => {
      if (entry !== undefined) void load(entry);
    },
  };
}

/** @returns true once all that an action needs is there: nothing of it is on its way, or belongs to a former address */
export function areRead(needs: readonly ResourceView<unknown>[]): boolean {
  return needs.every(({ data, isPrevious }) => data !== undefined && !isPrevious);
}

/**
 * Changes something by the API, and reads again what is shown.
 * @throws ApiFault as `request`
 */
export async function change<T = unknown>(
  method: Exclude<Method, 'GET'>,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const answer = await request<T>(method, path, options);
  refreshAll();
  return answer;
}
