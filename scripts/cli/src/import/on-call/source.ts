import type { ImportReport } from '../import-report.js';
import type { Secrets } from '../names.js';
import type { Row } from '../rows.js';
import type { WeeklyTime } from './weekly-times.js';

/** The on-call settings of another product, in the form that a document is made of. Ids are those of the product. */
export interface OnCallSource {
  product: string;
  people: ReadonlyMap<string, SourcePerson>;
  teams: readonly SourceTeam[];
  schedules: readonly SourceSchedule[];
  policies: readonly SourcePolicy[];
  /** The groups by id; fields as in the section `actionGroups`. */
  actionGroups: ReadonlyMap<string, SourceGroup>;
}

export interface SourcePerson {
  name: string;
  /** null: nobody can be found by it here. */
  email: string | null;
}

export interface SourceTeam {
  id: string;
  name: string;
  description: string | null;
  members: readonly { personId: string; isLead: boolean }[];
}

export interface SourceSchedule {
  id: string;
  name: string;
  /** null: it belongs to no team. */
  teamId: string | null;
  timezone: string;
  rotations: readonly SourceRotation[];
  overrides: readonly SourceOverride[];
}

export interface SourceRotation {
  id: string;
  name: string;
  /** Where rotations overlap, those of the highest level count, all of them. */
  level: number;
  unit: 'hour' | 'day' | 'week';
  /** A shift lasts this many units. */
  every: number;
  /** The day on which a rotation of one week ends the first time, if that is not a week after its start. */
  handoffDay?: string;
  startMs: number;
  endMs: number | null;
  /** In the order of their turns. */
  participants: readonly string[];
  /** Empty: at all times. */
  times: readonly WeeklyTime[];
  /** Differences that are known already. */
  differences: readonly string[];
}

export interface SourceOverride {
  personId: string;
  startMs: number;
  endMs: number;
  /** The ids of the rotations that it replaces; null: all of them. */
  rotationIds: readonly string[] | null;
}

export type SourceTarget =
  | { type: 'onCall'; scheduleId: string }
  | { type: 'user'; personId: string }
  | { type: 'team' | 'leads'; teamId: string }
  | { type: 'actionGroup'; groupId: string };

export interface SourcePolicy {
  name: string;
  /** null: the team of the first of its targets that has one. */
  teamId: string | null;
  /** True if a team uses it where nothing else is chosen. */
  isDefault: boolean;
  steps: readonly { /** After the step before. */ afterMs: number; targets: readonly SourceTarget[] }[];
  /** Rounds after the first one. */
  repeat: number;
  differences: readonly string[];
}

export interface SourceGroup {
  name: string;
  fields: Row;
}

/** A part of a product's own final schedule. */
export interface SourceShift {
  scheduleId: string;
  startMs: number;
  endMs: number;
  personId: string;
}

export interface SourceReading {
  report: ImportReport;
  secrets: Secrets;
  nowMs: number;
}

/** Another product with schedules, from which people move here. */
export interface OnCallProduct {
  name: string;
  /** The names of its lists in a file. */
  lists: readonly string[];
  /** Those of them whose objects are found by their id. */
  identified: readonly string[];
  /** The address of its API; null where each installation has its own. */
  apiUrl: string | null;
  /** @param range in which its final schedule is read too; null: in none */
  readApi(
    get: GetPage,
    range: { fromMs: number; toMs: number } | null,
  ): Promise<Readonly<Record<string, readonly Row[]>>>;
  authorization(key: string): string;
  toSource(lists: SourceLists, reading: SourceReading): OnCallSource;
  /** Its own final schedule. */
  shiftsOf(lists: SourceLists, source: OnCallSource): SourceShift[];
}

export type GetPage = (path: string, query?: Readonly<Record<string, string | number>>) => Promise<Row>;
export type SourceLists = (name: string) => readonly Row[];
