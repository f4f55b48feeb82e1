import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { readPingToken } from '../monitors/index.js';
import { readPingBody, readPingPath, readRid } from './read-ping-request.js';

const TOKEN = 'a'.repeat(32);
const bodyOf = (...chunks: Buffer[]) => readPingBody(Readable.from(chunks) as IncomingMessage);

describe('A ping request', () => {
  it('names a success, a start, a failure, a log or an exit code', () => {
    expect(readPingPath(`/ping/${TOKEN}`)).to.deep.equal({
      hash: readPingToken(TOKEN),
      kind: 'success',
      exitCode: null,
    });
    for (const kind of ['start', 'fail', 'log']) expect(readPingPath(`/ping/${TOKEN}/${kind}`)).to.include({ kind });
    expect(readPingPath(`/ping/${TOKEN}/0`)).to.include({ kind: 'success', exitCode: 0 });
    expect(readPingPath(`/ping/${TOKEN}/255`)).to.include({ kind: 'fail', exitCode: 255 });
    for (const path of [
      `${TOKEN}/256`,
      `${TOKEN}/-1`,
      `${TOKEN}/`,
      `${TOKEN}/start/`,
      `${TOKEN}/Fail`,
      'x',
      '',
      `${TOKEN}b`,
    ])
      expect(readPingPath(`/ping/${path}`), path).to.equal(undefined);
  });

  it('has a run id only where that is well-formed', () => {
    expect(readRid('rid=run_1-A')).to.equal('run_1-A');
    for (const query of ['', 'rid=', 'rid=a%20b', `rid=${'a'.repeat(65)}`, 'RID=a'])
      expect(readRid(query)).to.equal(null);
  });

  it('keeps the last 10 KiB of a body up to 100 KiB, in chunks of any size, and nothing of what follows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 130_000 }),
        fc.integer({ min: 500, max: 70_000 }),
        async (size, chunk) => {
          const text = Buffer.from(Array.from({ length: size }, (_, index) => 97 + (index % 26)));
          const chunks = Array.from({ length: Math.ceil(size / chunk) }, (_, index) =>
            text.subarray(index * chunk, (index + 1) * chunk),
          );
          expect(await bodyOf(...chunks)).to.equal(text.subarray(0, 102_400).subarray(-10_240).toString());
        },
      ),
      { numRuns: 30 },
    );
    expect(await bodyOf()).to.equal(null);
  });

  it('keeps text that can be stored, whatever is sent', async () => {
    expect(await bodyOf(Buffer.from('a\u0000b'))).to.equal('a\uFFFDb');
    const cut = await bodyOf(Buffer.from('é'.repeat(6_000) + 'x'));
    expect(cut!.startsWith('é')).to.equal(true);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (bytes) => {
        expect(await bodyOf(Buffer.from(bytes))).to.not.contain('\u0000');
      }),
    );
  });
});
