import { z } from 'zod';
import { isoDuration, isoTimestamp, uuid } from '../../platform/http/schemas.js';
import { POST_STATUSES, PUBLIC_STATUSES } from '@watchpost/shared/design/states';
import { POST_KINDS } from './decide-post-faults.js';
import { bannerSchema, THEMES } from './status-page-schemas.js';

/** Any text; an invalid slug is answered with 404 like an unknown one. */
export const publicPageParams = z.strictObject({ slug: z.string() });

const verdict = z
  .enum(['available', 'partial', 'unavailable', 'unknown', 'maintenance'])
  .describe(
    '`partial`: some checks found it up and others did not; `unknown`: there are no conclusive results; `maintenance`: planned work',
  );
const percentage = z.number().min(0).max(100).nullable().describe('null without checks');

const timelineSchema = z
  .strictObject({
    window: z.enum(['24h', '7d', '30d']),
    start: isoTimestamp,
    end: isoTimestamp,
    sampleInterval: isoDuration,
    uptimePercentage: percentage.describe('Of all checks of the window; null without checks'),
    samples: z
      .array(z.strictObject({ time: isoTimestamp, status: verdict, uptimePercentage: percentage }))
      .describe('Oldest first; each from its `time` on for `sampleInterval`'),
    perDay: z.array(z.strictObject({ date: z.iso.date(), uptimePercentage: percentage })).describe('UTC days'),
  })
  .meta({ id: 'PublicTimeline' });

const publicSystemSchema = z
  .strictObject({
    id: uuid.describe('What posts name it by'),
    name: z.string(),
    status: z.enum(PUBLIC_STATUSES),
    message: z.string().nullable(),
    watchedSince: isoTimestamp.nullable().describe('When the oldest of its monitors was made; null without monitors'),
    timeline: z
      .array(z.strictObject({ start: isoTimestamp, end: isoTimestamp, status: verdict }))
      .describe(
        'The last 24 hours, contiguous, oldest first; one that changed more than 144 times is in steps of ten minutes, ' +
          'each as the worst that happened in it',
      ),
    days: z
      .strictObject({
        start: z.iso.date().describe('The first of the days'),
        states: z
          .string()
          .describe(
            'A letter a UTC day, today last: `a` no check failed, `p` some failed, `u` all failed, `n` no checks, `m` no checks because of maintenance, `-` before it was watched',
          ),
        uptimePercentage: percentage.describe('Of all checks of these days, outside maintenance; null without checks'),
      })
      .describe('The last 90 days')
      .meta({ id: 'PublicDays' }),
    timelines: z.array(timelineSchema).nullable().describe('Of a service group; null for a single monitor'),
  })
  .meta({ id: 'PublicSystem' });

export const publicPostSchema = z
  .strictObject({
    id: uuid,
    title: z.string(),
    body: z
      .string()
      .describe(
        'Markdown as its author wrote it, HTML in it included: sanitise it where it is rendered. After 512 KiB of bodies of newer ' +
          'posts, the first 2,000 characters and `…`; `/status/{slug}/posts/{id}` shows all of it',
      ),
    kind: z.enum(POST_KINDS),
    status: z.enum(POST_STATUSES),
    systemIds: z.array(uuid),
    scheduledStart: isoTimestamp.nullable(),
    scheduledEnd: isoTimestamp.nullable(),
    updates: z
      .array(z.strictObject({ status: z.enum(POST_STATUSES), body: z.string().nullable(), created: isoTimestamp }))
      .describe(
        'Newest first, at most 100. Those after 512 KiB of newer updates, of all open or all resolved posts together, are left out; ' +
          '`/status/{slug}/posts/{id}` shows the newest 512 KiB of the post',
      ),
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'PublicPost' });
export type PublicPost = z.output<typeof publicPostSchema>;

const historyEntrySchema = z
  .strictObject({
    type: z.enum(['outage', 'post']),
    systemIds: z.array(uuid),
    started: isoTimestamp,
    ended: isoTimestamp.nullable().describe('null while it goes on'),
    severity: z.enum(['down', 'partial', 'warning']).nullable().describe('Of an outage: now, or when it ended'),
    worstSeverity: z.enum(['down', 'partial', 'warning']).nullable().describe('Of an outage, over its whole time'),
    post: publicPostSchema.nullable().describe('Of a post that is resolved'),
  })
  .meta({ id: 'PublicHistoryEntry' });
export type PublicHistoryEntry = z.output<typeof historyEntrySchema>;

/** The public content of a status page: no monitors, addresses, workspace or failure reasons. */
export const publicPageSchema = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    theme: z.enum(THEMES),
    overallStatus: z.enum(PUBLIC_STATUSES).describe('`unknown` also where `isEmpty`'),
    isEmpty: z.boolean().describe('It shows no system yet, so that there is no status to speak of'),
    updatedAt: isoTimestamp.describe(
      'When this was put together: a few seconds ago, and at most 30 where the service is busy',
    ),
    groups: z.array(
      z.strictObject({ name: z.string(), systems: z.array(publicSystemSchema) }).meta({ id: 'PublicGroup' }),
    ),
    activePosts: z.array(publicPostSchema).describe('Those that are not resolved, newest first'),
    upcomingMaintenance: z
      .array(
        z
          .strictObject({
            name: z.string(),
            description: z.string(),
            start: isoTimestamp,
            end: isoTimestamp,
            systemIds: z.array(uuid).describe('The systems of this page that are affected'),
          })
          .meta({ id: 'PublicMaintenance' }),
      )
      .describe('Maintenance that runs or begins within 7 days, in order; at most 50'),
    history: z
      .array(historyEntrySchema)
      .nullable()
      .describe('Outages and resolved posts of the last 30 days, newest first; null where the page does not show them'),
    banner: bannerSchema.nullable(),
    timelines: z.array(timelineSchema).describe('Of all systems together, by window, as the plan has them'),
  })
  .meta({ id: 'PublicStatusPage' });
export interface PublicPageView extends z.output<typeof publicPageSchema> {
  /** The ids of posts of which text is left out. It is not part of the JSON. */
  shortenedPosts: ReadonlySet<string>;
  /** What identifies the outages of the history in the feed. It is not part of the JSON. */
  outageIds: ReadonlyMap<PublicHistoryEntry, string>;
}

export function postsOf({ activePosts, history }: PublicPageView): PublicPost[] {
  return [...activePosts, ...(history ?? []).flatMap(({ post }) => post ?? [])];
}
