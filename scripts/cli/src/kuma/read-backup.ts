import { type Installation } from './installation.js';
import { isRow, parseFile, type Row, UnreadableFile } from '../import/rows.js';

const MOST_ITEMS = 100_000;

/** What a monitor of a backup has beside the columns of its table; groups and tags are read from there. */
const NOT_COLUMNS = new Set([
  'pathName',
  'childrenIDs',
  'forceInactive',
  'notificationIDList',
  'tags',
  'maintenance',
  'screenshot',
  'includeSensitiveData',
  'accepted_statuscodes',
]);

/** Reads the JSON backup of Uptime Kuma 1.x into the form of its tables. @throws UnreadableFile */
export function readBackup(bytes: Uint8Array): Installation {
  const backup = parse(bytes);
  const monitors = listOf(backup, 'monitorList');
  const tags = new Map<unknown, Row>();
  const monitorTags: Row[] = [];
  const links: Row[] = [];
  for (const monitor of monitors) {
    for (const tag of listOf(monitor, 'tags')) {
      tags.set(tag['tag_id'], { id: tag['tag_id'], name: tag['name'], color: tag['color'] });
      monitorTags.push({
        id: monitorTags.length + 1,
        monitor_id: monitor['id'],
        tag_id: tag['tag_id'],
        value: tag['value'],
      });
    }
    for (const [id, isUsed] of Object.entries((monitor['notificationIDList'] as object | undefined) ?? {}))
      if (isUsed === true) links.push({ id: links.length + 1, monitor_id: monitor['id'], notification_id: Number(id) });
  }
  return {
    tables: new Map<string, readonly Row[]>([
      ['monitor', monitors.map(monitorRow)],
      ['tag', [...tags.values()]],
      ['monitor_tag', monitorTags],
      ['notification', listOf(backup, 'notificationList').map(inColumns)],
      ['monitor_notification', links],
      ['proxy', listOf(backup, 'proxyList').map(inColumns)],
    ]),
    counts: new Map(),
  };
}

function parse(bytes: Uint8Array): Row {
  const value = parseFile(
    bytes,
    'This is neither a SQLite file nor JSON: choose kuma.db, or a backup of Uptime Kuma 1.x.',
  );
  if (isRow(value) && Array.isArray(value['monitorList']) && Array.isArray(value['notificationList'])) return value;
  throw new UnreadableFile('This JSON is no backup of Uptime Kuma 1.x: it has no monitorList and notificationList.');
}

function listOf(holder: Row, name: string): Row[] {
  const list = holder[name];
  if (!Array.isArray(list)) return [];
  if (list.length > MOST_ITEMS) throw new UnreadableFile(`${name} has more than ${MOST_ITEMS} entries.`);
  return list.filter(isRow);
}

function monitorRow(monitor: Row): Row {
  const columns = Object.fromEntries(Object.entries(monitor).filter(([name]) => !NOT_COLUMNS.has(name)));
  const codes = monitor['accepted_statuscodes'];
  return {
    ...inColumns(columns),
    ...(codes === undefined ? {} : { accepted_statuscodes_json: JSON.stringify(codes) }),
  };
}

/** The names of columns in the place of those of JavaScript: `retry_interval` for `retryInterval`. */
function inColumns(fields: Row): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
