import { expect } from 'chai';
import { readPing } from './read-ping.js';

const sent = { host: '192.0.2.7', count: 3, size: 56, waitMs: 1_000 };
const line = (sequence: number, ms: number | string, from = '192.0.2.7') =>
  `64 bytes from ${from}: icmp_seq=${sequence} ttl=61 time=${ms} ms`;
const read = (...lines: string[]) =>
  readPing(['PING 192.0.2.7 (192.0.2.7) 56(84) bytes of data.', ...lines, ''].join('\n'), sent);

describe('reading what ping reports', () => {
  it('counts answers, and computes their times', () => {
    expect(read(line(1, '1.00'), line(2, 2), line(3, '6.5')).figures).to.deep.equal({
      sent: 3,
      received: 3,
      minMs: 1,
      averageMs: 3.167,
      maxMs: 6.5,
      stddevMs: 2.392,
    });
    expect(read().figures).to.deep.equal({
      sent: 3,
      received: 0,
      minMs: null,
      averageMs: null,
      maxMs: null,
      stddevMs: null,
    });
  });

  it('knows an address of IPv6 however the target is written', () => {
    const output = '64 bytes from 2001:db8::7: icmp_seq=1 ttl=61 time=1.5 ms';
    for (const host of ['2001:db8::7', '2001:DB8:0:0::7', '2001:0db8::0007'])
      expect(readPing(output, { ...sent, host }).figures.received, host).to.equal(1);
    expect(readPing(output, { ...sent, host: '2001:db8::8' }).figures.received).to.equal(0);
  });

  it('names who reports first that packets cannot arrive', () => {
    const { refusal, figures } = read(
      'From 198.51.100.1 icmp_seq=1 Destination Host Unreachable',
      'From 198.51.100.2 icmp_seq=2 Time to live exceeded',
      '3 packets transmitted, 0 received, +2 errors, 100% packet loss, time 401ms',
    );
    expect(refusal).to.deep.equal({ router: '198.51.100.1', why: 'Destination Host Unreachable' });
    expect(figures.received).to.equal(0);
  });

  const wrong: Record<string, string> = {
    'a second answer to the same packet': line(1, 9),
    'a second answer that is marked': `${line(1, 9)} (DUP!)`,
    'an answer that is late': line(2, '1000.1'),
    'an answer to a packet that was not sent': line(4, 1),
    'an answer to packet 0': line(0, 1),
    'an answer with a negative number': line(-1, 1),
    'an answer with a number that is too long': line(1e9, 1),
    'an answer of another host': line(2, 1, '192.0.2.8'),
    'an answer of a name': line(2, 1, 'host.example'),
    'an answer of a name with the address': line(2, 1, 'host (192.0.2.7)'),
    'an answer of another family': line(2, 1, '::ffff:192.0.2.7'),
    'an answer from no address': line(2, 1, '192.0.2.7.9'),
    'an answer that is longer': line(2, 1).replace('64', '65'),
    'an answer that is shorter': line(2, 1).replace('64', '63'),
    'an answer that was truncated': `${line(2, 1)} (truncated)`,
    'an answer with a bad checksum': `${line(2, 1)} (BAD CHECKSUM!)`,
    'an answer with other data': `${line(2, 1)}\twrong data byte #16 should be 0x10 but was 0x11`,
    'an answer without a time': line(2, 1).replace(' time=1 ms', ''),
    'an answer with a time that is no number': line(2, 'NaN'),
    'an answer before its question': line(2, '-3'),
    'an answer with an infinite time': line(2, 'Infinity'),
    'an answer with a time in another notation': line(2, '1e-3'),
    'an answer with a decimal comma': line(2, '1,5'),
    'an answer in seconds': line(2, 1).replace(' ms', ' s'),
    'an answer without a time to live': line(2, 1).replace(' ttl=61', ''),
    'an answer of another program': '64 bytes from 192.0.2.7: seq=2 ttl=61 time=1.0 ms',
    'an answer in another language': '64 octets de 192.0.2.7 : icmp_seq=2 ttl=61 temps=1 ms',
    'the first part of an answer': line(2, 1).slice(0, 40),
    'an answer within a line': `x${line(2, 1)}`,
    'two answers in a line': line(2, 1) + line(3, 1),
    'an answer that ends in a carriage return': `${line(2, 1)}\r`,
    'its own summary': '3 packets transmitted, 3 received, 0% packet loss, time 402ms',
    'a summary that claims more': 'rtt min/avg/max/mdev = 0.1/0.1/0.1/0.0 ms',
    'a report of nobody': 'From nowhere icmp_seq=2 Destination Host Unreachable',
    'what no line is': '\u0000\u0001\u0002'.repeat(500),
    'a very long line': `64 bytes from ${'1'.repeat(50_000)}`,
  };
  for (const [what, text] of Object.entries(wrong))
    it(`does not count ${what}`, () => {
      const { figures, refusal } = read(line(1, 1), text);
      expect(figures).to.include({ sent: 3, received: 1, averageMs: 1 });
      expect(refusal).to.equal(null);
    });
});
