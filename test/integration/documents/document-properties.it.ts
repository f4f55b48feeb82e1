import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../../support/product.js';
import { makeWorld, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { CHAT_URL, documents, PEOPLE, SECRET, SLUG } from './arbitrary-document.js';

const NUM_RUNS = Number(process.env['DOCUMENT_RUNS'] ?? 5);

interface Place {
  world: World;
  /** Words of the test, and what is in their place in this workspace. */
  words: readonly (readonly [string, string])[];
}

describe('Any configuration document', () => {
  const app = appForSuite();

  async function makePlace(): Promise<Place> {
    const world = await makeWorld(app, 'Enterprise');
    const members = [world.owner, await world.member('Editor'), await world.member('Responder')];
    const emails = await Promise.all(
      members.map(async ({ userId }) => {
        return app.value<string>('SELECT email FROM user_account WHERE id = $1', [userId]);
      }),
    );
    const people = PEOPLE.map((person, index): [string, string] => [person, emails[index]!]);
    return { world, words: [[SLUG, `page-${world.workspaceId.slice(-12)}`], ...people] };
  }
  const inPlace = (document: Json, { words }: Place): Json =>
    JSON.parse(
      words.reduce((text, [word, value]) => text.replaceAll(`"${word}"`, `"${value}"`), JSON.stringify(document)),
    );
  async function done(verb: 'plan' | 'apply', document: Json, place: Place, more: object = {}): Promise<Json> {
    const { status, body } = await place.world.api('POST', `/api/v1/config/${verb}`, {
      document: inPlace(document, place),
      ...more,
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const PRUNE = { prune: true, maxDelete: 1_000 };

  /** The workspace as a document, with the words of the test in the place of what other workspaces have otherwise. */
  async function exported({ world, words }: Place): Promise<Json> {
    const { body } = await world.api('GET', '/api/v1/config/export?project=shop');
    const text = words.reduce((all, [word, value]) => all.replaceAll(`"${value}"`, `"${word}"`), JSON.stringify(body));
    const document: Json = JSON.parse(text, (_, value: Json) =>
      typeof value?.env === 'string' ? (value.env.endsWith('WEBHOOKURL') ? CHAT_URL : SECRET) : value,
    );
    // In the order of the addresses, which are others elsewhere.
    for (const team of Object.values<Json>(document.teams ?? {}))
      team.members?.sort((a: Json, b: Json) => (a.email < b.email ? -1 : 1));
    return document;
  }
  const changed = ({ changes }: Json) => changes.filter(({ action }: Json) => action !== 'unchanged');

  it('changes nothing the second time, replaces the one before it, and is the same after its export', async function () {
    this.timeout(60_000 + NUM_RUNS * 15_000);
    await fc.assert(
      fc.asyncProperty(documents, documents, async (first, second) => {
        const place = await makePlace();
        await done('plan', first, place);
        const applied = await done('apply', first, place);
        const again = await done('apply', first, place);
        expect(changed(again), 'the second apply').to.deep.equal([]);
        expect(again.version).to.equal(applied.version);

        await done('plan', second, place, { prune: true });
        await done('apply', second, place, PRUNE);
        expect(changed(await done('plan', second, place, { prune: true })), 'the plan after another').to.deep.equal([]);
        const replaced = await exported(place);

        const fresh = await makePlace();
        await done('apply', second, fresh);
        expect(replaced, 'the second document alone').to.deep.equal(await exported(fresh));

        const copy = await makePlace();
        await done('apply', replaced, copy);
        expect(await exported(copy), 'the export elsewhere').to.deep.equal(replaced);
        expect(changed(await done('plan', replaced, place, { prune: true })), 'the export at home').to.deep.equal([]);
        expect(
          changed(await done('plan', second, copy, { prune: true })),
          'the document after its export',
        ).to.deep.equal([]);

        const objects = (await done('plan', second, place)).changes.map(({ kind, key }: Json) => ({ kind, key }));
        if (objects.length === 0) return;
        await place.world.api('POST', '/api/v1/config/detach', { project: 'shop', objects });
        const adopted = await done('apply', replaced, place, { adopt: true });
        expect(adopted.summary).to.include({ create: 0, update: objects.length });
        expect(adopted.changes.flatMap(({ fields }: Json) => Object.keys(fields))).to.deep.equal([]);
      }),
      { numRuns: NUM_RUNS, endOnFailure: true },
    );
  });
});
