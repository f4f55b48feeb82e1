import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../../support/eventually.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { startProduct, type Api, type Product } from '../../support/product.js';
import { createMonitors } from '../../support/seed.js';
import { startSilentServer, type SilentServer } from '../../support/silent-server.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';

const OWNERS = 3;
const MONITORS_OF_AN_OWNER = 200;
const VICTIMS = 20;
/** Of the 333 that checks of one site may use. */
const HELD = 300;
/**
 * The first regular check may follow the one at creation by an interval and the time in which a change settles; a machine with
 * too much work may not start one or two in time. Hostile checks hold all that they get for as long as there are any.
 */
const CHECKED_AGAIN_MS = 4 * MINUTE_MS;

describe('600 monitors on sites that never answer', function () {
  this.timeout(25 * MINUTE_MS);
  let product: Product;
  let target: Target;
  let silent: SilentServer;
  let agentOutput: () => string;
  before(async () => {
    [product, target, silent] = await Promise.all([
      startProduct(),
      startTarget({ behaviour: answer() }),
      startSilentServer(),
    ]);
    const { token } = await product.createAgent('northeurope', 'home');
    const agent = product.startAgent({ name: 'home', token });
    agentOutput = () => agent.output();
  });
  after(async () => {
    await product.stop();
    await Promise.all([target.close(), silent.close()]);
  });

  async function create(sub: string, count: number, body: (index: number) => object): Promise<Api> {
    const api = product.apiAs(sub);
    expect((await api('GET', '/api/v1/user')).status).to.equal(200);
    await product.admin('set-plan', '--user', `${sub}@example.test`, '--plan', 'Pro', '--limit', `monitors=${count}`);
    await createMonitors(
      api,
      Array.from({ length: count }, (_, index) => ({ checkInterval: 'PT1M', ...body(index) })),
    );
    return api;
  }

  /** The checks that started and those that started more than a second late, from the agent's metrics. */
  async function starts(): Promise<{ all: number; late: number }> {
    const port = /"port":(\d+)/.exec(agentOutput())![1];
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)![1]);
    const all = count('watchpost_check_start_lag_seconds_count');
    return { all, late: all - count('watchpost_check_start_lag_seconds_bucket\\{le="1"\\}') };
  }

  it('delay no check of another owner in the whole product', async () => {
    const victim = await create('victim', VICTIMS, (index) => ({ url: `${target.url}/${index}` }));
    const checksOfVictim = async (): Promise<number[]> => {
      const { body } = await victim('GET', '/api/v1/monitor?pageSize=200');
      const reports = (body as { id: string }[]).map(({ id }) => victim('GET', `/api/v1/monitor/${id}/availability`));
      return (await Promise.all(reports)).map(({ body: report }) => report.healthyChecks as number);
    };
    const checkedAgain = async (before: readonly number[] = []) => {
      const all = async () =>
        (await checksOfVictim()).every((count, index) => count > (before[index] ?? 0)) || undefined;
      await eventually('every monitor of the victim is checked', all, CHECKED_AGAIN_MS, 500);
    };
    await checkedAgain();

    for (let owner = 0; owner < OWNERS; owner++) {
      await create(`hostile-${owner}`, MONITORS_OF_AN_OWNER, (index) => ({
        url: `http://127.0.0.1:${silent.port}/${owner}/${index}`,
        checkTimeout: 'PT60S',
      }));
    }
    // All checks, also the victim's, are of one site, loopback, which may use a third of the agent.
    const isFull = () => silent.open > HELD || undefined;
    await eventually('hostile checks hold what they can', isFull, 5 * MINUTE_MS, 200);

    const startsBefore = await starts();
    await checkedAgain(await checksOfVictim());
    const startsAfter = await starts();
    printFairnessFigure({
      attack: 2,
      measure: `checks of anybody over 1 s late while each of ${VICTIMS} monitors of the victim was checked again`,
      before: 0,
      during: startsAfter.late - startsBefore.late,
      limit: 'each is checked',
    });
    await eventually('hostile checks still hold that', isFull, 5 * MINUTE_MS, 200);
  });
});
