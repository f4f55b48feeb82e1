import { expect } from 'chai';
import { makeWorld } from '../support/seed.js';
import type { JsonSchema } from './arbitrary-of-schema.js';
import { show } from './case-count.js';
import { bodySchemaOf, operationOf, resolveSchema } from './described-operation.js';
import { fieldsOf, withValue } from './hostile-inputs.js';
import { app, callerOf, pathOf, seedOf, send, SUBJECTS, type Subject } from './subject.js';

/** The edges of calendars, clocks, JavaScript and PostgreSQL, and dates that do not exist. */
const DAYS = ['0000-01-01', '0001-01-01', '1969-12-31', '1970-01-01', '2027-02-30', '2200-12-31', '9999-12-31'];
const LOCAL = [
  ...DAYS.map((day) => `${day}T23:00`),
  '2016-12-31T23:59:60',
  '2027-03-28T02:30',
  '9999-12-31T23:59:59',
  '+275760-09-13T00:00',
];
const INSTANTS = [
  ...DAYS.map((day) => `${day}T23:00:00Z`),
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00+23:59',
  '2016-12-31T23:59:60Z',
  '2200-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999999999-23:59',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
];
const DATES = [...DAYS, '+275760-09-13', '-0001-01-01'];
const RULES = [
  ...['00010101', '19691231', '20270230', '22001231', '99991231', '99991231T235959Z', '20161231T235960Z'].map(
    (end) => `FREQ=DAILY;UNTIL=${end}`,
  ),
  'FREQ=MONTHLY;INTERVAL=400;COUNT=10000',
  'FREQ=DAILY;COUNT=10000',
];

/** The values for a field or parameter of dates; null where it is none. */
function edgesOf(name: string, schema: JsonSchema): readonly string[] | null {
  const text = JSON.stringify(resolveSchema(schema));
  if (text.includes('"format":"date-time"')) return INSTANTS;
  if (text.includes('"format":"date"')) return DATES;
  if (name === 'startsAt') return LOCAL;
  return name === 'recurrence' ? RULES : null;
}

interface DateInput {
  what: string;
  query?: string;
  body?: unknown;
}

function dateInputs(subject: Subject, example: unknown): DateInput[] {
  const named: { name: string; values: readonly string[] }[] = [];
  for (const { in: place, name, schema } of operationOf(subject).parameters ?? []) {
    const values = place === 'query' ? edgesOf(name, schema) : null;
    if (values) named.push({ name, values });
  }
  const queryOf = (names: string[], value: string) =>
    names.map((name) => `${name}=${encodeURIComponent(value)}`).join('&');
  const queries = named.flatMap(({ name, values }) =>
    values.map((value) => ({ what: `?${name}=${value}`, query: queryOf([name], value) })),
  );
  const schema = bodySchemaOf(subject);
  const good = (example ?? {}) as Record<string, unknown>;
  const bodies = (schema ? fieldsOf(schema) : []).flatMap(({ path, schema: field }) => {
    const name = String(path.at(-1));
    const isObject = resolveSchema(field).properties !== undefined || resolveSchema(field).items !== undefined;
    return (isObject ? [] : (edgesOf(name, field) ?? [])).map((value) => ({
      what: `${path.join('.')}: ${value}`,
      body: withValue(good, path, value),
    }));
  });
  return [...queries, ...bodies];
}

describe('dates', () => {
  const walked = SUBJECTS.filter((subject) => dateInputs(subject, {}).length > 0);
  for (const subject of walked) {
    it(`${subject.title}: at the edges of calendars are accepted or refused, and never fail`, async () => {
      const world = await makeWorld(app);
      const call = await seedOf(subject, world);
      const api = await callerOf(subject, world, call);
      for (const { what, query, ...rest } of dateInputs(subject, call.body)) {
        const all = [call.query, query].filter((part) => part !== undefined).join('&');
        const path = pathOf(subject, world.workspaceId, all === '' ? call : { ...call, query: all });
        const answer = await send(subject, world, call, { api, path, ...rest });
        expect(answer.status, `${what}: ${show(answer)}`).to.be.below(500);
      }
    });
  }

  it('in a document are accepted or refused, and never fail', async () => {
    const { api } = await makeWorld(app);
    const window = { name: 'Deploys', startsAt: '2027-03-28T02:00', duration: 'PT1H', scope: { all: true } };
    const windows = [
      ...LOCAL.map((startsAt) => ({ ...window, startsAt })),
      ...RULES.map((recurrence) => ({ ...window, recurrence })),
    ];
    for (const one of windows) {
      const document = { apiVersion: 'watchpost/v1', project: 'dates', maintenanceWindows: { one } };
      for (const verb of ['plan', 'apply']) {
        const answer = await api('POST', `/api/v1/config/${verb}`, { document });
        expect(answer.status, `${JSON.stringify(one)}: ${show(answer)}`).to.be.below(500);
      }
    }
  });

  it('are walked through in every kind of place', () => {
    expect(walked.map(({ route }) => route.operationId)).to.include.members([
      'createMaintenanceWindow',
      'previewMaintenanceOccurrences',
      'setSchedule',
      'createApiKey',
    ]);
    expect(walked.length).to.be.above(20);
  });
});
