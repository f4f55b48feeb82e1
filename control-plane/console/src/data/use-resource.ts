import { useEffect, useRef } from 'preact/hooks';
import type { ApiFault } from './api-fault.js';
import type { Answer } from './api.js';
import { entryOf, load, watch } from './resources.js';
import { queryText, type Query } from './query-text.js';
import { workspaceId } from './session.js';

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
