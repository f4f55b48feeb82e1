import { ALWAYS_MS } from '@watchpost/shared/checks/http';
import { factsOf, isTestable, MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import { route, type Route } from '../../../platform/http/route.js';
import { MAX_ONE_OFF_MS, oneOffInputs, type MonitorRules } from '../../monitors/index.js';
import { dnsHistoryEntrySchema, sslResultSchema } from '../../verdicts/index.js';
import { monitorTestSchema } from './monitor-test-schemas.js';
import { TRANSIT_MS, type MonitorTestDeps } from './test-monitor-target.js';
import { testMonitor, testMonitorDns, testMonitorSsl } from './test-monitor.js';
import { MAX_CONCURRENT_TESTS, type ConcurrentTests } from './concurrent-tests.js';

const NOT_STORED = `The result is not stored and not counted. An account runs at most ${MAX_CONCURRENT_TESTS} tests at once, over all its workspaces.`;

export function monitorTestRoutes(
  deps: MonitorTestDeps & { tests: ConcurrentTests },
  rules: Pick<MonitorRules, 'egress'>,
): Route[] {
  const { tests } = deps;
  const inputs = oneOffInputs(rules);
  const common = {
    method: 'post',
    tag: 'Monitors',
    scopes: ['monitor.admin', 'monitor.write'],
    role: 'Editor',
    faults: ['unavailable'],
  } as const;
  /** @param word names it beside the test of HTTP, which has the shortest path */
  const testRoute = (type: MonitorType, word: string): Route => {
    const { label } = factsOf(type);
    return route({
      ...common,
      path: word === '' ? '/api/v1/monitor-test' : `/api/v1/monitor-test/${word}`,
      operationId: `testMonitor${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
      audits: { none: 'a test changes nothing' },
      summary: word === '' ? 'Test a URL once' : `Test a service once: ${label}`,
      description: `Runs one ${label} check from the home region, or from a private location, and returns its result, also if the target is down. ${NOT_STORED} Nor is a stored secret used: one given as \`***\` is refused.`,
      // Longer than the test, so that a target that never answers is reported as a result.
      deadlineMs: MAX_ONE_OFF_MS + 2 * ALWAYS_MS + 2 * TRANSIT_MS,
      body: inputs.ofType(type),
      answers: { 200: { description: 'The result of the test', schema: monitorTestSchema } },
      async handle({ actor, body }) {
        const { workspace } = actor;
        return { body: await tests.run(workspace.ownerId, () => testMonitor(deps, workspace, body)) };
      },
    });
  };
  return [
    testRoute('HttpAvailability', ''),
    ...MONITOR_TYPES.filter(isTestable).map((type) => testRoute(type, factsOf(type).word)),
    route({
      ...common,
      path: '/api/v1/monitor-test/ssl',
      operationId: 'testMonitorSsl',
      audits: { none: 'a test changes nothing' },
      summary: 'Check a certificate once',
      description: `Makes one TLS handshake from the home region, or from a private location, and returns the server's certificate and its faults. ${NOT_STORED}`,
      deadlineMs: MAX_ONE_OFF_MS + 2 * TRANSIT_MS,
      body: inputs.ssl,
      answers: { 200: { description: 'The result of the test', schema: sslResultSchema } },
      async handle({ actor, body }) {
        const { workspace } = actor;
        return { body: await tests.run(workspace.ownerId, () => testMonitorSsl(deps, workspace, body)) };
      },
    }),
    route({
      ...common,
      path: '/api/v1/monitor-test/dns',
      operationId: 'testMonitorDns',
      audits: { none: 'a test changes nothing' },
      summary: 'Look a name up once',
      description: `Queries resolvers, and every authoritative name server of the zone, from the home region, or from a private location, and returns their answers. ${NOT_STORED}`,
      deadlineMs: MAX_ONE_OFF_MS + 2 * TRANSIT_MS,
      body: inputs.dns,
      answers: { 200: { description: 'The result of the test', schema: dnsHistoryEntrySchema } },
      async handle({ actor, body }) {
        const { workspace } = actor;
        return { body: await tests.run(workspace.ownerId, () => testMonitorDns(deps, workspace, body)) };
      },
    }),
  ];
}
