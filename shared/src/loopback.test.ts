import { expect } from 'chai';
import fc from 'fast-check';
import { isLoopbackHost } from './loopback.js';

const byte = fc.nat(255);
const v4 = fc.tuple(byte, byte, byte, byte);

describe('a host', () => {
  for (const host of [
    'localhost',
    'LocalHost',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::FFFF:127.1.2.3',
    '[::ffff:7f00:1]',
  ])
    it(`is loopback: ${host}`, () => {
      expect(isLoopbackHost(host)).to.equal(true);
    });

  for (const host of [
    '',
    '0.0.0.0',
    '::',
    '[::]',
    '::2',
    '::ffff:128.0.0.1',
    '::127.0.0.1',
    '127.1',
    '127.0.0.256',
    '127.999.0.1',
    '0127.0.0.1',
    '[127.0.0.1]',
    '[localhost]',
    '[::1',
    '127.0.0.1:80',
    '[::1]:80',
    'localhost:80',
    'localhost.',
    'localhost.evil.example',
    'evil.localhost',
    '127.0.0.1.evil.example',
    '127.evil.example',
    ' 127.0.0.1',
    '127.0.0.1\n',
  ])
    it(`is not loopback: ${JSON.stringify(host)}`, () => {
      expect(isLoopbackHost(host)).to.equal(false);
    });

  it('is loopback by its first number, in any IPv4 notation', () => {
    fc.assert(
      fc.property(v4, fc.boolean(), (parts, isNear) => {
        const [a, b, c, d] = [isNear ? 127 : parts[0], parts[1], parts[2], parts[3]];
        const mapped = `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        for (const host of [`${a}.${b}.${c}.${d}`, `::ffff:${a}.${b}.${c}.${d}`, mapped, `[${mapped}]`])
          expect(isLoopbackHost(host), host).to.equal(a === 127);
      }),
    );
  });

  it('is loopback with and without the brackets of a URL', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          v4.map((parts) => parts.join('.')),
          fc.domain(),
          fc.constant('localhost'),
        ),
        (host) => {
          expect(isLoopbackHost(new URL(`http://${host}:8443/`).hostname)).to.equal(isLoopbackHost(host));
        },
      ),
    );
  });
});
