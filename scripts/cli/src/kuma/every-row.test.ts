import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { backupFile, type KumaRows, sqliteFile } from './fixtures/kuma-files.js';
import { KUMA_TABLES } from './fixtures/kuma-schema.js';
import { importUptimeKuma } from './import-uptime-kuma.js';
import type { Row } from '../import/rows.js';

const NOON = Date.parse('2026-11-25T12:00Z');
const TYPES = [
  'http',
  'keyword',
  'json-query',
  'port',
  'dns',
  'push',
  'grpc-keyword',
  'group',
  'ping',
  'docker',
  'mqtt',
  'real-browser',
  null,
];
const CHANNELS = [
  'smtp',
  'slack',
  'teams',
  'webhook',
  'twilio',
  'telegram',
  'gotify',
  'ntfy',
  'signal',
  'squadcast',
  null,
];
const STRATEGIES = [
  'single',
  'manual',
  'recurring-interval',
  'recurring-weekday',
  'recurring-day-of-month',
  'cron',
  'lunar',
];

const bit = fc.constantFrom(0, 1);
/** Ids of rows that exist, and of rows that do not. */
const reference = fc.integer({ min: 1, max: 8 });
const odd = fc.oneof(fc.constant(null), fc.string({ maxLength: 12 }), fc.integer({ min: -5, max: 100_000 }));
const table = (row: Record<string, fc.Arbitrary<unknown>>, maxLength = 6): fc.Arbitrary<Row[]> =>
  fc
    .array(fc.record(row, { requiredKeys: [] }), { maxLength })
    .map((rows) => rows.map((one, index) => ({ id: index + 1, ...one })));

const installation = fc
  .record({
    monitor: table(
      {
        type: fc.constantFrom(...TYPES),
        url: fc.oneof(fc.webUrl(), fc.constantFrom('https://', null, 'https://a:b@c.example/', 'http://10.0.0.1/')),
        hostname: fc.oneof(fc.domain(), fc.ipV4(), odd),
        port: fc.oneof(fc.integer({ min: 1, max: 65_535 }), odd),
        interval: fc.integer({ min: 1, max: 100_000 }),
        maxretries: fc.integer({ min: 0, max: 20 }),
        timeout: fc.integer({ min: 0, max: 200 }),
        keyword: odd,
        method: fc.constantFrom('GET', 'POST', 'HEAD', 'BREW'),
        body: odd,
        headers: fc.oneof(fc.json({ maxDepth: 1 }), odd),
        accepted_statuscodes_json: fc.constantFrom('["200-299"]', '["500"]', '[]', '["x","9999"]'),
        dns_resolve_type: fc.constantFrom('A', 'MX', 'PTR'),
        push_token: fc.oneof(fc.stringMatching(/^[A-Za-z0-9]{32}$/), odd),
        upside_down: bit,
        active: bit,
        parent: fc.option(reference),
        proxy_id: fc.option(reference),
      },
      8,
    ),
    tag: table({ color: odd }),
    monitor_tag: table({ monitor_id: reference, tag_id: reference, value: odd }),
    notification: table({
      active: bit,
      config: fc.oneof(
        odd,
        fc
          .record({
            type: fc.constantFrom(...CHANNELS),
            smtpTo: fc.oneof(fc.emailAddress(), fc.string()),
            slackwebhookURL: fc.oneof(fc.webUrl(), fc.string()),
            webhookUrl: fc.webUrl(),
            webhookURL: fc.webUrl(),
            webhookAdditionalHeaders: fc.json({ maxDepth: 1 }),
            twilioToNumber: fc.constantFrom('+353871234567', '0871234567'),
          })
          .map((config) => JSON.stringify(config)),
      ),
    }),
    monitor_notification: table({ monitor_id: reference, notification_id: reference }),
    status_page: table({ slug: fc.string(), theme: odd, published: bit }, 3),
    status_page_cname: table({ status_page_id: reference }, 2),
    group: table({ weight: odd, status_page_id: reference }),
    monitor_group: table({ monitor_id: reference, group_id: reference, weight: odd, send_url: bit }),
    incident: table({ status_page_id: reference }, 2),
    maintenance: table(
      {
        strategy: fc.constantFrom(...STRATEGIES),
        active: bit,
        start_date: fc.constantFrom(null, '2026-12-01 10:00:00', '2026-11-24 10:00:00', 'soon'),
        end_date: fc.constantFrom(null, '2026-12-01 12:00:00', '2026-12-24T10:00'),
        start_time: fc.constantFrom('10:00:00', '23:30', null),
        end_time: fc.constantFrom('11:00:00', '10:00:00'),
        weekdays: fc.constantFrom('[]', '[0,6]', '[1]', 'x'),
        days_of_month: fc.constantFrom('[1,31]', '["lastDay1","lastDay2"]', '[]'),
        interval_day: fc.integer({ min: 0, max: 9 }),
        cron: fc.constantFrom('0 1 * * *', '0 1 * * 1-5', 'x', null),
        duration: fc.constantFrom(60, 3_600, null),
        timezone: fc.constantFrom('UTC', 'SAME_AS_SERVER', 'Europe/Dublin', 'Moon/Base', null),
      },
      4,
    ),
    monitor_maintenance: table({ monitor_id: reference, maintenance_id: reference }, 8),
    maintenance_status_page: table({ status_page_id: reference, maintenance_id: reference }),
    proxy: table({ active: bit }, 2),
    docker_host: table({}, 2),
    setting: table({ value: odd }, 3),
    user: table({}, 2),
    api_key: table({}, 2),
    heartbeat: table({ monitor_id: reference }, 3),
    stat_daily: table({}, 2),
    remote_browser: table({}, 2),
  })
  .map((rows) =>
    Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, list.map((row) => named(name, row))])),
  );

/** The column by which a row of a table is found again. */
const NAME_OF: Readonly<Record<string, string>> = {
  monitor: 'name',
  tag: 'name',
  notification: 'name',
  status_page: 'title',
  status_page_cname: 'domain',
  group: 'name',
  incident: 'title',
  maintenance: 'title',
  proxy: 'host',
  docker_host: 'name',
  setting: 'key',
  user: 'username',
  api_key: 'name',
  remote_browser: 'name',
};

const markOf = (name: string, id: unknown): string => `${name.replaceAll('_', '')}mark${String(id)}x`;
const named = (name: string, row: Row): Row =>
  NAME_OF[name] ? { ...row, [NAME_OF[name]]: markOf(name, row['id']) } : row;

/** Tables of links, and the columns that name what they connect. */
const LINKS: Readonly<Record<string, readonly [column: string, table: string][]>> = {
  monitor_tag: [
    ['monitor_id', 'monitor'],
    ['tag_id', 'tag'],
  ],
  monitor_notification: [
    ['monitor_id', 'monitor'],
    ['notification_id', 'notification'],
  ],
  monitor_group: [
    ['monitor_id', 'monitor'],
    ['group_id', 'group'],
  ],
  monitor_maintenance: [
    ['monitor_id', 'monitor'],
    ['maintenance_id', 'maintenance'],
  ],
  maintenance_status_page: [
    ['status_page_id', 'status_page'],
    ['maintenance_id', 'maintenance'],
  ],
};

describe('Every row of an installation of Uptime Kuma', () => {
  it('is in the document or in the report, and so is each link between two of them', async () => {
    await fc.assert(
      fc.asyncProperty(installation, fc.constantFrom('1.x', '2.x'), async (rows, version) => {
        const { document, report } = await importUptimeKuma(await sqliteFile(version, rows), { nowMs: NOON });
        expectAccounted(rows, version, document, report.join('\n'));
      }),
      { numRuns: 60 },
    );
  });

  it('of a backup is there too, and no file breaks the import', async () => {
    await fc.assert(
      fc.asyncProperty(installation, async (rows) => {
        const { monitor, notification } = rows as KumaRows;
        const { document, report } = await importUptimeKuma(backupFile(rows), { nowMs: NOON });
        expectAccounted({ monitor: monitor!, notification: notification! }, '1.x', document, report.join('\n'));
      }),
      { numRuns: 60 },
    );
  });
});

function expectAccounted(rows: KumaRows, version: '1.x' | '2.x', document: string, report: string): void {
  const everything = `${document}\n${report}`;
  for (const [name, list] of Object.entries(rows)) {
    if (KUMA_TABLES[version][name] === undefined) continue;
    if (NAME_OF[name]) {
      for (const { id } of list) expect(everything, `${name} ${String(id)}`).to.contain(markOf(name, id));
    } else if (LINKS[name]) {
      for (const row of list) expectLinkAccounted(name, row, rows, document, report);
    } else if (list.length > 0) expect(report).to.contain(`table ${name}: ${list.length} row`);
  }
}

/** A link is in the document, or one of the lines about what it connects reports why it is not. */
function expectLinkAccounted(name: string, row: Row, rows: KumaRows, document: string, report: string): void {
  const ends = LINKS[name]!.map(([column, table]) => ({
    exists: (rows[table] ?? []).some(({ id }) => id === row[column]),
    mark: markOf(table, row[column]),
  }));
  const isReported =
    ends.some(({ mark }) => report.includes(mark)) ||
    (ends.some(({ exists }) => !exists) && report.includes('does not exist'));
  if (isReported) return;
  const parsed = parse(document) as Record<string, Record<string, unknown>>;
  const holders = Object.values(parsed).flatMap((section) =>
    typeof section === 'object' ? Object.values(section) : [],
  );
  const [one, other] = ends.map(({ mark }) => mark) as [string, string];
  const isThere = holders.some((holder) => {
    const text = JSON.stringify(holder);
    return text.includes(one) && text.includes(other);
  });
  expect(isThere, `${name} of ${one} and ${other}`).to.equal(true);
}
