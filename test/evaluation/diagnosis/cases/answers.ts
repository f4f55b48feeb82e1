import { after, answer, redirectTo } from '../../../support/target-behaviours.js';
import type { Behaviour } from '../../../support/target-server.js';
import { create } from '../../../support/seed.js';
import type { Scene } from '../test-bed.js';
import { type Broken, type Case, serveSite } from './case.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A site that answers well, and then in this way. */
async function turn(
  scene: Scene,
  {
    from = answer(),
    to,
    happen,
    ...settings
  }: { from?: Behaviour; to: Behaviour; happen?: () => unknown; http?: object },
): Promise<Broken> {
  const { target, url } = await serveSite(scene, { behaviour: from });
  const monitor = await scene.monitor({ url, ...settings });
  await scene.healthy();
  await happen?.();
  target.behave(to);
  return { monitor };
}

export const ANSWERS: readonly Case[] = [
  {
    name: 'a deploy crashes at each request',
    cause: 'deploy_broke_it',
    run: (scene) =>
      turn(scene, {
        to: answer({ status: 500, body: 'TypeError: undefined is not a function' }),
        happen: () => create(scene.world.api, '/api/v1/marks', { text: 'Deploy 4711' }),
      }),
  },
  {
    name: 'a deploy renamed a field of the answer',
    cause: 'deploy_broke_it',
    run: (scene) =>
      turn(scene, {
        from: answer({ headers: JSON_TYPE, body: '{"status":"ok"}' }),
        to: answer({ headers: JSON_TYPE, body: '{"state":"ok"}' }),
        http: { assertions: [{ source: 'json', property: '$.status', comparison: 'equals', target: 'ok' }] },
        happen: () => create(scene.world.api, '/api/v1/marks', { text: 'Deploy 4712', tags: [] }),
      }),
  },
  {
    name: 'an import emptied the list of prices',
    cause: 'answer_changed',
    run: (scene) =>
      turn(scene, {
        from: answer({ headers: JSON_TYPE, body: '{"prices":[1,2,3]}' }),
        to: answer({ headers: JSON_TYPE, body: '{"prices":[]}' }),
        http: { assertions: [{ source: 'json', property: '$.prices', comparison: 'countGreaterThan', target: 0 }] },
      }),
  },
  {
    name: 'an editor removed the text of the front page',
    cause: 'answer_changed',
    run: (scene) =>
      turn(scene, { from: answer({ body: 'Welcome' }), to: answer({ body: '' }), http: { keyword: 'Welcome' } }),
  },
  {
    name: 'no worker is free behind the proxy',
    cause: 'server_error',
    run: (scene) => turn(scene, { to: answer({ status: 503, headers: { 'retry-after': '120' } }) }),
  },
  {
    name: 'the key of the monitor was rotated',
    cause: 'access_refused',
    run: (scene) => turn(scene, { to: answer({ status: 401, headers: { 'www-authenticate': 'Bearer' } }) }),
  },
  {
    name: 'the site limits how often it is asked',
    cause: 'rate_limited',
    run: (scene) => turn(scene, { to: answer({ status: 429, headers: { 'retry-after': '60' } }) }),
  },
  {
    name: 'two rules of the proxy redirect to each other',
    cause: 'redirects_wrong',
    run: (scene) =>
      turn(scene, { to: (exchange) => redirectTo(exchange.request.path === '/a' ? '/b' : '/a')(exchange) }),
  },
  {
    name: 'the database answers slowly',
    cause: 'slow_server',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const latency = { thresholdMs: 2_000, percentile: 50, windowChecks: 1 };
      const monitor = await scene.monitor({ url, monitorTypes: ['Latency'], latency, checkTimeout: 'PT30S' });
      await scene.healthy();
      // Far above the limit: delays of a busy machine are not counted as latency.
      target.behave(after(6_000, answer()));
      return { monitor };
    },
  },
];
