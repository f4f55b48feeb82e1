import { expect } from 'chai';
import { expectShortTurns } from '../../support/longest-turn.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

const listOf = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, index) => of(index));
let made = 0;
/** Patterns and queries that were never read before, and of which each takes long. */
const pattern = () => `(?i)${'\\pL'.repeat(10)}${made++}`;
const query = () => `$${'..*'.repeat(300)}.a${made++}`;
const request = () => ({
  assertions: listOf(20, () => ({ source: 'json', property: query(), comparison: 'matches', target: pattern() })),
  extract: Object.fromEntries(listOf(20, (at) => [`v${at}`, { from: 'regex', expression: pattern() }])),
});
const monitor = () => ({
  url: 'https://shop.example/',
  http: {
    ...request(),
    steps: listOf(9, (at) => ({ name: `Step ${at}`, url: 'https://shop.example/', ...request() })),
  },
});

describe('Settings with as many costly patterns and queries as there can be', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Enterprise');

  const document = (value: object) => ({
    document: { apiVersion: 'watchpost/v1', project: 'costly', monitors: { a: value, b: monitor() } },
  });
  const sent: Readonly<Record<string, (value: object) => Promise<{ status: number; body: unknown }>>> = {
    'a body that creates a monitor': (value) => world.api('POST', '/api/v1/monitor', value),
    'a document': (value) => world.api('POST', '/api/v1/config/plan', document(value)),
  };

  for (const [what, send] of Object.entries(sent))
    it(`never hold the event loop for long in ${what}`, () =>
      expectShortTurns(async () => {
        const { status, body } = await send(monitor());
        expect(status, JSON.stringify(body).slice(0, 500)).to.be.oneOf([200, 201]);
      }));
});
