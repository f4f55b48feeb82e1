import { expect } from 'chai';
import fc from 'fast-check';
import { durationText, latencyText, lengthText, momentText, percentText } from './texts.js';

const NOON = Date.UTC(2026, 10, 21, 12, 5);

describe('Moments, lengths, latencies and percentages', () => {
  it('a moment is shown in UTC', () => {
    expect(momentText(NOON)).to.equal('21 Nov 2026, 12:05 UTC');
    expect(momentText(Date.UTC(2026, 0, 1))).to.equal('1 Jan 2026, 00:00 UTC');
  });

  it('a moment is shown in the zone of the reader, by the name that the zone has then', () => {
    expect(momentText(NOON, 'Europe/Berlin')).to.equal('21 Nov 2026, 13:05 CET');
    expect(momentText(Date.UTC(2026, 6, 1, 12), 'Europe/Berlin')).to.equal('1 Jul 2026, 14:00 CEST');
  });

  it('a length is shown in two units at most', () => {
    expect(lengthText(59_000)).to.equal('less than a minute');
    expect(lengthText(15 * 60_000)).to.equal('15 min');
    expect(lengthText(3_600_000)).to.equal('1 h');
    expect(lengthText((26 * 60 + 3) * 60_000)).to.equal('1 d 2 h');
  });

  it('a length is shown to the second where that is asked for', () => {
    expect(momentText(NOON + 7_000, 'UTC', 'second')).to.equal('21 Nov 2026, 12:05:07 UTC');
    const shown: [number, string][] = [
      [-5, '0 s'],
      [999, '0 s'],
      [12_000, '12 s'],
      [60_000, '1 min'],
      [312_000, '5 min 12 s'],
      [3_605_000, '1 h'],
      [3_840_000, '1 h 4 min'],
      [2 * 86_400_000 + 3 * 3_600_000 + 59_000, '2 d 3 h'],
    ];
    for (const [ms, text] of shown) expect(lengthText(ms, 'second'), `${ms} ms`).to.equal(text);
  });

  it('a length is shown in seconds under a minute where it is short', () => {
    const texts = [0, 48_000, 300_000, 3_840_000, 7_200_000, 266_400_000].map(durationText);
    expect(texts).to.deep.equal(['0 s', '48 s', '5 min', '1 h 4 min', '2 h', '3 d 2 h']);
  });

  it('a latency has as many digits as matter', () => {
    expect([0.84, 128.4, 2_314, null].map((ms) => latencyText(ms))).to.deep.equal([
      '0.8 ms',
      '128 ms',
      '2.31 s',
      'no data',
    ]);
  });

  it('a length is the same to the minute as to the second, but for the seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 400 * 86_400_000 }), (ms) => {
        const whole = Math.floor(ms / 60_000) * 60_000;
        expect(lengthText(ms)).to.equal(lengthText(whole, 'second'));
      }),
    );
  });

  it('never calls a failure a hundred percent', () => {
    expect(percentText(100)).to.equal('100 %');
    expect(percentText(99.9999)).to.equal('99.99 %');
    expect(percentText(0)).to.equal('0.00 %');
    expect(percentText(null)).to.equal('no data');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, maxExcluded: true, noNaN: true }), (percentage) => {
        expect(percentText(percentage)).to.not.equal('100 %');
      }),
    );
  });
});
