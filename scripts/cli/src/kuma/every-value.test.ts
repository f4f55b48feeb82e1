import { expect } from 'chai';
import fc from 'fast-check';
import { CHANNEL_RULES } from './channel-fields.js';
import { type KumaRows, sqliteFile } from './fixtures/kuma-files.js';
import { KUMA_TABLES } from './fixtures/kuma-schema.js';
import { importUptimeKuma } from './import-uptime-kuma.js';
import { UnreadableFile } from '../import/rows.js';
import type { Row } from '../import/rows.js';

const NOON = Date.parse('2026-11-25T12:00Z');
/** What a person does not read as words. */
const NOT_WORDS = /\[object|undefined|NaN|Infinity|\bPT?-?\d/;

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    'null',
    '[null]',
    '[[]]',
    '[{}]',
    '{}',
    '{"a":null}',
    '[1,"x",null,{"a":[]}]',
    '"x"',
    'true',
    '-1',
    '1e400',
  ),
  fc.constantFrom(
    '9999-12-31 23:59:59',
    '0000-01-01 00:00:00',
    '2026-13-45 99:99',
    '10:00:00',
    '25:61',
    '* * * * *',
    '0 1 * * L',
  ),
  fc.json({ maxDepth: 3 }),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -1, 0.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 31, 1e15),
);
const sqliteValue = fc.oneof(fc.constant(null), texts, numbers, fc.uint8Array({ maxLength: 8 }));
const jsonValue = fc.oneof(texts, numbers, fc.boolean(), fc.jsonValue({ maxDepth: 2 }));

/** Values that lead a row beyond the first refusal, one of which is then replaced. */
const SOUND: Readonly<Record<string, readonly Row[]>> = {
  monitor: [
    'http',
    'keyword',
    'json-query',
    'port',
    'dns',
    'push',
    'grpc-keyword',
    'group',
    'ping',
    'smtp',
    'real-browser',
  ].map((type) => ({
    type,
    url: 'https://shop.example/',
    hostname: 'shop.example',
    port: 443,
    interval: 60,
    timeout: 48,
    maxretries: 1,
    keyword: 'x',
    json_path: '$.a',
    expected_value: 'x',
    push_token: 'a'.repeat(32),
    method: 'GET',
    active: 1,
    dns_resolve_type: 'A',
    dns_resolve_server: '1.1.1.1',
    grpc_url: 'api.example:50051',
    grpc_protobuf: 'package grpc.health.v1;',
    grpc_service_name: 'Health',
    grpc_method: 'check',
    grpc_body: '{"service":"shop.v1.Orders"}',
    grpc_metadata: '{"authorization":"Bearer own"}',
  })),
  notification: ['smtp', 'webhook', 'twilio', 'signal', ...Object.keys(CHANNEL_RULES)].map((type) => ({
    active: 1,
    config: JSON.stringify({
      type,
      smtpTo: 'a@b.example',
      webhookURL: 'https://a.example/',
      slackwebhookURL: 'https://a.example',
    }),
  })),
  maintenance: ['single', 'recurring-interval', 'recurring-weekday', 'recurring-day-of-month', 'cron'].map(
    (strategy) => ({
      strategy,
      active: 1,
      start_date: '2026-12-01 10:00:00',
      end_date: '2026-12-24 10:00:00',
      start_time: '10:00:00',
      end_time: '11:00:00',
      weekdays: '[1]',
      days_of_month: '[1]',
      interval_day: 2,
      cron: '0 1 * * *',
      duration: 3_600,
      timezone: 'UTC',
    }),
  ),
  setting: [{ key: 'tlsExpiryNotifyDays' }, { key: 'domainExpiryNotifyDays' }, { key: 'serverTimezone' }],
};

/** An installation whose rows have odd values in one column of each table: that of the turn. */
function installation(version: '1.x' | '2.x', turn: number, value: fc.Arbitrary<unknown>): fc.Arbitrary<KumaRows> {
  const tables = Object.entries(KUMA_TABLES[version]).map(([table, columns]) => {
    const links = Object.fromEntries(columns.filter((column) => column.endsWith('_id')).map((column) => [column, 1]));
    const column = columns[turn % columns.length]!;
    const rows = (SOUND[table] ?? [{}, {}]).map((sound, index) =>
      value.map((odd) => ({ ...links, ...sound, ...(column === 'id' ? {} : { [column]: odd }), id: index + 1 })),
    );
    return [table, fc.tuple(...rows)] as const;
  });
  return fc.record(Object.fromEntries(tables));
}

const turnsOf = (version: '1.x' | '2.x') =>
  Array.from(
    { length: Math.max(...Object.values(KUMA_TABLES[version]).map((columns) => columns.length)) },
    (_, turn) => turn,
  );

async function expectWords(bytes: Uint8Array): Promise<void> {
  const { document, report } = await importUptimeKuma(bytes, { nowMs: NOON });
  expect(document).to.contain('project: uptime-kuma');
  // Content of the installation itself is in quotes, or the name of a header or a status. A name may have quotes in it.
  for (const line of report) {
    const words = line
      .replace(/^([^"]*)".*": /s, '$1"": ')
      .replaceAll(/its header .*? is (?=not sent:|sent once:)/gs, 'it is ')
      .replaceAll(/the status .*? is not accepted/gs, 'a status is not accepted');
    expect(words.replaceAll(/"(?:[^"]|"(?![:;, ]|$))*"/g, '""')).not.to.match(NOT_WORDS);
  }
}

describe('A value of any type in a column of Uptime Kuma', () => {
  for (const version of ['1.x', '2.x'] as const) {
    it(`of a SQLite file of ${version} never stops the import`, async () => {
      for (const turn of turnsOf(version))
        await fc.assert(
          fc.asyncProperty(installation(version, turn, sqliteValue), async (rows) =>
            expectWords(await sqliteFile(version, rows)),
          ),
          { numRuns: 1, endOnFailure: true },
        );
    });
  }

  it('of a backup never stops the import', async () => {
    const camel = (row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name.replace(/_([a-z])/g, (_, one: string) => one.toUpperCase()),
          value,
        ]),
      );
    const special = fc.constantFrom('tags', 'notificationIDList', 'accepted_statuscodes', 'id', 'name');
    for (const turn of turnsOf('1.x'))
      await fc.assert(
        fc.asyncProperty(
          installation('1.x', turn, jsonValue),
          special,
          jsonValue,
          async ({ monitor = [], notification = [] }, name, value) => {
            const monitorList = monitor.map((row) => ({ ...camel(row), [name]: value }));
            const backup = { version: '1.23.16', monitorList, notificationList: notification.map(camel) };
            await expectWords(Buffer.from(JSON.stringify(backup)));
          },
        ),
        { numRuns: 5, endOnFailure: true },
      );
  });

  it('that was met is a line of the report in words', async () => {
    const monitor = SOUND['monitor']!.map((row, index) => ({
      ...row,
      id: index + 1,
      conditions: '[null]',
      interval: 1e9,
    }));
    const window = { ...SOUND['maintenance']![0], title: 'Odd' };
    const maintenance = [
      { ...window, start_date: '9999-12-31 23:00:00', end_date: '9999-12-31 23:59:00' },
      { ...window, start_date: '2026-12-01 10:00:00', end_date: '2026-12-01 08:58:55' },
      { ...window, strategy: 'recurring-interval', start_date: '9999-12-31 23:00:00', end_date: null },
      { ...window, strategy: 'cron', cron: '0 1 * * *', duration: 1e9 },
      {
        ...window,
        strategy: 'recurring-day-of-month',
        days_of_month: '[30,{"toString":0}]',
        start_date: '9989-12-31 23:00',
        end_date: '9999-12-31 23:59',
      },
    ].map((row, index) => ({ ...row, id: index + 1, title: `Odd ${index + 1}` }));
    const links = maintenance.map(({ id }) => ({ id, monitor_id: 1, maintenance_id: id }));
    const rows = { monitor, maintenance, monitor_maintenance: links };
    const { report } = await importUptimeKuma(await sqliteFile('2.x', rows), { nowMs: NOON });
    for (const line of [
      'maintenance "Odd 1": not taken over: it begins after the year 9989',
      'maintenance "Odd 2": not taken over: it ends before it begins',
      'maintenance "Odd 3": not taken over: it begins after the year 9989',
      'maintenance "Odd 4": takes 7 days instead of 11574 days 1 hour 46 minutes 40 seconds (5 minutes to 7 days)',
    ])
      expect(report).to.include(line);
    const intervals = report.filter((line) => line.includes('is checked every 1 hour instead of 11574 days'));
    expect(intervals).to.have.length.above(4);
    expect(report.filter((line) => /its conditions are not checked/.test(line))).to.have.length.above(4);
  });

  it('leaves files that are no installation to a sentence', async () => {
    for (const text of ['null', '[]', '{"monitorList":{},"notificationList":[]}', '']) {
      const failed = await importUptimeKuma(Buffer.from(text), { nowMs: NOON }).catch((error: unknown) => error);
      expect(failed, text).to.be.instanceOf(UnreadableFile);
    }
  });
});
