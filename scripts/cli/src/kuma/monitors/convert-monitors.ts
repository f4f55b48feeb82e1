import { createEgressPolicy } from '@watchpost/shared/egress';
import { parseUrl } from '@watchpost/shared/parse-url';
import type { ImportContext, SectionOf, TakenItem } from '../import-context.js';
import { type Fields, flagOf, numberOf, type Row, textOf } from '../../import/rows.js';
import { quoted } from '../../import/import-report.js';
import { countOf } from '../../output/format-time.js';
import { idOf, rowsOf } from '../installation.js';
import { Keys, nameFor } from '../../import/names.js';
import { commonDifferences, type Converted, scheduleFields } from './check-fields.js';
import { DomainMonitors } from './domain-monitors.js';
import { convertDns } from './dns-monitor.js';
import { convertGrpc } from './grpc-monitor.js';
import { convertHttp } from './http-monitor.js';
import { MONITOR_COLUMNS } from './monitor-columns.js';
import { convertPing, convertPort } from './port-monitor.js';
import { convertPush } from './push-monitor.js';
import { MonitorTags } from './read-tags.js';
import { convertService } from './service-monitor.js';
import { convertWebSocket } from './web-socket-monitor.js';

const HTTP_TYPES = ['http', 'keyword', 'json-query', 'real-browser'];

export interface ConvertedMonitors {
  section: SectionOf;
  taken: ReadonlyMap<number, TakenItem>;
  groupTags: ReadonlyMap<number, string>;
}

/**
 * Converts monitors.
 * @param groupsOf the keys of the action groups of each monitor
 * @param thresholdDays when to warn about certificates
 * @param domainDays when to warn about domains
 */
export function convertMonitors(
  context: ImportContext,
  groupsOf: ReadonlyMap<number, readonly string[]>,
  thresholdDays: readonly number[],
  domainDays: readonly number[],
): ConvertedMonitors {
  const { installation, report, secrets } = context;
  const rows = rowsOf(installation, 'monitor');
  const tags = new MonitorTags(installation);
  const keys = new Keys();
  const domains = new DomainMonitors(installation, domainDays);
  const tokens = new Set<string>();
  const paused = new Set(rows.filter((row) => !flagOf(row, 'active')).map(idOf));
  const section: SectionOf = {};
  const taken = new Map<number, TakenItem>();
  const groupTags = new Map<number, string>();
  let withOwnTimeout = 0;
  for (const row of rows) {
    const type = textOf(row, 'type') ?? 'http';
    if (type === 'group') continue;
    const id = idOf(row);
    const name = nameFor(textOf(row, 'name'), `Monitor ${id}`);
    const key = keys.next(name, `monitor-${id}`);
    const converted = flagOf(row, 'upside_down')
      ? { untaken: 'it is upside down: no check here is fine while it fails' }
      : convertType(row, type, key, secrets, tokens, thresholdDays);
    if ('untaken' in converted) {
      report.untaken('monitor', name, converted.untaken);
      continue;
    }
    const schedule = type === 'push' ? undefined : scheduleFields(row);
    if (schedule?.hasOwnTimeout) withOwnTimeout++;
    const around = tags.groupsAround(row);
    const ownTags = tags.take(row);
    const proxy = proxyOf(context, row);
    const isInactive = paused.has(id) || around.some((group) => paused.has(group));
    const isPaused = isInactive || converted.isWrong || proxy !== null;
    const groups = groupsOf.get(id) ?? [];
    section[key] = {
      name,
      ...converted.fields,
      ...schedule?.fields,
      ...(isPaused ? { monitoringStatus: 'paused' } : {}),
      ...(ownTags.tags.length > 0 ? { tags: ownTags.tags } : {}),
      actionGroups: [...groups],
    } satisfies Fields;
    taken.set(id, { key, name });
    for (const group of around) groupTags.set(group, tags.ofGroup(group)!);
    report.partly('monitor', name, [
      ...converted.differences,
      ...(schedule?.differences ?? []),
      ...commonDifferences(row, type),
      ...ownTags.differences,
      ...(proxy === null ? [] : [proxy]),
      ...domains.add(row, converted.fields['url'], groups, isInactive),
      ...addressNote(converted.fields),
    ]);
  }
  Object.assign(section, domains.section(keys));
  tags.reportRest(context);
  reportGroups(context, rows, groupTags, groupsOf);
  if (withOwnTimeout > 0)
    report.add(
      `monitors: ${countOf(withOwnTimeout, 'timeout')} chosen by Uptime Kuma itself, now that of Watchpost (30 seconds)`,
    );
  if (rows.length > 1) report.add('monitors: their order and their dates of creation are not kept');
  reportUnknownColumns(context, rows);
  return { section, taken, groupTags };
}

function convertType(
  row: Row,
  type: string,
  key: string,
  secrets: ImportContext['secrets'],
  tokens: Set<string>,
  thresholdDays: readonly number[],
): Converted {
  if (HTTP_TYPES.includes(type)) return convertHttp(row, key, secrets, thresholdDays);
  switch (type) {
    case 'port':
      return convertPort(row);
    case 'dns':
      return convertDns(row);
    case 'grpc-keyword':
      return convertGrpc(row, key, secrets);
    case 'websocket-upgrade':
      return convertWebSocket(row);
    case 'push':
      return convertPush(row, key, secrets, tokens);
    case 'ping':
      return convertPing(row);
    default:
      return convertService(row, type) ?? { untaken: `there are no checks of the type ${quoted(type)}` };
  }
}

/** A check that goes through a proxy there would fail without it. */
function proxyOf({ installation }: ImportContext, row: Row): string | null {
  const id = numberOf(row, 'proxy_id');
  if (id === null) return null;
  const proxy = rowsOf(installation, 'proxy').find((one) => idOf(one) === id);
  if (proxy && !flagOf(proxy, 'active')) return null;
  return 'is paused: it goes through a proxy, which checks cannot';
}

const EGRESS = createEgressPolicy({ allowCidrs: [] });

/** Addresses that the default egress policy refuses. */
function addressNote({ url }: Fields): string[] {
  const host = typeof url === 'string' ? (parseUrl(url)?.hostname ?? url) : '';
  const refusal = EGRESS.refusal(host);
  return refusal === null ? [] : [`${refusal}, which PROBE_ALLOW_CIDRS has to permit before this is applied`];
}

const OWN_NOTIFICATIONS = 'its own notifications are not sent, those of its monitors are';

function reportGroups(
  { report }: ImportContext,
  rows: readonly Row[],
  groupTags: ReadonlyMap<number, string>,
  hasGroups: ReadonlyMap<number, unknown>,
): void {
  for (const row of rows) {
    if (textOf(row, 'type') !== 'group') continue;
    const name = nameFor(textOf(row, 'name'), `Group ${idOf(row)}`);
    const tag = groupTags.get(idOf(row));
    if (tag === undefined) report.untaken('group', name, 'no monitor in it was taken over');
    else
      report.partly('group', name, [
        `is the tag ${tag} of its monitors`,
        ...(hasGroups.has(idOf(row)) ? [OWN_NOTIFICATIONS] : []),
      ]);
  }
}

function reportUnknownColumns({ report }: ImportContext, rows: readonly Row[]): void {
  const unknown = new Map<string, number>();
  for (const row of rows)
    for (const [column, value] of Object.entries(row))
      if (!MONITOR_COLUMNS.has(column) && value !== null && value !== '' && value !== 0 && value !== false)
        unknown.set(column, (unknown.get(column) ?? 0) + 1);
  for (const [column, count] of unknown)
    report.add(
      `monitors: the column ${column} is not known to this version and was ignored in ${countOf(count, 'monitor')}`,
    );
}
