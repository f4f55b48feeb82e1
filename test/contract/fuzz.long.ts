import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import { makeWorld } from '../support/seed.js';
import { appForSuite } from '../support/suite.js';
import { arbitraryOf, broken } from './arbitrary-of-schema.js';
import { countCases, show } from './case-count.js';
import { bodySchemaOf, operationOf, resolveSchema } from './described-operation.js';
import { callerOf, SUBJECTS, pathOf, send, seedOf, type Subject } from './subject.js';
import { tableDigest } from './table-digest.js';

/** Requests per route. `FUZZ_RUNS=2000` searches longer. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40);

function bodies(subject: Subject, example: unknown): Arbitrary<unknown> {
  const schema = bodySchemaOf(subject);
  if (!schema) return fc.constant(undefined);
  const valid = arbitraryOf(schema, resolveSchema);
  const fields = Object.entries(schema.properties ?? {});
  // The example with one field replaced often passes the schema and reaches the code behind it.
  const near = fields.map(([name, field]) =>
    arbitraryOf(field, resolveSchema).map((value) => ({ ...(example as object), [name]: value })),
  );
  return fc.oneof(
    { arbitrary: near.length > 0 ? fc.oneof(...near) : valid, weight: 5 },
    { arbitrary: valid, weight: 2 },
    { arbitrary: valid.chain(broken), weight: 1 },
    { arbitrary: broken(example ?? {}), weight: 2 },
    { arbitrary: fc.jsonValue(), weight: 1 },
  );
}

function queries(subject: Subject): Arbitrary<string> {
  const parameters = (operationOf(subject).parameters ?? []).filter((parameter) => parameter.in === 'query');
  if (parameters.length === 0) return fc.constant('');
  const one = fc
    .constantFrom(...parameters)
    .chain(({ name, schema }) =>
      fc
        .oneof(arbitraryOf(schema, resolveSchema), fc.string({ maxLength: 20 }), fc.integer())
        .map((value) => [name, text(value)] as [string, string]),
    );
  return fc.array(one, { maxLength: 2 }).map((pairs) => new URLSearchParams(pairs).toString());
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '?') : JSON.stringify(value);

/** The table, by route, in which a code that is wrong or cannot be sent counts as one of the attempts that there may be. */
const COUNTED: Readonly<Record<string, string>> = {
  'POST /api/v1/workspaces/{id}/members/me/chat-accounts/confirm': 'chat_account',
  'POST /api/v1/workspaces/{id}/members/me/contact-methods/confirm': 'chat_account',
  'PATCH /api/v1/workspaces/{id}/members/me': 'daily_budget',
};
/** The own preferences are changed by it too, which nobody else has to know. */
const AUDITED_IN_PART = new Set(['PATCH /api/v1/workspaces/{id}/members/me']);

/** The part of the digest of all tables that belongs to the audit log. */
const auditOf = (digest: string) => /^audit_entry .*$/m.exec(digest)?.[0];

const without = (digest: string, table: string | undefined) =>
  digest.split('\n').filter((line) => table === undefined || !line.startsWith(`${table} `));

describe('random bodies and queries', () => {
  // A separate database stays small. All of it is read after every refusal.
  const app = appForSuite();

  it('the digest of all tables changes exactly when a row is inserted, changed or deleted', async () => {
    const digests = [await tableDigest(app)];
    const { workspaceId } = await makeWorld(app);
    digests.push(await tableDigest(app));
    const onWorkspace = async (statement: string) => {
      await app.sql(statement, [workspaceId]);
      digests.push(await tableDigest(app));
    };
    await onWorkspace(`UPDATE workspace SET name = 'Other' WHERE id = $1`);
    await onWorkspace('DELETE FROM workspace_member WHERE workspace_id = $1');
    expect(new Set(digests).size, 'each digest differs').to.equal(4);
    await onWorkspace(`UPDATE workspace SET name = 'Other' WHERE id = $1`);
    await onWorkspace('SELECT FROM workspace WHERE id = $1 FOR UPDATE');
    const undone = `UPDATE workspace SET name = 'Third' WHERE id = $1 RETURNING 1 / (length(name) - length('Third'))`;
    expect(await onWorkspace(undone).catch(String)).to.include('division by zero');
    digests.push(await tableDigest(app));
    expect(new Set(digests.slice(3)).size, 'none after the fourth').to.equal(1);
  });

  for (const subject of SUBJECTS) {
    const schema = bodySchemaOf(subject);
    if (!schema && subject.route.query === undefined) continue;

    it(`${subject.title}: no request gets a 5xx or hangs, and a refused one writes nothing`, async function () {
      this.timeout(600_000 + RUNS * 1_000);
      const world = await makeWorld(app);
      const call = await seedOf(subject, world);
      const api = await callerOf(subject, world, call);
      const isAudited = Array.isArray(subject.route.audits) && !AUDITED_IN_PART.has(subject.title);
      let before = await tableDigest(app);
      await fc.assert(
        fc.asyncProperty(bodies(subject, call.body), queries(subject), async (body, query) => {
          const base = pathOf(subject, world.workspaceId, call);
          const path = query === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${query}`;
          const answer = await send(subject, world, call, {
            api,
            path,
            ...(schema ? { body: JSON.stringify(body) ?? '' } : {}),
          });
          countCases();
          if (subject.example.status !== answer.status) expect(answer.status, show(answer)).to.be.below(500);
          const now = await tableDigest(app);
          const counted = COUNTED[subject.title];
          if (answer.status >= 400)
            expect(without(now, counted), `refused with ${show(answer)}, and yet something was written`).to.deep.equal(
              without(before, counted),
            );
          else if (answer.status < 400 && isAudited)
            expect(auditOf(now) !== auditOf(before), `written and audited, or neither: ${show(answer)}`).to.equal(
              now !== before,
            );
          before = now;
        }),
        // A query can be wrong in fewer ways.
        { numRuns: schema ? RUNS : Math.ceil(RUNS / 3) },
      );
    });
  }
});
