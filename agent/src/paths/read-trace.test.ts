import { expect } from 'chai';
import fc from 'fast-check';
import { MOST_PATH_HOPS } from '@watchpost/shared/outcome';
import { readTrace } from './read-trace.js';

const HEAD = 'traceroute to 192.0.2.9 (192.0.2.9), 30 hops max, 60 byte packets\n';
const hop = (ttl: number, address: string | null, rttMs: number | null, loss: number | null = null) => ({
  ttl,
  address,
  name: null,
  rttMs,
  loss,
});
const read = (lines: string[], address = '192.0.2.9') => readTrace(HEAD + lines.join('\n') + '\n', address);

describe('the output of traceroute', () => {
  it('ends at the address', () => {
    const lines = [
      ' 1  10.0.0.1  0.301 ms  0.014 ms  0.009 ms',
      ' 2  192.0.2.9  9.5 ms * 10.125 ms',
      ' 3  10.0.0.2  1.0 ms',
    ];
    expect(read(lines)).to.deep.equal({
      reached: true,
      hops: [hop(1, '10.0.0.1', 0.009), hop(2, '192.0.2.9', 9.5, 33)],
    });
  });

  it('is no loss in the middle, and ends at the last router that answered', () => {
    const lines = [
      ' 1  10.0.0.1  0.301 ms * *',
      ' 2  * * *',
      ' 3  10.0.0.3  7.0 ms  6.5 ms  8.0 ms',
      ' 4  * * *',
      ' 5  * * *',
    ];
    expect(read(lines)).to.deep.equal({
      reached: false,
      hops: [hop(1, '10.0.0.1', 0.301), hop(2, null, null), hop(3, '10.0.0.3', 6.5)],
    });
    expect(read([' 1  * * *', ' 2  * * *'])).to.deep.equal({ reached: false, hops: [] });
  });

  it('has the router that answered first where packets take several ways, or the address itself', () => {
    const lines = [
      ' 1  10.0.0.1  3.0 ms 10.0.0.2  1.0 ms 10.0.0.1  2.0 ms',
      ' 2  10.0.0.3  3.0 ms 192.0.2.9  4.0 ms *',
    ];
    expect(read(lines).hops).to.deep.equal([hop(1, '10.0.0.1', 2), hop(2, '192.0.2.9', 4, 67)]);
  });

  it('can have routers that report why they stop', () => {
    const lines = [' 1  10.0.0.1  0.038 ms  0.008 ms  0.015 ms', ' 2  10.9.2.2  0.021 ms !X  0.011 ms !H *'];
    expect(read(lines)).to.deep.equal({ reached: false, hops: [hop(1, '10.0.0.1', 0.008), hop(2, '10.9.2.2', 0.011)] });
  });

  it('can be of IPv6, in any form', () => {
    const lines = [' 1  fd00:1::2  0.3 ms  0.2 ms  0.1 ms', ' 2  2001:db8::9  1.0 ms  1.0 ms  1.0 ms'];
    expect(read(lines, '2001:0DB8:0:0:0:0:0:9')).to.deep.equal({
      reached: true,
      hops: [hop(1, 'fd00:1::2', 0.1), hop(2, '2001:db8::9', 1, 0)],
    });
  });

  it('does not count where a line has another form, or comes again', () => {
    for (const line of [
      ' 1  evil.example (192.0.2.9)  1.0 ms',
      ' 1  192.0.2.9  <script>',
      ' 1  999.0.0.1  1.0 ms',
      '31  192.0.2.9  1.0 ms',
      ' 0  192.0.2.9  1.0 ms',
      ' 1  192.0.2.9  1.0 ms ',
      ' 1  192.0.2.9  -1.0 ms',
      ' 1  192.0.2.9',
    ])
      expect(read([line]), line).to.deep.equal({ reached: false, hops: [] });
    expect(read([' 1  10.0.0.1  1.0 ms', ' 1  192.0.2.9  1.0 ms'])).to.deep.equal({
      reached: false,
      hops: [hop(1, '10.0.0.1', 1)],
    });
  });

  it('never leads to more than the hops of a path, whatever it is', () => {
    const word = fc.constantFrom(
      ' ',
      '  ',
      '\n',
      '*',
      '1',
      '7',
      '30',
      '10.0.0.1',
      '::1',
      '1.5 ms',
      '!X',
      'ms',
      '\u0000',
      '<b>',
    );
    const output = fc.oneof(
      fc.string(),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(output, (text) => {
        const { reached, hops } = readTrace(text, '10.0.0.1');
        expect(hops.length).to.be.at.most(MOST_PATH_HOPS);
        expect(hops.map(({ ttl }) => ttl)).to.deep.equal(hops.map((_, index) => index + 1));
        expect(reached).to.equal((hops.at(-1)?.loss ?? null) !== null);
        expect(hops.slice(0, -1).every(({ loss }) => loss === null)).to.equal(true);
      }),
    );
  });
});
