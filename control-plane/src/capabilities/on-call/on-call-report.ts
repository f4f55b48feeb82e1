import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { decideShifts } from './decide-on-call.js';
import { decideHours, HOUR_KINDS, isNight } from './decide-report.js';
import type { OnCallDeps } from './on-call-deps.js';
import { planOfTeam, scheduleOf, readSchedules } from './read-on-call.js';
import type { OnCallReport } from './schedule-schemas.js';
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
    const { plan: team, hasRotations } = await readSchedules(tx, workspaceId, teamId);
    const schedule = scheduleOf(team, scheduleId)!;
    const clock = zoneClock(schedule.timezone);
    const [year = 0, number = 0] = month.split('-').map(Number);
    const fromMs = clock.momentOf(Date.UTC(year, number - 1, 1));
    const toMs = Math.max(fromMs, Math.min(clock.momentOf(Date.UTC(year, number, 1)), deps.clock.now()));
    const plan = planOfTeam(team, schedule, hasRotations);
    const hours = decideHours(decideShifts(plan, fromMs, toMs), clock, schedule.holidays, { fromMs, toMs });
    const pages = await readPages(tx, workspaceId, teamId, new Date(fromMs), new Date(toMs));
    const participants = plan.layers.flatMap(({ turns }) => turns.filter((userId) => userId !== null));
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
          const paged = pages.filter((page) => page.userId === userId);
          const waits = paged.flatMap(({ acknowledgedMs }) => acknowledgedMs ?? []).toSorted((a, b) => a - b);
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
            pages: paged.length,
            pagesAtNight: paged.filter(({ atMs }) => isNight(clock, atMs)).length,
            acknowledgements: waits.length,
            medianSecondsToAcknowledge: waits.length === 0 ? null : Math.round(medianOf(waits) / 1_000),
            fairShareHours: round(fairShare),
            differenceHours: round(sum - fairShare),
          };
        })
        .toSorted((a, b) => b.totalHours - a.totalHours),
    };
  });
}

/** Quoted where RFC 4180 needs it, and never a formula of a spreadsheet. */
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
    user.name ?? '',
    user.email ?? '',
    ...HOUR_KINDS.map((kind) => hours[kind]),
    rest.totalHours,
    rest.pages,
    rest.pagesAtNight,
    rest.acknowledgements,
    rest.medianSecondsToAcknowledge ?? '',
    rest.fairShareHours,
    rest.differenceHours,
  ]);
  const cell = (value: string | number): string => {
    const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

interface Page {
  userId: string;
  /** Of the first page of the person for the incident. */
  atMs: number;
  /** How long after it the person acknowledged; null where somebody else did, or nobody. */
  acknowledgedMs: number | null;
}

/** One for each person and incident that the team paged in a range. */
async function readPages(tx: Tx, workspaceId: string, teamId: string, from: Date, to: Date): Promise<Page[]> {
  return tx.query<Page>(
    `SELECT paged.user_id AS "userId", (extract(epoch FROM paged.at) * 1000)::float8 AS "atMs",
       CASE WHEN incident.acknowledged_by = paged.user_id AND incident.acknowledged_at >= paged.at
         THEN (extract(epoch FROM incident.acknowledged_at - paged.at) * 1000)::float8 END AS "acknowledgedMs"
     FROM (
       SELECT event.incident_id, (person->>'userId')::uuid AS user_id, min(event.at) AS at
       FROM incident JOIN incident_event event
         ON event.incident_id = incident.id AND event.workspace_id = incident.workspace_id AND event.type = 'paged'
       CROSS JOIN jsonb_array_elements(event.detail->'people') AS person
       WHERE incident.workspace_id = $1 AND incident.started >= $3::timestamptz - interval '7 days'
         AND incident.started < $4 AND event.detail->>'teamId' = $2::text
       GROUP BY event.incident_id, user_id
     ) paged
     JOIN incident ON incident.id = paged.incident_id AND incident.workspace_id = $1
     WHERE paged.at >= $3 AND paged.at < $4`,
    [workspaceId, teamId, from, to],
  );
}

const round = (hours: number): number => Math.round(hours * 100) / 100;
const medianOf = (sorted: readonly number[]): number => {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
