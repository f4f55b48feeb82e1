import { NOT_IN_NAMES } from '@watchpost/shared/clean-line';
import type { ImportContext } from './import-context.js';
import { countOf } from '../output/format-time.js';
import { idOf, rowsOf } from './installation.js';
import { flagOf, numberOf, type Row, textOf } from '../import/rows.js';
import { COUNTED_TABLES } from './kuma-tables.js';

/** Settings that the conversions use. */
const USED_SETTINGS = new Set(['tlsExpiryNotifyDays', 'domainExpiryNotifyDays', 'serverTimezone']);

const NAMED_TABLES = ['monitor', 'notification', 'status_page', 'group', 'maintenance'];
const nameOf = (row: Row) => textOf(row, 'name') ?? textOf(row, 'title') ?? '';

/** Reports what no conversion takes over: accounts, keys, settings, helpers of checks and history. */
export function reportRest({ installation, report }: ImportContext): void {
  const users = new Map<number, number>();
  for (const row of rowsOf(installation, 'monitor')) {
    const proxy = numberOf(row, 'proxy_id') ?? 0;
    users.set(proxy, (users.get(proxy) ?? 0) + 1);
  }
  for (const row of rowsOf(installation, 'proxy')) {
    const name = `${textOf(row, 'protocol') ?? ''}://${textOf(row, 'host') ?? ''}:${textOf(row, 'port') ?? ''}`;
    const state = flagOf(row, 'active') ? '' : ', and it is not active';
    report.untaken(
      'proxy',
      name,
      `checks go through none; ${countOf(users.get(idOf(row)) ?? 0, 'monitor')} had it${state}`,
    );
  }
  for (const row of rowsOf(installation, 'docker_host'))
    report.untaken('Docker host', textOf(row, 'name') ?? String(idOf(row)), 'containers are not checked');
  for (const row of rowsOf(installation, 'remote_browser'))
    report.untaken('remote browser', textOf(row, 'name') ?? String(idOf(row)), 'no check has a browser');
  for (const row of rowsOf(installation, 'user'))
    report.untaken('user', textOf(row, 'username') ?? String(idOf(row)), 'invite the person to the workspace');
  for (const row of rowsOf(installation, 'api_key'))
    report.untaken('API key', textOf(row, 'name') ?? String(idOf(row)), 'create one here: the interfaces differ');
  for (const row of rowsOf(installation, 'setting')) {
    const key = textOf(row, 'key') ?? String(idOf(row));
    if (!USED_SETTINGS.has(key)) report.untaken('setting', key, 'it is a setting of Uptime Kuma itself');
  }
  const names = NAMED_TABLES.flatMap((table) => rowsOf(installation, table).map(nameOf));
  const cleaned = names.filter((name) => name.search(NOT_IN_NAMES) >= 0).length;
  if (cleaned > 0)
    report.add(`${countOf(cleaned, 'name')} without line breaks, control characters and changes of the text direction`);
  for (const [table, count] of installation.counts) {
    const reason = COUNTED_TABLES[table] ?? 'the table is not known to this version';
    if (count > 0) report.add(`table ${table}: ${countOf(count, 'row')} not taken over: ${reason}`);
  }
}
