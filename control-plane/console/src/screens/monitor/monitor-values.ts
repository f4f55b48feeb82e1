import type { MonitorForm, MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { factsOf, MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import { isSame } from '../../data/compare-edits.js';

/** What the form of a monitor holds: the fields of the API that people change. */
export type MonitorValues = Pick<
  MonitorView,
  | 'name'
  | 'monitorTypes'
  | 'checkInterval'
  | 'numberOfChecksBeforeAlert'
  | 'numberOfChecksBeforeRecovery'
  | 'enabledRegions'
  | 'serviceGroupId'
  | 'tags'
  | 'reporting'
  | 'http'
  | 'ssl'
  | 'latency'
  | 'dns'
  | 'tcpUdp'
  | 'dependsOn'
> & {
  /** Empty where there is none. */
  url: string;
  /** null: the default, which every plan has. */
  checkTimeout: string | null;
  /** null for every other type. */
  heartbeat: HeartbeatValues | null;
};

type HeartbeatValues = Pick<
  NonNullable<MonitorView['heartbeat']>,
  'every' | 'cron' | 'timezone' | 'grace' | 'maxRuntime'
>;

/** The types of what is checked, which can be combined. */
export const TYPES = MONITOR_TYPES.filter((type) => factsOf(type).kind !== null);

/** What a secret header is answered as. */
export const MASK = '***';

/** @returns what a new monitor begins with */
export function newValues({ initial }: MonitorForm): MonitorValues {
  return { ...picked(initial), name: '', url: '', checkTimeout: null, heartbeat: null };
}

/** @returns what a new heartbeat begins with */
export function newHeartbeat(form: MonitorForm): MonitorValues {
  return { ...newValues(form), monitorTypes: ['Heartbeat'], heartbeat: { ...form.newHeartbeat, every: 'PT1H' } };
}

/** The fields that the body of a request has, in the order of the form. */
const FIELDS = [
  'name',
  'url',
  'monitorTypes',
  'checkInterval',
  'checkTimeout',
  'numberOfChecksBeforeAlert',
  'numberOfChecksBeforeRecovery',
  'enabledRegions',
  'serviceGroupId',
  'tags',
  'reporting',
  'http',
  'ssl',
  'latency',
  'dns',
  'tcpUdp',
  'heartbeat',
  'dependsOn',
] as const satisfies readonly (keyof MonitorValues)[];

/** The settings that only some types have. */
const NEEDED_BY: Readonly<Partial<Record<keyof MonitorValues, readonly MonitorType[]>>> = {
  http: ['HttpAvailability', 'Latency'],
  ssl: ['SslCertificate'],
  latency: ['Latency'],
  dns: ['Dns'],
  tcpUdp: ['TcpUdp'],
  heartbeat: ['Heartbeat'],
};
/** The settings of what is checked, which a heartbeat does not have: the job itself reports. */
const OF_CHECKS: readonly (keyof MonitorValues)[] = [
  'url',
  'checkInterval',
  'checkTimeout',
  'numberOfChecksBeforeAlert',
  'numberOfChecksBeforeRecovery',
  'enabledRegions',
];

/** @returns whether one of these types has the settings */
export function needs(types: readonly MonitorType[], settings: keyof MonitorValues): boolean {
  return (
    NEEDED_BY[settings]?.some((type) => types.includes(type)) ?? !(isHeartbeat(types) && OF_CHECKS.includes(settings))
  );
}

export function isHeartbeat(types: readonly MonitorType[]): boolean {
  return types.includes('Heartbeat');
}

export function valuesOf(monitor: MonitorView): MonitorValues {
  const values = picked(monitor);
  if (monitor.heartbeat === null) return values;
  const { every, cron, timezone, grace, maxRuntime } = monitor.heartbeat;
  return { ...values, heartbeat: { every, cron, timezone, grace, maxRuntime } };
}

function picked(settings: object): MonitorValues {
  const known = settings as Partial<MonitorView>;
  return Object.fromEntries(
    FIELDS.map((field) => [field, known[field] ?? (field === 'url' ? '' : null)]),
  ) as unknown as MonitorValues;
}

/** The values of a copy. Secret headers are left out, because their values are not known. */
export function valuesOfCopy(monitor: MonitorView): { values: MonitorValues; secretHeaders: string[] } {
  const values = valuesOf(monitor);
  const headers = Object.entries(values.http.headers);
  return {
    values: {
      ...values,
      name: `${monitor.name} (copy)`,
      // The default is named by no request: setting it needs a plan that has timeouts.
      checkTimeout: values.checkTimeout === 'PT30S' ? null : values.checkTimeout,
      http: { ...values.http, headers: Object.fromEntries(headers.filter(([, value]) => value !== MASK)) },
    },
    secretHeaders: headers.filter(([, value]) => value === MASK).map(([name]) => name),
  };
}

/** The body that creates a monitor: without what has no value, and without the settings of types that it does not have. */
export function bodyOfNew(values: MonitorValues): Partial<MonitorValues> {
  const left = (field: keyof MonitorValues) =>
    (field === 'name' && values.name.trim() === '') ||
    (field === 'checkTimeout' && values.checkTimeout === null) ||
    !needs(values.monitorTypes, field);
  return Object.fromEntries(FIELDS.flatMap((field) => (left(field) ? [] : [[field, values[field]]])));
}

/**
 * The body that changes a monitor: only what differs, so that what others change meanwhile stays.
 * @returns undefined if nothing differs
 */
export function changesOf(base: MonitorValues, values: MonitorValues): Partial<MonitorValues> | undefined {
  const changed = FIELDS.filter((field) => !isSame(base[field], values[field])).map((field) => [
    field,
    isSettings(values[field]) ? changedSettings(base[field], values[field]) : values[field],
  ]);
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<MonitorValues>);
}

/** @returns what a text lists: one a line with its blanks, which count in texts of DNS, or separated by commas and blanks */
export function itemsIn(text: string, isByLine: boolean): string[] {
  return text.split(isByLine ? /[\r\n]/ : /[,\s]/).filter((item) => item.trim() !== '');
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
