import { expect } from 'chai';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { answer, type Answer } from '../../support/target-behaviours.js';
import { startTarget, type Exchange, type Target } from '../../support/target-server.js';
import { readRecipes, runRecipe } from './guide-recipes.js';
import { expectDown, expectUp, testProbes } from './probe-check.js';

type Server = (request: Exchange['request']) => Answer;
const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) });
const results = (report: ProbeReport) => report.steps!.map(({ name, wasAvailable }) => [name, wasAvailable]);

describe('The recipe of the guide to answers with steps', () => {
  let site: Target;
  /** What differs from a shop that is well, by method and path. */
  let faults: Record<string, Answer>;
  const serve = async (server: Server) => {
    faults = {};
    site = await startTarget({
      behaviour: (exchange) => {
        const { method, path } = exchange.request;
        return answer(faults[`${method} ${path}`] ?? server(exchange.request))(exchange);
      },
    });
  };
  afterEach(() => site.close());
  const check = async (name: string, env: Readonly<Record<string, string>>) => {
    const places = Object.fromEntries(['www', 'api'].map((host) => [`https://${host}.example.com`, site.url]));
    return runRecipe(testProbes(), (await readRecipes(env))[name]!, places);
  };
  const paths = () => site.requests.splice(0).map(({ method, path }) => `${method} ${path}`);

  describe('logs in in two steps', () => {
    const PASSWORD = 'geheim & länger';
    beforeEach(() =>
      serve(({ method, path, headers, body }) => {
        const form = new URLSearchParams(body.toString());
        const isWhole = headers['cookie'] === 'visit=v1' && form.get('csrf') === 'c+1';
        if (path === '/login' && method === 'GET')
          return { headers: { 'set-cookie': 'visit=v1' }, body: '<input name="csrf" value="c+1">' };
        if (path === '/login' && form.get('user') === 'robot' && isWhole)
          return form.get('password') === PASSWORD ? json({ token: 'access-1' }) : json({ error: 'no' }, 401);
        if (path === '/account' && headers['authorization'] === 'Bearer access-1') return json({ name: 'robot' });
        return { status: 403 };
      }),
    );
    const logIn = (password = PASSWORD) => check('login', { SHOP_PASSWORD: password });

    it('with the token of the form and its cookie, and reads the account with the token that this gives', async () => {
      const report = await logIn();
      expectUp({ ...report, evidence: null });
      expect(paths()).to.deep.equal(['GET /login', 'POST /login', 'GET /account']);
      expect(results(report)).to.deep.equal([
        ['log in', true],
        ['read the account', true],
      ]);
    });

    it('and names the step that a wrong password, a form without its token or a foreign account is found at', async () => {
      const wrong = await logIn('another');
      expectDown(wrong, 'content', 'unexpected_status', /^Step “log in”: The server answered with status 401 /);
      faults = { 'GET /login': { body: '<form>' } };
      expectDown(
        await logIn(),
        'request',
        'variable_missing',
        'Step “log in”: The variable csrf has no value: the first request did not give it, because the pattern has no match.',
      );
      faults = { 'GET /account': json({ name: 'guest', session: 'access-1' }) };
      const foreign = await logIn();
      expectDown(
        foreign,
        'content',
        'assertion_failed',
        'Step “read the account”: JSON $.name is "guest" instead of "robot" (1 of 1 assertions failed).',
      );
      expect(JSON.stringify(foreign), 'masked').to.not.match(/access-1|geheim/);
    });
  });

  describe('cleans up after a check', () => {
    let orders: Map<string, { product: number; reference: string }>;
    beforeEach(() => {
      orders = new Map();
      let made = 0;
      return serve(({ method, path, headers, body }) => {
        if (path === '/products') return json({ products: [{ id: 7 }] });
        if (headers['authorization'] !== 'Bearer shop-key') return { status: 401 };
        if (method === 'POST') {
          const id = `o${++made}`;
          orders.set(id, JSON.parse(body.toString()));
          return json({ id }, 201);
        }
        const id = path.replace('/orders/', '');
        const order = orders.get(id);
        if (method === 'DELETE') return orders.delete(id) ? { status: 204, headers: {}, body: '' } : { status: 404 };
        return order ? json(order) : { status: 404 };
      });
    });
    const order = () => check('order', { SHOP_KEY: 'shop-key' });

    it('which found the order that it made', async () => {
      const report = await order();
      expectUp({ ...report, evidence: null });
      expect(paths()).to.deep.equal(['GET /products', 'POST /orders', 'GET /orders/o1', 'DELETE /orders/o1']);
      expect(orders.size).to.equal(0);
    });

    it('which failed, and changes nothing where no order was made', async () => {
      faults = { 'GET /orders/o1': { status: 500 } };
      const failed = await order();
      expectDown(failed, 'content', 'unexpected_status', /^Step “find it”: The server answered with status 500 /);
      expect(paths().at(-1)).to.equal('DELETE /orders/o1');
      expect(orders.size).to.equal(0);
      faults = { 'POST /orders': { status: 503 } };
      const none = await order();
      expectDown(none, 'content', 'unexpected_status', /^Step “order”: The server answered with status 503 /);
      expect(paths()).to.deep.equal(['GET /products', 'POST /orders']);
      expect(results(none)).to.deep.equal([
        ['order', false],
        ['find it', null],
        ['delete it', false],
      ]);
      expect(none.steps![2]!.message).to.match(/^The variable order has no value: /);
    });
  });
});
