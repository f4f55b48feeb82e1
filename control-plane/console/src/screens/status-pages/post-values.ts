import type { PostView } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
import type { State } from '../../parts/state.js';

export const KIND_WORDS: Readonly<Record<PostView['kind'], string>> = {
  incident: 'Incident',
  update: 'Update',
  maintenance: 'Maintenance',
};

/** How the states of a post look. */
export const POST_STATES: Readonly<Record<PostView['status'], { state: State; word: string }>> = {
  investigating: { state: 'unavailable', word: 'Investigating' },
  identified: { state: 'partial', word: 'Identified' },
  monitoring: { state: 'partial', word: 'Monitoring' },
  resolved: { state: 'available', word: 'Resolved' },
  scheduled: { state: 'maintenance', word: 'Scheduled' },
};

export interface PostValues {
  kind: PostView['kind'];
  title: string;
  body: string;
  status: PostView['status'];
  systemIds: string[];
  /** As `datetime-local` has them, in the viewer's zone; '' for none. */
  scheduledStart: string;
  scheduledEnd: string;
}

export const NEW_POST: PostValues = {
  kind: 'incident',
  title: '',
  body: '',
  status: 'investigating',
  systemIds: [],
  scheduledStart: '',
  scheduledEnd: '',
};

/** The first state of a post of a kind, as the API has it. */
export function firstStatusOf(kind: PostView['kind']): PostView['status'] {
  return ({ incident: 'investigating', update: 'monitoring', maintenance: 'scheduled' } as const)[kind];
}

/** The states that a post of a kind can have. */
export function statusesOf(kind: PostView['kind']): PostView['status'][] {
  const all = Object.keys(POST_STATES) as PostView['status'][];
  return kind === 'maintenance' ? ['scheduled', ...all.filter((each) => each !== 'scheduled')] : all.slice(0, -1);
}

export function valuesOfPost(post: PostView): PostValues {
  const { kind, title, status, systemIds, scheduledStart, scheduledEnd } = post;
  return {
    kind,
    title,
    body: '',
    status,
    systemIds,
    scheduledStart: localText(scheduledStart),
    scheduledEnd: localText(scheduledEnd),
  };
}

/** The body of a new post, or of the changes of one. */
export function bodyOfPost(values: PostValues, former: PostView | undefined): object {
  const { kind, title, body, status, systemIds } = values;
  const isPlanned = kind === 'maintenance';
  const planned = isPlanned
    ? { scheduledStart: instantOf(values.scheduledStart), scheduledEnd: instantOf(values.scheduledEnd) }
    : {};
  if (former === undefined) return { kind, title, body, status, systemIds, ...planned };
  return {
    title,
    systemIds,
    ...planned,
    ...(body.trim() !== '' && { body }),
    ...(status !== former.status && { status }),
  };
}

/** `2026-11-22T21:05` in the viewer's zone. */
function localText(at: string | null): string {
  if (at === null) return '';
  const ms = Date.parse(at);
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function instantOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
