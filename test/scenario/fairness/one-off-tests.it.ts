import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { percentile, printFairnessFigure } from '../../support/fairness-figure.js';
import { startProduct, type Api, type Product } from '../../support/product.js';
import { startSilentServer, type SilentServer } from '../../support/silent-server.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { RpcClient } from '../../integration/mcp/rpc-client.js';

const TEST = '/api/v1/monitor-test';
const WORKSPACES = 4;
const OTHER_OWNERS = 5;
const TESTS_A_WORKSPACE = 12;
const STRANGERS = 40;
/** The limits of running tests per account and of anonymous checks per network and minute. */
const MOST_OF_AN_ACCOUNT = 8;
const MOST_OF_A_NETWORK = 10;

describe('one-off tests and anonymous checks that never end', function () {
  let product: Product;
  let target: Target;
  let silent: SilentServer;
  before(async () => {
    [product, target, silent] = await Promise.all([
      startProduct({ env: { TRUST_PROXY_CIDRS: '127.0.0.0/8', PUBLIC_CHECK_ALLOW_CIDRS: '127.0.0.0/8' } }),
      startTarget({ behaviour: answer() }),
      startSilentServer(),
    ]);
    const { token } = await product.createAgent('northeurope', 'home');
    const env = { PUBLIC_CHECK_ALLOW_CIDRS: '127.0.0.0/8' };
    product.startAgent({ name: 'home', token, env });
    const isConnected = async () =>
      (await product.apiAs('victim')('POST', TEST, { url: target.url })).status === 200 || undefined;
    await eventually('the agent is connected', isConnected, 60_000, 100);
  });
  after(async () => {
    await product.stop();
    await Promise.all([target.close(), silent.close()]);
  });

  it('do not delay a test of another owner', async () => {
    const victim = product.apiAs('victim');
    const testOfVictim = async () => {
      const since = performance.now();
      const { status, body } = await victim('POST', TEST, { url: target.url });
      expect([status, body.wasAvailable], JSON.stringify(body)).to.deep.equal([200, true]);
      return Math.round(performance.now() - since);
    };
    const before = percentile([await testOfVictim(), await testOfVictim(), await testOfVictim()], 0.5);

    const url = `http://127.0.0.1:${silent.port}/`;
    const refused = new Map<string, number>();
    const note = (what: string) => void refused.set(what, (refused.get(what) ?? 0) + 1);
    const attack = (api: Api, headers: Record<string, string>) => {
      for (let index = 0; index < TESTS_A_WORKSPACE; index++)
        api('POST', TEST, { url }, headers).then(
          ({ status }) => note(`test ${status}`),
          () => {},
        );
    };

    const hostile = product.apiAs('hostile');
    for (let index = 0; index < WORKSPACES; index++) {
      const { status, body } = await hostile('POST', '/api/v1/workspaces', { name: `Workspace ${index}` });
      expect(status).to.equal(201);
      attack(hostile, { 'x-workspace-id': body.id });
    }
    const isRefused = () => (refused.get('test 429') ?? 0) >= WORKSPACES * TESTS_A_WORKSPACE - MOST_OF_AN_ACCOUNT;
    await eventually('what is over the limit is refused', () => isRefused() || undefined, 60_000, 20);
    expect(silent.open, 'the limit counts all workspaces of one owner').to.equal(MOST_OF_AN_ACCOUNT);

    for (let owner = 0; owner < OTHER_OWNERS; owner++) attack(product.apiAs(`hostile-${owner}`), {});
    for (let index = 0; index < STRANGERS; index++)
      void checkAnonymously(product.baseUrl, url, `2001:db8:7:${index.toString(16)}::1`).then(note, () => {});
    const areRefused = () => (refused.get('stranger rate_limited') ?? 0) >= STRANGERS - MOST_OF_A_NETWORK;
    await eventually('most strangers are refused', () => areRefused() || undefined, 60_000, 20);
    const isBusy = () => silent.open > 3 * MOST_OF_AN_ACCOUNT || undefined;
    await eventually('hostile tests hold all that they can', isBusy, 60_000, 20);

    const during = percentile([await testOfVictim(), await testOfVictim(), await testOfVictim()], 0.5);
    expect(isBusy(), 'they still hold it').to.equal(true);
    const measure = 'answer to a one-off test, median of three, ms';
    printFairnessFigure({
      attack: 7,
      measure,
      before,
      during,
      limit: '200 while hostile tests hold all that they can',
    });
    expect(
      await product
        .apiAs('hostile')('POST', TEST, { url })
        .then(({ body }) => body),
    ).to.include({
      error: 'rate_limited',
    });
  });
});

/** @returns the refusal of the tool, or a text that it did not refuse */
async function checkAnonymously(baseUrl: string, url: string, address: string): Promise<string> {
  const stranger = new RpcClient(baseUrl, { headers: { 'x-forwarded-for': address } });
  const { result } = await stranger.tool('check_http_availability_latency', { url });
  return `stranger ${result.isError ? JSON.parse(result.content[0].text).error : 'answered'}`;
}
