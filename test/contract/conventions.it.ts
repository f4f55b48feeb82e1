import { expect } from 'chai';
import { countQueries } from '../support/query-count.js';
import { makeWorld, nobodysId } from '../support/seed.js';
import { countCases, expectFault, expectStatus, show } from './case-count.js';
import {
  app,
  callerOf,
  GUARDED,
  paramsOf,
  pathOf,
  send,
  seedOf,
  SUBJECTS,
  successOf,
  type Subject,
} from './subject.js';
import { tableDigest } from './table-digest.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The GET route of the same path as a changing route. */
const readerOf = ({ route }: Subject) =>
  SUBJECTS.find((other) => other.route.method === 'get' && !other.route.list && other.route.path === route.path);

describe('the conventions of all routes', () => {
  for (const subject of GUARDED) {
    const { title, route, example } = subject;

    if (['put', 'patch', 'delete'].includes(route.method)) {
      it(`${title}: a change with a stale If-Match is refused`, async () => {
        const world = await makeWorld(app);
        const call = await seedOf(subject, world);
        const api = await callerOf(subject, world, call);
        const unchanged = await tableDigest(app);
        for (const tag of ['"no-such-tag"', 'W/"weak"', '"a", "b"']) {
          const answer = await send(subject, world, call, { api, headers: { 'if-match': tag } });
          expectFault(`If-Match: ${tag}`, answer, 412, 'precondition_failed');
        }
        expect(await tableDigest(app)).to.equal(unchanged);
        const reader = readerOf(subject);
        let tag = '*';
        if (reader) {
          // As the one who makes the change: `/me` is something else for everybody.
          const read = await api('GET', pathOf(reader, world.workspaceId, call));
          tag = read.headers.get('etag')!;
          expect(tag, 'the answer of GET has an ETag').to.be.a('string');
        }
        const changed = await send(subject, world, call, { api, headers: { 'if-match': tag } });
        expectStatus(`If-Match: ${tag}`, changed, successOf(subject));
        if (!reader || route.method === 'delete') return;
        const again = await api('GET', pathOf(reader, world.workspaceId, call));
        countCases();
        expect(again.headers.get('etag'), 'the answer of the change has the same ETag as a later GET').to.equal(
          changed.headers.get('etag'),
        );
      });
    }

    if (route.method === 'post') {
      it(`${title}: a repeated idempotency key does not repeat the request`, async () => {
        const world = await makeWorld(app);
        const call = await seedOf(subject, world);
        const headers = { 'idempotency-key': nobodysId() };
        for (const key of ['', 'k'.repeat(256), 'schlüssel']) {
          const bad = await send(subject, world, call, { headers: { 'idempotency-key': key } });
          expectFault(`the key ${JSON.stringify(key.slice(0, 20))}`, bad, 400, 'validation_failed');
        }
        const first = await send(subject, world, call, { headers });
        expect(first.status, show(first)).to.equal(successOf(subject));
        if (first.status >= 500 || example.notReplayed !== undefined) return;
        const unchanged = await tableDigest(app);
        const second = await send(subject, world, call, { headers });
        expectStatus('again', second, first.status);
        for (const field of example.shownOnce ?? []) delete first.body[field];
        expect(second.body).to.deep.equal(first.body);
        expect(second.headers.get('idempotent-replayed')).to.equal('true');
        expect(second.headers.get('location')).to.equal(first.headers.get('location'));
        expect(await tableDigest(app)).to.equal(unchanged);
        const other = await anotherBody(subject, call.body, async (body) =>
          send(subject, world, call, { headers, body }),
        );
        if (other) expectFault('the same key for something else', other, 409, 'idempotency_conflict');
      });
    }

    if (route.list) {
      it(`${title}: the number of database statements does not depend on the number of items`, async () => {
        const world = await makeWorld(app);
        const call = await seedOf(subject, world);
        const ask = () => world.api('GET', pathOf(subject, world.workspaceId, call));
        await ask();
        const one = await countQueries(ask);
        for (let more = 0; more < 4; more++) await seedOf(subject, world);
        const many = await countQueries(ask);
        countCases();
        expect(one).to.be.above(0);
        expect(many).to.equal(one);
      });

      it(`${title}: the list is returned in pages`, async () => {
        const world = await makeWorld(app);
        const call = await seedOf(subject, world);
        const api = world.api;
        const path = pathOf(subject, world.workspaceId, call);
        const ask = (query: string) => api('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
        const all = await ask('pageSize=1000');
        expectStatus('a page size above the most', all, 200);
        expect(all.body).to.be.an('array').that.is.not.empty;
        const total = Number(all.headers.get('x-total-count'));
        expect(total).to.equal(all.body.length);
        const first = await ask('page=1&pageSize=1');
        expectStatus('pages of one', first, 200);
        expect(first.body).to.deep.equal(all.body.slice(0, 1));
        expect(first.headers.get('x-total-count')).to.equal(String(total));
        expect(first.headers.get('link')).to.include('rel="first"').and.to.include('rel="last"');
        const beyond = await ask('page=1000000&pageSize=200');
        expectStatus('a page beyond the last', beyond, 200);
        expect(beyond.body).to.deep.equal([]);
        expect(beyond.headers.get('x-total-count')).to.equal(String(total));
      });
    }
  }

  const paths = new Map(SUBJECTS.map((subject) => [subject.route.path.replace(/\{\w+\}/g, '{}'), subject]));
  for (const subject of paths.values()) {
    it(`${subject.route.path}: a request with another method is answered with the allowed ones`, async () => {
      const params = Object.fromEntries(paramsOf(subject).map((name) => [name, nobodysId()]));
      const path = pathOf(subject, nobodysId(), { params });
      const shape = shapeOf(subject.route.path);
      const taken = SUBJECTS.filter(({ route }) => matches(route.path, shape)).map(({ route }) =>
        route.method.toUpperCase(),
      );
      for (const method of METHODS.filter((one) => !taken.includes(one))) {
        const answer = await app.api(method, path);
        expectFault(method, answer, 405, 'method_not_allowed');
        expect(answer.headers.get('allow')?.split(', ')).to.include.members([...new Set(taken)]);
      }
    });
  }

  it('every answer is JSON unless the route declares another content type', async () => {
    const world = await makeWorld(app);
    for (const subject of GUARDED.filter(({ route }) => !route.produces)) {
      const params = Object.fromEntries(paramsOf(subject).map((name) => [name, nobodysId()]));
      const api = world.api;
      const answer = await send(subject, world, { params }, { api, headers: { accept: 'text/csv' } });
      expectFault(subject.title, answer, 406, 'not_acceptable');
    }
  });
});

/** @returns the first changed body that is still well-formed, with its answer */
async function anotherBody(_subject: Subject, body: unknown, ask: (body: unknown) => ReturnType<typeof send>) {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const [name, value] of Object.entries(body)) {
    for (const other of [`${String(value)} 2`, !(value as boolean), Number(value) + 1]) {
      if (typeof other !== typeof value) continue;
      const answer = await ask({ ...body, [name]: other });
      if (answer.status !== 400) return answer;
    }
  }
  return undefined;
}

const shapeOf = (path: string): string[] => path.split('/');

/** Whether a route with this path matches a path of random ids with this shape. */
function matches(path: string, shape: string[]): boolean {
  const parts = path.split('/');
  return parts.length === shape.length && parts.every((part, at) => part.startsWith('{') || part === shape[at]);
}
