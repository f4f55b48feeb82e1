import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { bodyEvidence, headerEvidence } from './http-evidence.js';

const head = (...headers: string[]) => ({ statusCode: 500, headers });

describe('the evidence of a response', () => {
  it('masks credentials and shows the rest', () => {
    expect(
      headerEvidence(
        head(
          'set-cookie',
          'sid=1',
          'authorization',
          'x',
          'x-auth-token',
          'x',
          'x-amz-signature',
          'x',
          'x-api-key',
          'x',
          'apikey',
          'x',
          'x-csrf',
          'x',
          'proxy-authentication-info',
          'x',
          'www-authenticate',
          'Bearer',
          'server',
          'nginx',
          'etag',
          '"1"',
        ),
      ),
    ).to.deep.equal({
      'set-cookie': '***',
      authorization: '***',
      'x-auth-token': '***',
      'x-amz-signature': '***',
      'x-api-key': '***',
      apikey: '***',
      'x-csrf': '***',
      'proxy-authentication-info': '***',
      'www-authenticate': 'Bearer',
      server: 'nginx',
      etag: '"1"',
    });
  });

  it('joins repeated headers and truncates long ones', () => {
    expect(headerEvidence(head('via', 'a', 'via', 'b'))).to.deep.equal({ via: 'a, b' });
    const many = headerEvidence(
      head(...Array.from({ length: 300 }, (_, index) => [`x-${index}`, 'y'.repeat(2_000)]).flat()),
    );
    expect(Object.keys(many)).to.have.length(50);
    expect(Object.values(many).every((value) => value.length === 500)).to.equal(true);
  });

  it('is not affected by special names and characters', () => {
    const shown = headerEvidence(head('__proto__', 'x', 'constructor', 'y', 'x-esc', 'a\u001b[31mb\u0000'));
    expect(Object.keys(shown)).to.deep.equal(['__proto__', 'constructor', 'x-esc']);
    expect(shown['x-esc']).to.equal('a?[31mb?');
    expect(JSON.parse(JSON.stringify(shown))).to.have.property('constructor', 'y');
  });

  it('has the first 2 KiB of the body, even from a part of an encoded one', async () => {
    const page = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join('');
    const encoded = gzipSync(page);
    expect(await bodyEvidence([encoded.subarray(0, 3_000)], head('content-encoding', 'gzip'))).to.deep.equal({
      bodyStart: page.slice(0, 2_048),
    });
    expect(await bodyEvidence([], head())).to.deep.equal({});
    expect(await bodyEvidence([Buffer.from('x')], head('content-encoding', 'br'))).to.deep.equal({});
  });
});
