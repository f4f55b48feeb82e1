import { monitorTestSchema } from '@watchpost/control-plane/capabilities/fleet/runs/monitor-test-schemas';
import { describeSsl } from '@watchpost/control-plane/capabilities/verdicts/warnings/describe-ssl';
import { resultOf } from './outcomes.mjs';

const REGION = 'northeurope';
const HOST = 'returns.acme.example';
const MONITOR = { key: 0, name: 'Returns', address: `${HOST}/`, minutes: 5, typicalMs: 131 };

/** A site of Acme that is not monitored yet. */
export const NEW_URL = `https://${MONITOR.address}`;

/** Answers the tests of `NEW_URL` in a browser as the API does with what an agent finds: the pictures have no agents. */
export async function answerTests(page, nowMs) {
  const { timings, totalUs, startedAtMs, statusCode } = resultOf(MONITOR, 'http', REGION, nowMs);
  const phases = Object.fromEntries(Object.entries(timings).map(([name, us]) => [name.slice(0, -2), us / 1_000]));
  const { detail } = resultOf(MONITOR, 'ssl', REGION, nowMs);
  const context = { checkedAtMs: nowMs, region: REGION, failureReason: null };
  const bodies = {
    '': monitorTestSchema.parse({
      responseTime: totalUs / 1_000,
      statusCode,
      outcome: 'up',
      wasAvailable: true,
      started: new Date(startedAtMs).toISOString(),
      ended: new Date(startedAtMs + totalUs / 1_000).toISOString(),
      failureReason: null,
      notes: [],
      assertions: [],
      answer: {
        httpVersion: '2',
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<title>Returns</title>',
      },
      phases,
    }),
    '/ssl': describeSsl(detail, context),
    '/dns': {
      checkedAt: new Date(nowMs).toISOString(),
      region: REGION,
      resolver: '203.0.113.53:53',
      records: { A: ['203.0.113.24'], AAAA: ['2001:db8::24'], MX: ['10 mail.acme.example'] },
      failures: {},
      responseTime: 12.4,
      changed: false,
      changes: [],
      propagation: null,
      failureReason: null,
    },
  };
  for (const [path, body] of Object.entries(bodies))
    await page.route(`**/api/v1/monitor-test${path}`, (route) => route.fulfill({ json: body }));
}
