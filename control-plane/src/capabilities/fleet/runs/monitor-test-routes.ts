import { route, type Route } from '../../../platform/http/route.js';
import type { MonitorRules } from '../../monitors/index.js';
import { dnsHistoryEntrySchema, sslResultSchema } from '../../results/index.js';
import {
  MAX_TEST_MS,
  monitorTestDnsInput,
  monitorTestInput,
  monitorTestSchema,
  monitorTestSslInput,
  TEST_TIMEOUT_MS,
} from './monitor-test-schemas.js';
import { testMonitorDns } from './test-monitor-dns.js';
import { testMonitorSsl } from './test-monitor-ssl.js';
import { TRANSIT_MS, type MonitorTestDeps } from './test-monitor-target.js';
import { testMonitor } from './test-monitor.js';
import { MAX_CONCURRENT_TESTS, ConcurrentTests } from './concurrent-tests.js';

const COUNTED_NOWHERE = `It is stored and counted nowhere. An account runs at most ${MAX_CONCURRENT_TESTS} tests at once, over all its workspaces.`;

/** One-off tests over REST. */
export function monitorTestRoutes(deps: MonitorTestDeps, rules: Pick<MonitorRules, 'egress'>): Route[] {
  const tests = new ConcurrentTests();
  const common = {
    method: 'post',
    tag: 'Monitors',
    scopes: ['monitor.admin', 'monitor.write'],
    role: 'Editor',
    faults: ['unavailable'],
  } as const;
  return [
    route({
      ...common,
      path: '/api/v1/monitor-test',
      operationId: 'testMonitor',
      summary: 'Test a URL once',
      description: `Runs one HTTP check from the home region and answers what it found, whatever the target does. ${COUNTED_NOWHERE}`,
      // A target that hangs is an answer too: the test ends before the request does.
      deadlineMs: MAX_TEST_MS + 2 * TRANSIT_MS,
      body: monitorTestInput(rules),
      answers: { 200: { description: 'What the test found', schema: monitorTestSchema } },
      async handle({ actor, body }) {
        const { ownerId } = actor.workspace;
        return { body: await tests.run(ownerId, () => testMonitor(deps, ownerId, body)) };
      },
    }),
    route({
      ...common,
      path: '/api/v1/monitor-test/ssl',
      operationId: 'testMonitorSsl',
      summary: 'Look at a certificate once',
      description: `Makes one TLS handshake from the home region and answers what the server presents and what is wrong with it. ${COUNTED_NOWHERE}`,
      deadlineMs: TEST_TIMEOUT_MS + 2 * TRANSIT_MS,
      body: monitorTestSslInput(rules),
      answers: { 200: { description: 'What the test found', schema: sslResultSchema } },
      async handle({ actor, body }) {
        const { ownerId } = actor.workspace;
        return { body: await tests.run(ownerId, () => testMonitorSsl(deps, ownerId, body)) };
      },
    }),
    route({
      ...common,
      path: '/api/v1/monitor-test/dns',
      operationId: 'testMonitorDns',
      summary: 'Look a name up once',
      description: `Asks resolvers, and every authoritative name server of the zone, from the home region and answers what they say. ${COUNTED_NOWHERE}`,
      deadlineMs: TEST_TIMEOUT_MS + 2 * TRANSIT_MS,
      body: monitorTestDnsInput(rules),
      answers: { 200: { description: 'What the test found', schema: dnsHistoryEntrySchema } },
      async handle({ actor, body }) {
        const { ownerId } = actor.workspace;
        return { body: await tests.run(ownerId, () => testMonitorDns(deps, ownerId, body)) };
      },
    }),
  ];
}
