import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { startSampleService } from './sample-service.js';
import { databaseForSuite, startedForSuite } from '../../support/suite.js';

const DEADLINE_MS = 30_000;
const pathAlphabet = fc.constantFrom(
  '/',
  'api',
  'v1',
  'notes',
  '..',
  '%',
  '%00',
  '%2f',
  '?',
  '&',
  '=',
  'page',
  '#',
  '*',
  '{id}',
  '\\',
  ';',
  '11111111-1111-4111-8111-111111111111',
  '__proto__',
  '%ff',
  '[]',
);
const target = fc.oneof(
  fc.array(pathAlphabet, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
  fc.constantFrom('*', '/api/v1/notes', '/api/v1/held?x', 'http://elsewhere/api/v1/notes', '/swagger', '/health'),
  fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).pathname + new URL(url).search),
);
const headerValue = fc
  .oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      '*',
      '"',
      'W/"x"',
      '0',
      '-1',
      'application/json',
      'close',
      'Bearer ',
      'Bearer alice-owner',
      'workspace_id=;;=',
    ),
  )
  .map((value) => value.replace(/[^\x20-\x7e\x80-\xff]/g, ''));
const headerName = fc.constantFrom(
  'Accept',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Workspace-Id',
  'Cookie',
  'Origin',
  'X-Forwarded-For',
  'X-Request-Id',
  'Authorization',
  'Expect',
  'Access-Control-Request-Method',
  'Content-Encoding',
  'Range',
  'Connection',
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .record({ name: fc.string(), colour: fc.anything(), tags: fc.array(fc.string()) }, { requiredKeys: [] })
    .map((value) => Buffer.from(JSON.stringify(value))),
);
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE'),
  target,
  headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 5 }),
  body,
});

describe('whatever is thrown at it', () => {
  const database = databaseForSuite();
  const service = startedForSuite(() => startSampleService(database.database));

  const exchange = async (bytes: Buffer): Promise<string> => {
    const socket = connect(service.listener.port, '127.0.0.1');
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('no answer in time')));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.end(bytes);
    await once(socket, 'close');
    return Buffer.concat(chunks).toString('latin1');
  };

  it('answers well-formed HTTP of any content with less than 500', async function () {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, target, headers, body }) => {
        if (target.startsWith('/api/v1/held') && method === 'POST') return;
        const known = headers.some(([name]) => name === 'Authorization')
          ? []
          : [['Authorization', 'Bearer alice-owner']];
        const lines = [...known, ...headers].map(([name, value]) => `${name}: ${value}`);
        const head = Buffer.from(
          `${method} ${target.replace(/[\s#]/g, '')} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`,
          'latin1',
        );
        const answer = await exchange(Buffer.concat([head, body]));
        const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
        expect(statuses, answer).to.have.length.at.least(1);
        for (const status of statuses) expect(status, answer).to.be.below(500);
      }),
      { numRuns: 1_500 },
    );
  });

  it('survives bytes that are no HTTP at all', async function () {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect(await exchange(Buffer.from(bytes))).to.not.match(/^HTTP\/1\.1 5/);
      }),
      { numRuns: 200 },
    );
    expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
  });
});
