import type { Mark } from '@watchpost/control-plane/capabilities/marks/mark-schemas';
import { momentText } from '../parts/format.js';
import type { MarkedSpan } from '../parts/time-axis.js';
import { now } from './clock.js';
import { useResource } from './resources.js';

/** The newest are shown. */
const MOST = 100;

/**
 * The marks of a stretch of time that concern a monitor: those with one of its tags, and those without any.
 * @param tags of the monitor; undefined while they are not known
 */
export function useMarks(
  tags: readonly string[] | undefined,
  stretch: { startDate: string; endDate: string | undefined },
): MarkedSpan[] {
  const marks = useResource<Mark[]>(tags === undefined ? null : '/api/v1/marks', { ...stretch, pageSize: MOST });
  return (marks.data ?? []).flatMap(({ at, text, url, tags: of }): MarkedSpan[] => {
    if (of.length > 0 && !of.some((tag) => tags?.includes(tag))) return [];
    const atMs = Date.parse(at);
    return [{ kind: 'mark', startMs: atMs, endMs: atMs, text: `${momentText(atMs, now.value)}: ${text}`, url }];
  });
}
