import type { PostStatus } from '@watchpost/shared/design/states';
import type { FaultDetail } from '@watchpost/shared/fault';

export const POST_KINDS = ['incident', 'update', 'maintenance'] as const;
export type PostKind = (typeof POST_KINDS)[number];

/** The fields of a post that can contradict each other. Times in ms since the epoch. */
export interface PostFrame {
  kind: PostKind;
  status?: PostStatus | undefined;
  scheduledStart: number | null;
  scheduledEnd: number | null;
}

/** The contradictions of a post: only maintenance is scheduled, and it ends after it begins. */
export function decidePostFaults({ kind, status, scheduledStart, scheduledEnd }: PostFrame): FaultDetail[] {
  const faults: FaultDetail[] = [];
  if (kind !== 'maintenance') {
    if (status === 'scheduled') faults.push({ path: 'status', message: 'can be `scheduled` for maintenance only' });
    if (scheduledStart !== null) faults.push({ path: 'scheduledStart', message: 'is for maintenance only' });
    if (scheduledEnd !== null) faults.push({ path: 'scheduledEnd', message: 'is for maintenance only' });
  } else if (scheduledEnd !== null) {
    if (scheduledStart === null) faults.push({ path: 'scheduledStart', message: 'must be given with `scheduledEnd`' });
    else if (scheduledEnd <= scheduledStart)
      faults.push({ path: 'scheduledEnd', message: 'must be later than `scheduledStart`' });
  }
  return faults;
}

export function defaultStatusOf(kind: PostKind): PostStatus {
  return ({ incident: 'investigating', update: 'monitoring', maintenance: 'scheduled' } as const)[kind];
}
