import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { createAuthority } from '../../support/certificates.js';
import { answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Behaviour, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';
import { extract, step } from './step-check.js';

describe('the connections of steps', () => {
  let target: Target;
  beforeEach(async () => {
    target = await startTarget({ behaviour: answer() });
  });
  afterEach(() => target.close());

  /** A server on the same port, which can be taken there. */
  const besides = async (host: string, behaviour: Behaviour): Promise<Target> => {
    for (;;) {
      const other = await startTarget({ behaviour, host, port: target.port }).catch(() => null);
      if (other !== null) return other;
      await target.close();
      target = await startTarget({ behaviour: answer() });
    }
  };

  it('are subject to the egress policy, also after a redirect', async () => {
    const probes = testProbes({ monitorEgress: createEgressPolicy({ allowCidrs: ['127.0.0.1/32'] }) });
    const other = await startTarget({ behaviour: answer(), host: '127.0.0.9' });
    try {
      target.route('/away', redirectTo(`${other.url}/`));
      for (const url of [`${other.url}/`, `${target.url}/away`, 'http://169.254.169.254/'])
        expectDown(
          await run(probes, target.url, { steps: [step('next', url)] }),
          'egress',
          'address_not_allowed',
          /^Step “next”: Checks may not connect to /,
        );
      expect(other.connections).to.equal(0);
    } finally {
      await other.close();
    }
  });

  it('go to the URL of the step, whatever `connectTo` of the monitor is', async () => {
    const place = await startTarget({ behaviour: answer() });
    try {
      const report = await run(testProbes(), `http://127.0.0.1:${target.port}/own`, {
        connectTo: { host: '127.0.0.1', port: place.port },
        steps: [step('next', `${target.url}/next`)],
      });
      expectUp(report);
      expect(place.requests.map(({ path }) => path)).to.deep.equal(['/own']);
      expect(target.requests.map(({ path }) => path)).to.deep.equal(['/next']);
    } finally {
      await place.close();
    }
  });

  it('are of the version of HTTP that the monitor has, and are evidence of trust only together', async () => {
    const authority = await createAuthority();
    const certificate = await authority.issue();
    const seen: string[] = [];
    const server = createSecureServer(certificate);
    server.on('stream', (stream, headers) => {
      seen.push(`${headers[':path']} ${headers.cookie ?? ''}`);
      stream.respond({ ':status': headers[':path'] === '/broken' ? 500 : 200, 'set-cookie': 'sid=1', 'x-id': '7' });
      stream.end('hello');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const probes = testProbes({ extraCertificates: [authority.rootPem] });
      const own = { httpVersion: 'auto' as const, extract: [extract('id', 'header', 'x-id')] };
      expectUp(await run(probes, `${url}/own`, { ...own, steps: [step('next', `${url}/next/{{id}}`)] }));
      expect(seen).to.deep.equal(['/own ', '/next/7 sid=1']);
      const verified = await run(probes, `${url}/own`, { ...own, steps: [step('next', `${url}/broken`)] });
      expect(verified).to.include({ answer: 'verified' });
      expect(verified.evidence!.hops!.map(({ httpVersion }) => httpVersion)).to.deep.equal(['2', '2']);
      const mixed = await run(probes, target.url, { ...own, extract: [], steps: [step('next', `${url}/broken`)] });
      expect(mixed).to.include({ answer: 'complete' });
      expect(mixed.answerDigest).to.be.a('number');
    } finally {
      server.close();
    }
  });

  it('are made once for each address of the name, where each is checked', async () => {
    const both = await besides('127.0.0.2', answer({ status: 500 }));
    try {
      target.route('/own', answer());
      both.route('/own', answer());
      const probes = testProbes({ lookup: (_host, done) => done(null, ['127.0.0.1', '127.0.0.2']) });
      const url = `http://shop.example:${target.port}`;
      const report = await run(probes, `${url}/own`, { addresses: 'each', steps: [step('next', `${url}/next`)] });
      expectDown(
        report,
        'content',
        'unexpected_status',
        `1 of 2 addresses failed: 127.0.0.2:${target.port}: Step “next”: The server answered with status 500 Internal Server Error instead of 200-399.`,
      );
      expect(report.outcome).to.include({ isPartial: true });
      expect(report.addresses!.map(({ status }) => status)).to.deep.equal(['available', 'unavailable']);
      expect(report.steps).to.have.length(1);
      expect(report.steps![0]).to.include({ name: 'next', wasAvailable: false });
      for (const one of [target, both]) expect(one.requests.map(({ path }) => path)).to.deep.equal(['/own', '/next']);
    } finally {
      await both.close();
    }
  });

  it('keep of an endless body what is searched, and extract nothing from it', async () => {
    target.route('/own', ({ socket }) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(64 * 1024)));
        socket.once('drain', more);
      };
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      more();
    });
    const report = await run(testProbes(), `${target.url}/own`, {
      timeoutMs: 30_000,
      extract: [extract('token', 'regex', '(x+)y')],
      steps: [step('next', `${target.url}/{{token}}`)],
    });
    expectDown(
      report,
      'request',
      'variable_missing',
      'Step “next”: The variable token has no value: the first request did not give it, because the body is longer than 1 MiB.',
    );
    expect(report.evidence!.hops).to.have.length(1);
  });
});
