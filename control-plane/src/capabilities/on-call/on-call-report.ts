import { csvLine } from '@watchpost/shared/csv-line';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { decideHours, HOUR_KINDS, NIGHT } from './decide-report.js';
import type { OnCallDeps } from './on-call-deps.js';
import { planOfTeam, scheduleOf, readSchedules, shiftsInSlices } from './read-on-call.js';
import type { OnCallReport } from './schedule-schemas.js';
import type { PlannedSchedule, TeamPerson, TeamPlanRow } from './team-plan-store.js';
import { zoneClock } from './zone-clock.js';

/**
 * What being on call was in a month of the schedule's zone, by person: up to now in a month that is not over.
 * @param month `2026-11`
 * @throws Fault `not_found`
 */
export async function readOnCallReport(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  { id: teamId, scheduleId }: { id: string; scheduleId: string },
  month: string,
): Promise<OnCallReport> {
  return deps.db.read(async (tx) => {
    const { plan } = await readSchedules(tx, workspaceId, teamId);
    const schedule = scheduleOf(plan, scheduleId)!;
    const team = { ...plan, people: [...plan.people, ...(await readFormer(tx, workspaceId, plan, schedule))] };
    const clock = zoneClock(schedule.timezone);
    const [year = 0, number = 0] = month.split('-').map(Number);
    const fromMs = clock.momentOf(Date.UTC(year, number - 1, 1));
    const toMs = Math.max(fromMs, Math.min(clock.momentOf(Date.UTC(year, number, 1)), deps.clock.now()));
    // The schedule decides who was on call, whatever the owner's plan covers by now.
    const whole = planOfTeam(team, schedule, true);
    const shifts = await shiftsInSlices(whole, fromMs, toMs);
    const hours = decideHours(shifts, clock, schedule.holidays, { fromMs, toMs });
    const range = { from: new Date(fromMs), to: new Date(toMs), timezone: schedule.timezone };
    const paged = new Map((await readPaged(tx, workspaceId, teamId, range)).map((one) => [one.userId, one]));
    const participants = whole.layers.flatMap(({ turns }) => turns.filter((userId) => userId !== null));
    const people = new Set([...participants, ...hours.keys()]);
    const total = [...hours.values()].flatMap((own) => HOUR_KINDS.map((kind) => own[kind])).reduce((a, b) => a + b, 0);
    const fairShare = people.size === 0 ? 0 : total / people.size;
    return {
      month,
      timezone: schedule.timezone,
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      people: team.people
        .filter(({ userId }) => people.has(userId))
        .map(({ userId, name, email }) => {
          const own = hours.get(userId) ?? { weekday: 0, night: 0, weekend: 0, holiday: 0 };
          const { pages, pagesAtNight, acknowledgements, medianSecondsToAcknowledge } =
            paged.get(userId) ?? NEVER_PAGED;
          const sum = HOUR_KINDS.reduce((all, kind) => all + own[kind], 0);
          return {
            user: { userId, name, email },
            hours: {
              weekday: round(own.weekday),
              night: round(own.night),
              weekend: round(own.weekend),
              holiday: round(own.holiday),
            },
            totalHours: round(sum),
            pages,
            pagesAtNight,
            acknowledgements,
            medianSecondsToAcknowledge,
            fairShareHours: round(fairShare),
            differenceHours: round(sum - fairShare),
          };
        })
        .toSorted((a, b) => b.totalHours - a.totalHours),
    };
  });
}

/** Those who took part in former layers of a schedule and are in the team no longer. Who has left the workspace has no address. */
async function readFormer(
  tx: Tx,
  workspaceId: string,
  { people }: TeamPlanRow,
  { former }: PlannedSchedule,
): Promise<TeamPerson[]> {
  const members = new Set(people.map(({ userId }) => userId));
  const all = former.flatMap(({ layers }) => layers.flatMap(({ turns }) => turns));
  const left = [...new Set(all)].filter((userId) => userId !== null && !members.has(userId));
  if (left.length === 0) return [];
  return tx.query<TeamPerson>(
    `SELECT former.id AS "userId", name, CASE WHEN member.user_id IS NOT NULL THEN email END AS email, true AS "isActive",
       false AS "isLead", 0 AS "lastSignInMs"
     FROM unnest($2::uuid[]) AS former (id) LEFT JOIN user_account account ON account.id = former.id
       LEFT JOIN workspace_member member ON member.workspace_id = $1 AND member.user_id = former.id`,
    [workspaceId, left],
  );
}

/** The people of a report as a table (RFC 4180). */
export function reportCsv({ people }: OnCallReport): string {
  const header = [
    'name',
    'email',
    'weekdayHours',
    'nightHours',
    'weekendHours',
    'holidayHours',
    'totalHours',
    'pages',
    'pagesAtNight',
    'acknowledgements',
    'medianSecondsToAcknowledge',
    'fairShareHours',
    'differenceHours',
  ];
  const rows = people.map(({ user, hours, ...rest }) => [
    user.name,
    user.email,
    ...HOUR_KINDS.map((kind) => hours[kind]),
    rest.totalHours,
    rest.pages,
    rest.pagesAtNight,
    rest.acknowledgements,
    rest.medianSecondsToAcknowledge,
    rest.fairShareHours,
    rest.differenceHours,
  ]);
  return [header, ...rows].map(csvLine).join('');
}

/** Counts how a team paged a person in a range. */
interface PagedPerson {
  userId: string;
  /** Each incident counts once, with its first page in the range. */
  pages: number;
  pagesAtNight: number;
  /** Those that the person acknowledged after that page. */
  acknowledgements: number;
  medianSecondsToAcknowledge: number | null;
}

const NEVER_PAGED = { pages: 0, pagesAtNight: 0, acknowledgements: 0, medianSecondsToAcknowledge: null };

/** Incidents that were closed before the range paged nobody in it; all others are read, however long ago they began. */
async function readPaged(
  tx: Tx,
  workspaceId: string,
  teamId: string,
  { from, to, timezone }: { from: Date; to: Date; timezone: string },
): Promise<PagedPerson[]> {
  return tx.query<PagedPerson>(
    `SELECT user_id AS "userId", count(*)::int AS pages,
       count(*) FILTER (WHERE extract(hour FROM at AT TIME ZONE $5) NOT BETWEEN ${NIGHT.toHour} AND ${NIGHT.fromHour - 1})::int
         AS "pagesAtNight",
       count(acknowledged)::int AS acknowledgements,
       round(extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (ORDER BY acknowledged - at)))::int
         AS "medianSecondsToAcknowledge"
     FROM (
       SELECT event.incident_id, person->>'userId' AS user_id, min(event.at) AS at
       FROM incident JOIN incident_event event
         ON event.incident_id = incident.id AND event.workspace_id = incident.workspace_id AND event.type = 'paged'
       CROSS JOIN jsonb_array_elements(event.detail->'people') AS person
       WHERE incident.workspace_id = $1 AND (NOT incident.is_closed OR incident.last_modified >= $3)
         AND incident.started < $4 AND event.at >= $3 AND event.at < $4 AND event.detail->>'teamId' = $2::text
       GROUP BY event.incident_id, user_id
     ) AS paged
     CROSS JOIN LATERAL (
       SELECT min(event.at) AS acknowledged FROM incident_event event
       WHERE event.incident_id = paged.incident_id AND event.workspace_id = $1 AND event.type = 'acknowledged'
         AND event.actor = paged.user_id::uuid AND event.at >= paged.at
     ) AS answer
     GROUP BY user_id`,
    [workspaceId, teamId, from, to, timezone],
  );
}

const round = (hours: number): number => Math.round(hours * 100) / 100;
