import { POST_STATUSES } from '@watchpost/shared/design/states';
import type { PostView } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { isSame } from '../../data/compare-edits.js';
import { isoOfLocal, localText } from '../../parts/format.js';

export const KIND_WORDS: Readonly<Record<PostView['kind'], string>> = {
  incident: 'Incident',
  update: 'Update',
  maintenance: 'Maintenance',
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

export function firstStatusOf(kind: PostView['kind']): PostView['status'] {
  return ({ incident: 'investigating', update: 'monitoring', maintenance: 'scheduled' } as const)[kind];
}

export function statusesOf(kind: PostView['kind']): PostView['status'][] {
  return kind === 'maintenance'
    ? ['scheduled', ...POST_STATUSES.filter((each) => each !== 'scheduled')]
    : POST_STATUSES.slice(0, -1);
}

const PLANNED: readonly string[] = ['scheduledStart', 'scheduledEnd'] satisfies (keyof PostValues)[];

export function valuesOfPost({ kind, title, status, systemIds, scheduledStart, scheduledEnd }: PostView): PostValues {
  const [start, end] = [scheduledStart, scheduledEnd].map((at) => (at === null ? '' : localText(Date.parse(at))));
  return { kind, title, body: '', status, systemIds, scheduledStart: start!, scheduledEnd: end! };
}

/**
 * The body of a new post, or of the changes of one: only what differs, so that what others change meanwhile stays.
 * @param ground what the changes began with; undefined for a new post
 * @returns undefined if nothing differs
 */
export function bodyOfPost(values: PostValues, ground: PostValues | undefined): object | undefined {
  const [sent, former] = [sentOf(values), ground && sentOf(ground)];
  const names = (Object.keys(sent) as (keyof PostValues)[]).filter(
    (name) => !isSame(sent[name], former?.[name]) && (values.kind === 'maintenance' || !PLANNED.includes(name)),
  );
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, sent[name]]));
}

function sentOf({ body, scheduledStart, scheduledEnd, ...others }: PostValues) {
  const planned = { scheduledStart: instantOf(scheduledStart), scheduledEnd: instantOf(scheduledEnd) };
  return { ...others, body: body.trim(), ...planned };
}

function instantOf(local: string): string | null {
  return local === '' ? null : isoOfLocal(local);
}

/** Of an id that posts have and the page no longer has. */
export const GONE_SYSTEM = 'A system that is no longer shown';

/** @returns what the systems of a page are called, by id */
export function systemNames({ groups }: StatusPageView): ReadonlyMap<string, string> {
  return new Map(groups.flatMap(({ systems }) => systems.map(({ id, name }) => [id, name])));
}
