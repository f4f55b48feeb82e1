import { AnswerValues } from '@watchpost/agent/probes/answer-values';
import { evaluateAssertions } from '@watchpost/agent/probes/decide-assertions';
import { isBodyNeeded, judgeAnswer } from '@watchpost/agent/probes/judge-answer';
import { BodyMemory } from '@watchpost/agent/probes/body-memory';
import { assertionSchema } from '@watchpost/shared/assertions/assertion';
import { httpCheck } from '@watchpost/shared/checks/http';
import { benchRow, type BenchRow } from './bench-row.js';
import { median } from './figures.js';

const TURNS = 9;
const PER_TURN = 2_000;
const MIB = 1024 * 1024;

const items = Array.from({ length: 84 }, (_, index) => ({
  id: 1_000 + index,
  name: `Item number ${index}`,
  price: index * 1.25,
}));
const BODY = JSON.stringify({ status: 'ok', items, updated: '2026-11-28T11:30:00Z' });
const ASSERTIONS = [
  { source: 'status', comparison: 'equals', target: 200 },
  { source: 'header', property: 'Content-Type', comparison: 'contains', target: 'json' },
  { source: 'json', property: '$.status', comparison: 'equals', target: 'ok' },
  { source: 'json', property: '$.items', comparison: 'countGreaterThan', target: 0 },
  { source: 'body', comparison: 'contains', target: '"updated":"2026' },
].map((one) => assertionSchema.parse(one));
const pattern = (target: string) => assertionSchema.parse({ source: 'body', comparison: 'matches', target });
const HEAD = { statusCode: 200, headers: ['content-type', 'application/json'] };

/** Measures what the assertions of one HTTP answer cost, warm, and what one hostile answer costs. */
export function benchAssertions(): Promise<BenchRow[]> {
  const answer = (text: string) => ({
    head: HEAD,
    body: { size: text.length, text },
    nowMs: Date.UTC(2026, 10, 28, 12),
    status: 200,
    responseTime: 80,
    tlsVersion: '1.3',
    httpVersion: '1.1',
    certificateDays: 41,
    redirectCount: 0,
    finalUrl: 'https://shop.example/',
    address: '203.0.113.7:443',
  });
  const evaluate = (given: typeof ASSERTIONS, text: string) =>
    evaluateAssertions(given, new AnswerValues(answer(text)), (shown) => shown);
  const plain = httpCheck.target.parse({ url: 'https://shop.example/' });
  const bodies = new BodyMemory();
  const exchanged = {
    httpVersion: '1.1',
    fault: null,
    head: HEAD,
    body: [],
    cut: false,
    open: null,
    firstByteUs: 1,
    transferUs: 1,
  } as const;
  const facts = () => ({ nowMs: 0, responseMs: 80, tls: null, redirects: 0, url: plain.url, address: null });
  const none = () =>
    !isBodyNeeded(plain, HEAD) && judgeAnswer(plain, { ...exchanged, body: [] }, facts, bodies, null, []);
  const repeated = `${'a'.repeat(MIB - 2)}!`;
  const parsing = cpuUs(() => void JSON.parse(BODY), PER_TURN);
  return Promise.resolve([
    benchRow({
      name: 'five assertions on a body of 4 KiB: CPU',
      value: cpuUs(() => void evaluate(ASSERTIONS, BODY), PER_TURN),
      unit: 'µs',
      yardstick: { name: 'JSON.parse of that body', value: parsing },
      aim: { text: '< 50 µs', met: ({ value }) => value < 50 },
    }),
    benchRow({
      name: 'a pattern on that body: CPU',
      value: cpuUs(() => void evaluate([pattern('"updated": ?"20\\d\\d-')], BODY), PER_TURN),
      unit: 'µs',
    }),
    benchRow({ name: 'no assertions: CPU', value: cpuUs(none, PER_TURN * 100), unit: 'µs' }),
    benchRow({
      name: 'the pattern (a+)+$ on a body of 1 MiB: CPU',
      value: cpuUs(() => void evaluate([pattern('(a+)+$')], repeated), 1) / 1_000,
      unit: 'ms',
      aim: { text: '< 100 ms', met: ({ value }) => value < 100 },
    }),
  ]);
}

/** The CPU time of one run, the median of several turns after one that is left out. */
function cpuUs(run: () => unknown, times: number): number {
  const turns = Array.from({ length: TURNS + 1 }, () => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time++) run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  });
  return median(turns.slice(1));
}
