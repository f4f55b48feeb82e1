import { expect } from 'chai';
import { create } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

const URL_OF_SHOP = 'https://shop.example/';
/** A map from JSON, in which `__proto__` is a name like others. */
const mapOf = (name: string, value: unknown) =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as object;
const EXTRACTION = { from: 'status' };
const stepsWith = (more: object) => ({ steps: [{ name: 'Read', url: URL_OF_SHOP, ...more }] });

/** The maps of names that a monitor has, by the place of a fault in them. */
const MAPS: Readonly<Record<string, (name: string) => object>> = {
  'http.variables': (name) => ({ variables: mapOf(name, 'x') }),
  'http.extract': (name) => ({ extract: mapOf(name, EXTRACTION) }),
  'http.headers': (name) => ({ headers: mapOf(name, 'x') }),
  'http.steps.0.headers': (name) => stepsWith({ headers: mapOf(name, 'x') }),
  'http.steps.0.extract': (name) => stepsWith({ extract: mapOf(name, EXTRACTION) }),
};

describe('Names from outside', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Enterprise');

  const detailsOf = async (method: string, path: string, body: object): Promise<string[]> => {
    const answer = await world.api(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
    return answer.body.details.map(({ path: at }: { path: string }) => at);
  };

  it('that reach a prototype are refused where they stand, whichever way they come', async () => {
    for (const [at, http] of Object.entries(MAPS)) {
      const given = { url: URL_OF_SHOP, http: http('__proto__') };
      expect(await detailsOf('POST', '/api/v1/monitor', given)).to.deep.equal([`${at}.__proto__`]);
      const document = { apiVersion: 'watchpost/v1', project: 'shop', monitors: { a: given } };
      for (const sent of [document, JSON.stringify(document)])
        expect(await detailsOf('POST', '/api/v1/config/plan', { document: sent })).to.deep.equal(
          [`monitors.a.${at}.__proto__`].map((path) => (typeof sent === 'string' ? path : `document.${path}`)),
        );
    }
  });

  it('of more than one line, or in another order than they are read, are refused in bodies and documents', async () => {
    for (const name of ['Shop\nAdmin', 'Shop\u2029', '\u202epohS', 'Shop\u0007!']) {
      const given = { name: `a${name}b`, url: URL_OF_SHOP };
      expect(await detailsOf('POST', '/api/v1/monitor', given), JSON.stringify(name)).to.deep.equal(['name']);
      const document = { apiVersion: 'watchpost/v1', project: 'shop', monitors: { a: given } };
      for (const sent of [document, JSON.stringify(document)])
        expect(await detailsOf('POST', '/api/v1/config/plan', { document: sent })).to.deep.equal(['monitors.a.name']);
      for (const [path, body] of [
        ['service-group', {}],
        ['teams', {}],
        ['status-page', { slug: 'names-shop', groups: [] }],
      ] as const)
        expect(await detailsOf('POST', `/api/v1/${path}`, { ...body, name: given.name })).to.include('name');
    }
  });

  it('that objects inherit are names like others', async () => {
    for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty'])
      for (const http of Object.values(MAPS)) {
        const given = http(name);
        const { http: kept } = await create(world.api, '/api/v1/monitor', { url: URL_OF_SHOP, http: given });
        expect(JSON.stringify(kept)).to.contain(`"${name}":`);
      }
    const monitors = Object.fromEntries(
      ['constructor', 'toString'].map((key) => [
        key,
        { url: URL_OF_SHOP, name: key, tags: [key], actionGroups: [key] },
      ]),
    );
    const actionGroups = Object.fromEntries(
      ['constructor', 'toString'].map((key) => [key, { type: 'email', name: key, recipients: ['a@shop.example'] }]),
    );
    const document = { apiVersion: 'watchpost/v1', project: 'shop', monitors, actionGroups };
    const { status, body } = await world.api('POST', '/api/v1/config/apply', { document });
    expect([status, body.summary], JSON.stringify(body)).to.deep.equal([
      200,
      { create: 4, update: 0, delete: 0, orphan: 0, unchanged: 0 },
    ]);
  });
});
