import type {
  MonitorForm,
  MonitorValues,
  MonitorView,
} from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { factsOf, MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import { withoutMasked } from '@watchpost/shared/secrets/masked-settings';
import { isSame } from '../../data/compare-edits.js';
import { durationMs, durationText } from '../../parts/format.js';

const INTERVALS = ['PT1M', 'PT2M', 'PT3M', 'PT5M', 'PT10M', 'PT15M', 'PT30M', 'PT1H'];

export function intervalOptions(...own: readonly string[]) {
  return [...new Set([...INTERVALS, ...own])].map((value) => ({
    value,
    label: durationText(durationMs(value) ?? 0),
  }));
}

/** The types of what is checked, which can be combined. */
export const TYPES = MONITOR_TYPES.filter((type) => type !== 'Heartbeat');

/** @returns the types after a change: a type that is alone takes the place of all others, and gives way to each of them */
export function chosenTypes(next: readonly string[], before: readonly MonitorType[]): MonitorType[] {
  const isAlone = (type: MonitorType) => factsOf(type).isAlone === true;
  const chosen = TYPES.filter((type) => next.includes(type));
  const added = chosen.find((type) => !before.includes(type));
  if (added === undefined) return chosen;
  return chosen.filter((type) => type === added || !(isAlone(type) || isAlone(added)));
}

export function newHeartbeat({ initial, newHeartbeat: heartbeat }: MonitorForm): MonitorValues {
  return { ...initial, monitorTypes: ['Heartbeat'], heartbeat: { ...heartbeat, every: 'PT1H' } };
}

/** The settings that only some types have. */
const SETTINGS = [...new Set(MONITOR_TYPES.flatMap((type) => factsOf(type).settings))] as (keyof MonitorValues)[];
/** The settings of what is checked, which a heartbeat does not have: the job itself reports. */
const OF_CHECKS: readonly (keyof MonitorValues)[] = [
  'url',
  'checkInterval',
  'checkTimeout',
  'numberOfChecksBeforeAlert',
  'numberOfChecksBeforeRecovery',
  'enabledRegions',
  'homeRegion',
  'privateLocations',
];

/** @returns whether one of these types has the settings */
export function needs(types: readonly MonitorType[], settings: keyof MonitorValues): boolean {
  return SETTINGS.includes(settings)
    ? types.some((type) => factsOf(type).settings.includes(settings))
    : !(isHeartbeat(types) && OF_CHECKS.includes(settings));
}

/** Decides whether agents check one of these types: a domain and a heartbeat have no regions and no interval. */
export function isChecked(types: readonly MonitorType[]): boolean {
  return types.length === 0 || types.some((type) => factsOf(type).kind !== null);
}

/** Decides whether the field with this path is among those that most monitors leave as they are. */
export function isAdvanced(path: string): boolean {
  return ['checkTimeout', 'numberOf', 'reporting', 'dependsOn', ...SETTINGS]
    .filter((start) => start !== 'heartbeat')
    .some((start) => path.startsWith(start));
}

export function isHeartbeat(types: readonly MonitorType[]): boolean {
  return types.includes('Heartbeat');
}

export function valuesOf(monitor: MonitorView, form: MonitorForm): MonitorValues {
  const { url, heartbeat } = monitor;
  return {
    ...picked(monitor, form.initial),
    url: url ?? '',
    heartbeat: heartbeat && picked(heartbeat, form.newHeartbeat),
  };
}

function picked<T extends object>(whole: { [Field in keyof T]: unknown }, known: T): T {
  return Object.fromEntries(Object.keys(known).map((field) => [field, whole[field as keyof T]])) as T;
}

/** The values of a copy, without secrets. */
export function valuesOfCopy(monitor: MonitorView, form: MonitorForm): { values: MonitorValues; missing: string[] } {
  const { settings: values, leftOut } = withoutMasked(valuesOf(monitor, form));
  return {
    values: {
      ...values,
      name: `${monitor.name} (copy)`,
      // The default is named by no request: setting it needs a plan that has timeouts.
      checkTimeout: values.checkTimeout === 'PT30S' ? null : values.checkTimeout,
    },
    missing: leftOut.map((path) => path.at(-1)!),
  };
}

/** The body that creates a monitor: without what has no value, and without the settings of types that it does not have. */
export function bodyOfNew(values: MonitorValues): Partial<MonitorValues> {
  const left = (field: keyof MonitorValues) =>
    (field === 'name' && values.name.trim() === '') ||
    (field === 'checkTimeout' && values.checkTimeout === null) ||
    !needs(values.monitorTypes, field);
  return Object.fromEntries(fieldsOf(values).flatMap((field) => (left(field) ? [] : [[field, values[field]]])));
}

/**
 * The body that changes a monitor: only what differs, so that what others change meanwhile stays.
 * @returns undefined if nothing differs
 */
export function changesOf(base: MonitorValues, values: MonitorValues): Partial<MonitorValues> | undefined {
  const changed = fieldsOf(values)
    .filter((field) => !isSame(base[field], values[field]))
    .map((field) => [field, isSettings(values[field]) ? changedSettings(base[field], values[field]) : values[field]]);
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<MonitorValues>);
}

/** @returns what a text lists: one a line with its blanks, which count in texts of DNS, or separated by commas and blanks */
export function itemsIn(text: string, isByLine: boolean): string[] {
  return text.split(isByLine ? /[\r\n]/ : /[,\s]/).filter((item) => item.trim() !== '');
}

function fieldsOf(values: MonitorValues): (keyof MonitorValues)[] {
  return Object.keys(values) as (keyof MonitorValues)[];
}

type Settings = Record<string, unknown>;

/** Fields of the settings of a type that are left out keep their value; the map of headers is replaced as a whole. */
function changedSettings(base: unknown, values: Settings): Settings {
  const former = base as Settings;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(former[name], value)));
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
