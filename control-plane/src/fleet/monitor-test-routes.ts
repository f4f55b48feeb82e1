import { route, type Route } from '../http/route.js';
import type { MonitorRules } from '../monitors/index.js';
import { MAX_TEST_MS, monitorTestInput, monitorTestSchema } from './monitor-test-schemas.js';
import { testMonitor, TRANSIT_MS, type MonitorTestDeps } from './test-monitor.js';
import { MOST_TESTS_AT_ONCE, TestsAtOnce } from './tests-at-once.js';

/** One-off tests over REST. */
export function monitorTestRoutes(deps: MonitorTestDeps, rules: Pick<MonitorRules, 'egress'>): Route[] {
  const tests = new TestsAtOnce();
  return [
    route({
      method: 'post',
      path: '/api/v1/monitor-test',
      operationId: 'testMonitor',
      summary: 'Test a URL once',
      description: `Runs one HTTP check from the home region and answers what it found, whatever the target does. It is stored and counted nowhere. A workspace runs at most ${MOST_TESTS_AT_ONCE} tests at once.`,
      tag: 'Monitors',
      scopes: ['monitor.admin', 'monitor.write'],
      role: 'Editor',
      // A target that hangs is an answer too: the test ends before the request does.
      deadlineMs: MAX_TEST_MS + 2 * TRANSIT_MS,
      body: monitorTestInput(rules),
      answers: { 200: { description: 'What the test found', schema: monitorTestSchema } },
      faults: ['unavailable'],
      async handle({ actor, body }) {
        return { body: await tests.run(actor.workspace.workspaceId, () => testMonitor(deps, body)) };
      },
    }),
  ];
}
