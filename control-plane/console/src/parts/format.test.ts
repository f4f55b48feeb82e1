import { expect } from 'chai';
import { durationMs, isoDuration, isoOfLocal, latencyText, localText, percentText, relativeText } from './format.js';

describe('Formatting', () => {
  it('shows ages and times ahead by their largest unit', () => {
    const texts = [-2_000, -12_000, -3_840_000, 10_800_000].map((ms) => relativeText(1e12 + ms, 1e12));
    expect(texts).to.deep.equal(['just now', '12 s ago', '1 h ago', 'in 3 h']);
  });

  it('has a dash where there is no data', () => {
    expect([99.999, null].map((value) => percentText(value))).to.deep.equal(['99.99 %', '–']);
    expect([128.4, null].map(latencyText)).to.deep.equal(['128 ms', '–']);
  });

  it('reads and writes the durations of the API', () => {
    expect(['PT1M', 'PT1M30S', 'P1D', 'PT0.5S', 'P', 'x'].map(durationMs)).to.deep.equal([
      60_000,
      90_000,
      86_400_000,
      500,
      undefined,
      undefined,
    ]);
    for (const text of ['PT0S', 'PT30S', 'PT1M30S', 'PT24H']) expect(isoDuration(durationMs(text)!)).to.equal(text);
  });

  it('brings a moment through the field for date and time unchanged', () => {
    const moment = Date.parse('2026-11-22T21:30:00Z');
    expect(isoOfLocal(localText(moment))).to.equal('2026-11-22T21:30:00.000Z');
    for (const text of ['later', '31 Feb 2026', '2026-02-31T10:00']) expect(isoOfLocal(text)).to.equal(text);
    expect(isoOfLocal(localText(moment), moment + 20_000)).to.equal('2026-11-22T21:30:20.000Z');
  });
});
