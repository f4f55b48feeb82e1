import { expect } from 'chai';
import { assertionSchema } from '@watchpost/shared/assertions/assertion';
import type { HttpStep, HttpTarget } from '@watchpost/shared/checks/http';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { startedForEach } from '../../support/suite.js';
import { answer, hang, redirectTo } from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';
import { expectDown, expectUp, httpCheck, run, testProbes, type CheckOptions } from './probe-check.js';
import { extract, step } from './step-check.js';

const degradedBy = (target: string) =>
  assertionSchema.parse({ source: 'body', comparison: 'contains', target, severity: 'degraded' });

describe('the steps of an HTTP check', () => {
  const probes = testProbes();
  const target = startedForEach(() => startTarget({ behaviour: answer() }));

  const check = (steps: readonly HttpStep[], options: CheckOptions = {}): Promise<ProbeReport> =>
    run(probes, `${target.url}/own`, { ...options, steps });
  const to = (name: string, options: Partial<HttpStep> = {}) =>
    step(name, `${target.url}/${name.replaceAll(' ', '-')}`, options);
  const paths = () => target.requests.map(({ method, path }) => `${method} ${path}`);
  const available = (report: ProbeReport) => report.steps!.map(({ name, wasAvailable }) => [name, wasAvailable]);

  it('log in and use what the login gives: a cookie and a token', async () => {
    target.route(
      '/own',
      answer({ headers: { 'set-cookie': 'visit=1; Path=/' }, body: '<input name="csrf" value="a&b">' }),
    );
    target.route(
      '/log-in',
      answer({
        headers: { 'content-type': 'application/json', 'set-cookie': 'session=s1; HttpOnly' },
        body: '{"data":{"token":"t-9","id":9007199254740993}}',
      }),
    );
    const report = await check(
      [
        to('log in', {
          method: 'POST',
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          body: '{"user":"{{user}}","csrf":"{{csrf}}","n":{{n}}}',
          extract: [extract('token', 'json', '$.data.token'), extract('id', 'json', '$.data.id')],
        }),
        to('orders', {
          url: `${target.url}/orders/{{id}}?q={{csrf}}`,
          headers: [{ name: 'Authorization', value: 'Bearer {{token}}' }],
        }),
      ],
      {
        extract: [extract('csrf', 'regex', 'name="csrf" value="([^"]*)"'), extract('n', 'status')],
        variables: [{ name: 'user', value: 'a "quoted" one', secret: false }],
      },
    );
    expectUp(report);
    expect(paths()).to.deep.equal(['GET /own', 'POST /log-in', 'GET /orders/9007199254740993?q=a%26b']);
    expect(target.requests[1]!.body.toString()).to.equal('{"user":"a \\"quoted\\" one","csrf":"a&b","n":200}');
    expect(target.requests[1]!.headers.cookie).to.equal('visit=1');
    expect(target.requests[2]!.headers).to.include({ authorization: 'Bearer t-9', cookie: 'visit=1; session=s1' });
    const [first, second] = report.steps!;
    expect(first).to.include({ name: 'log in', wasAvailable: true, statusCode: 200, message: null });
    expect(report.totalUs).to.be.greaterThan(first!.totalUs! + second!.totalUs!);
    expect(report.timings.firstByteUs).to.be.greaterThan(first!.timings!.firstByteUs + second!.timings!.firstByteUs);
  });

  it('end at the first that fails, which the sentence and the evidence name', async () => {
    target.route('/log-in', answer({ status: 503, body: 'down for maintenance' }));
    const report = await check([to('basket'), to('log in'), to('orders')]);
    const sentence = 'The server answered with status 503 Service Unavailable instead of 200-399.';
    expectDown(report, 'content', 'unexpected_status', `Step “log in”: ${sentence}`);
    expect(paths()).to.deep.equal(['GET /own', 'GET /basket', 'GET /log-in']);
    expect(available(report)).to.deep.equal([
      ['basket', true],
      ['log in', false],
      ['orders', null],
    ]);
    expect(report.steps![1]).to.include({ statusCode: 503, message: sentence });
    expect(report.steps![2]).to.deep.equal({
      name: 'orders',
      wasAvailable: null,
      statusCode: null,
      totalUs: null,
      timings: null,
      message: null,
    });
    expect(report).to.include({ statusCode: 503, answer: 'complete' });
    expect(report.answerDigest).to.be.a('number');
    expect(report.evidence!.bodyStart).to.equal('down for maintenance');
    expect(report.evidence!.hops!.map((hop) => [hop.url.replace(target.url, ''), hop.step])).to.deep.equal([
      ['/own', undefined],
      ['/basket', 'basket'],
      ['/log-in', 'log in'],
    ]);
  });

  it('do not run where the request of the monitor itself fails, but for those that always do', async () => {
    target.route('/own', answer({ status: 500 }));
    const report = await check([to('orders'), to('log out', { always: true, method: 'POST' })]);
    expectDown(report, 'content', 'unexpected_status', /^The server answered with status 500/);
    expect(paths()).to.deep.equal(['GET /own', 'POST /log-out']);
    expect(available(report)).to.deep.equal([
      ['orders', null],
      ['log out', true],
    ]);
    const decisive = report.evidence!.hops!.filter(({ isDecisive }) => isDecisive);
    expect(
      decisive.map(({ url }) => url),
      'kept where evidence is cut',
    ).to.deep.equal([`${target.url}/own`]);
    expect(report.steps![1], 'it counts in no time').to.include({ statusCode: 200, totalUs: null, timings: null });
  });

  it('that always run do so after a timeout, too, and have 10 s of their own', async () => {
    target.route('/slow', hang);
    const report = await check([to('slow'), to('orders'), to('log out', { always: true, delayMs: 100 })], {
      timeoutMs: 2_000,
    });
    expectDown(report, 'firstByte', 'timeout', /^Step “slow”: No answer from \S+ within 2 s\.$/);
    expect(paths()).to.deep.equal(['GET /own', 'GET /slow', 'GET /log-out']);
    expect(available(report)).to.deep.equal([
      ['slow', false],
      ['orders', null],
      ['log out', true],
    ]);
  });

  it('that always run end after 10 s together', async () => {
    target.behave(hang);
    const report = await check([to('first', { always: true }), to('second', { always: true })], { timeoutMs: 1_000 });
    expectDown(report, 'firstByte', 'timeout', /^No answer from \S+ within 1 s\.$/);
    expect(paths()).to.deep.equal(['GET /own', 'GET /first']);
    for (const { message } of report.steps!) expect(message).to.match(/ within 10 s\.$/);
    expect(report.steps![1]).to.include({ wasAvailable: false });
  });

  it('that always run change no verdict in a healthy run', async () => {
    target.route('/log-out', answer({ status: 500 }));
    const report = await check([to('log out', { always: true }), to('orders')]);
    expectUp(report);
    expect(available(report)).to.deep.equal([
      ['log out', false],
      ['orders', true],
    ]);
    expect(report.steps![0]!.message).to.match(/status 500/);
  });

  it('fail without a value that no earlier answer had, and name why', async () => {
    target.route('/log-in', answer({ body: 'no token here' }));
    const give = [
      extract('token', 'json', '$.token'),
      extract('cookie', 'cookie', 'session'),
      extract('line', 'header', 'X-Token'),
      extract('text', 'regex', 'token=(.*)'),
    ];
    for (const [name, why] of [
      ['token', 'the body is no JSON'],
      ['cookie', 'there is no such cookie'],
      ['line', 'the answer has no such header'],
      ['text', 'the pattern has no match'],
    ]) {
      const uses = to('orders', { headers: [{ name: 'X-Token', value: `{{${name}}}` }] });
      const report = await check([to('log in', { extract: give }), uses, to('log out', { always: true })]);
      expectDown(
        report,
        'request',
        'variable_missing',
        `Step “orders”: The variable ${name} has no value: step “log in” did not give it, because ${why}.`,
      );
      expect(available(report)).to.deep.equal([
        ['log in', true],
        ['orders', false],
        ['log out', true],
      ]);
      expect(report).to.include({ statusCode: null, answer: 'complete' });
    }
  });

  it('extract the first match: a later request replaces the value of an earlier one, and may take it away', async () => {
    target.route('/own', answer({ body: '{"n":[1.5,2],"o":{"a":[9007199254740993,null]}}' }));
    const uses = to('third', { url: `${target.url}/third/{{n}}/{{o}}` });
    const first = { extract: [extract('n', 'json', '$.n[*]'), extract('o', 'json', '$.o')] };
    const second = to('second', { url: `${target.url}/second/{{n}}`, extract: [extract('n', 'header', 'X-N')] });
    target.route('/second/1.5', answer({ headers: { 'x-n': ['7', '8'] } }));
    expectUp(await check([second, uses], first));
    expect(paths().at(-1)).to.equal(`GET /third/7/${encodeURIComponent('{"a":[9007199254740993,null]}')}`);
    target.route('/second/1.5', answer());
    expectDown(await check([second, uses], first), 'request', 'variable_missing', /step “second” did not give it/);
  });

  it('have one value of now, timestamp and uuid in the whole run', async () => {
    const url = (name: string) => `${target.url}/${name}/{{now}}/{{ timestamp }}/{{uuid}}`;
    expectUp(await check([to('a', { url: url('a') }), to('a', { name: 'b', url: url('a') })]));
    const [, first, second] = paths();
    expect(first).to.equal(second);
    const [, , now, timestamp, uuid] = decodeURIComponent(first!).split('/');
    expect(Math.floor(Date.parse(now!) / 1_000)).to.equal(Number(timestamp));
    expect(uuid).to.match(/^[0-9a-f-]{36}$/);
  });

  it('send as text what is no placeholder, and fill nothing in the request of the monitor', async () => {
    const text = '{{#if}} {{ a.b }} {x}';
    const report = await check([to('form', { method: 'POST', body: `${text} {{v}}` })], {
      method: 'POST',
      body: '{{v}}',
      variables: [{ name: 'v', value: 'a&b', secret: false }],
    });
    expectUp(report);
    expect(target.requests.map(({ body }) => body.toString())).to.deep.equal(['{{v}}', `${text} a&b`]);
  });

  it('escape values in forms and patterns', async () => {
    target.route('/form', answer({ body: 'is a.b, really' }));
    const form = to('form', {
      method: 'POST',
      headers: [{ name: 'content-type', value: 'application/x-www-form-urlencoded' }],
      body: 'q={{v}}&r=1',
      assertions: [
        assertionSchema.parse({ source: 'body', comparison: 'matches', target: '^is {{v}},' }),
        assertionSchema.parse({ source: 'body', comparison: 'equals', target: 'is {{v}}, really' }),
      ],
    });
    expectUp({ ...(await check([form], { variables: [{ name: 'v', value: 'a.b', secret: false }] })), evidence: null });
    const other = await check([form], { variables: [{ name: 'v', value: 'a&.', secret: false }] });
    expect(target.requests.at(-1)!.body.toString()).to.equal('q=a%26.&r=1');
    expectDown(other, 'content', 'assertion_failed', /^Step “form”: The body is "is a\.b, really" instead of matching/);
  });

  it('fail where a value may not stand in a header', async () => {
    target.route('/own', answer({ body: '{"a":"x\\r\\nX-Admin: 1"}' }));
    const report = await check([to('orders', { headers: [{ name: 'X-A', value: '{{a}}' }] })], {
      extract: [extract('a', 'json', '$.a')],
    });
    expectDown(report, 'request', 'invalid_target', /^Step “orders”: The check cannot be sent: its header “X-A” has/);
    expect(paths()).to.deep.equal(['GET /own']);
  });

  it('keep the cookies of redirects, send each to its own origin only, and with `none` not at all', async () => {
    const other = await startTarget({ behaviour: answer({ headers: { 'set-cookie': 'o=1' } }) });
    try {
      target.route('/log-in', redirectTo('/in'));
      target.route('/in', answer({ headers: { 'set-cookie': 'in=1; Path=/' } }));
      const steps = [to('log in'), step('other', `${other.url}/`), step('again', `${other.url}/`), to('orders')];
      const cookies = () => [
        ...target.requests.splice(0).map(({ headers }) => headers.cookie),
        ...other.requests.splice(0).map(({ headers }) => headers.cookie),
      ];
      const report = await check(steps);
      expectUp(report);
      expect(cookies()).to.deep.equal([undefined, undefined, undefined, 'in=1', undefined, 'o=1']);
      expectUp(await check(steps, { cookies: 'none' }));
      expect(cookies()).to.deep.equal(Array.from({ length: 6 }, () => undefined));
    } finally {
      await other.close();
    }
  });

  it('degrade the monitor by the first that does, unless one fails', async () => {
    const steps = [to('a', { assertions: [degradedBy('fast')] }), to('b', { assertions: [degradedBy('ok')] })];
    const report = await check(steps);
    expect(report.outcome).to.deep.equal({
      kind: 'up',
      degraded: 'Step “a”: The body is "ok" instead of containing "fast" (1 of 1 assertions failed).',
    });
    expect(report.evidence!.assertions!.map(({ passed }) => passed)).to.deep.equal([false]);
    expect(available(report)).to.deep.equal([
      ['a', true],
      ['b', true],
    ]);
    target.route('/b', answer({ status: 500 }));
    expectDown(await check(steps), 'content', 'unexpected_status', /^Step “b”/);
  });

  it('show the last answer in a one-off test, with the hops of all', async () => {
    target.route('/b', answer({ body: 'last' }));
    const spec = httpCheck(`${target.url}/own`, { steps: [to('b'), to('c', { always: true })] });
    const { outcome, evidence } = await probes.run({ ...spec, isTest: true }, new AbortController().signal);
    expect(outcome).to.deep.equal({ kind: 'up' });
    expect(evidence!.bodyStart).to.equal('last');
    expect(evidence!.hops!.map((hop) => hop.step)).to.deep.equal([undefined, 'b', 'c']);
  });

  it('wait before a request, which counts in the timeout and in no time', async () => {
    const since = performance.now();
    const quick = await check([to('a', { delayMs: 400 })]);
    expectUp(quick);
    expect((performance.now() - since) * 1_000 - quick.totalUs, 'the delay is in no time').to.be.at.least(350_000);
    expect(target.requests[1]!.at - target.requests[0]!.at).to.be.at.least(350);
    const late = await check([to('a', { delayMs: 5_000 })], { timeoutMs: 1_000 });
    expectDown(late, 'request', 'timeout', 'Step “a”: The delay of 5 s was not over within 1 s.');
  });

  it('are inconclusive, also those that always run, where the agent stops in the middle', async () => {
    const stop = new AbortController();
    target.route('/slow', () => stop.abort());
    const spec = httpCheck(`${target.url}/own`, { steps: [to('slow'), to('log out', { always: true })] });
    const report = await probes.run(spec, stop.signal);
    expect(report.outcome).to.include({ kind: 'inconclusive', reason: 'agent_stopping' });
    expect(report.outcome)
      .to.have.property('message')
      .that.matches(/^Step “slow”: /);
    expect(available(report)).to.deep.equal([
      ['slow', null],
      ['log out', null],
    ]);
    expect(paths()).to.deep.equal(['GET /own', 'GET /slow']);
  });

  it('are inconclusive where the agent stops between two requests', async () => {
    const stop = new AbortController();
    const steps = [to('a')];
    Object.defineProperty(steps, 0, {
      get() {
        if (target.requests.length > 0) stop.abort();
        return to('a');
      },
    });
    const spec = httpCheck(`${target.url}/own`, { steps: [to('a')] });
    const report = await probes.run({ ...spec, target: { ...(spec.target as HttpTarget), steps } }, stop.signal);
    expect(report.outcome).to.include({ kind: 'inconclusive', reason: 'agent_stopping' });
    expect(paths()).to.deep.equal(['GET /own']);
  });

  it('go to no other path because a value is “..”', async () => {
    const dots = (value: string) =>
      check([step('a', `${target.url}/api/{{x}}/delete`)], { variables: [{ name: 'x', value, secret: false }] });
    for (const value of ['.', '..'])
      expectDown(
        await dots(value),
        'request',
        'invalid_target',
        'Step “a”: The check cannot be sent: a variable makes “.” or “..” of a part of its path.',
      );
    expectUp(await dots('../..'));
    expectUp(await dots(''));
    expect(paths().filter((path) => path !== 'GET /own')).to.deep.equal([
      'GET /api/..%2F../delete',
      'GET /api//delete',
    ]);
  });

  it('send and show URLs and headers of limited length, however long their values are', async () => {
    const variables = [{ name: 'x', value: 'ü'.repeat(4_096), secret: false }];
    const { outcome } = await check([to('a', { url: `${target.url}/{{x}}{{x}}` })], { variables });
    expect(outcome).to.deep.include({ kind: 'down', reason: 'invalid_target' });
    const headers = [{ name: 'X-A', value: '{{x}}'.repeat(9) }];
    expect((await check([to('a', { headers })], { variables })).outcome).to.deep.include({ kind: 'down' });
    expect(paths()).to.deep.equal(['GET /own', 'GET /own']);
    const report = await check([to('a', { url: `${target.url}/{{x}}`, expectedStatus: [{ from: 500, to: 500 }] })], {
      variables,
    });
    expectDown(report, 'content', 'unexpected_status', /^Step “a”/);
    expect(report.evidence!.hops!.map(({ url }) => url.length)).to.deep.equal([`${target.url}/own`.length, 2_048]);
  });
});
