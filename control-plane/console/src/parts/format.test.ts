import { expect } from 'chai';
import {
  durationMs,
  durationText,
  isoDuration,
  isoOfLocal,
  latencyText,
  localText,
  percentText,
  relativeText,
} from './format.js';

describe('Formatting', () => {
  it('shows lengths in at most two units', () => {
    const texts = [0, 48_000, 300_000, 3_840_000, 7_200_000, 266_400_000].map(durationText);
    expect(texts).to.deep.equal(['0 s', '48 s', '5 min', '1 h 4 min', '2 h', '3 d 2 h']);
  });

  it('shows ages and times ahead by their largest unit', () => {
    const texts = [-2_000, -12_000, -3_840_000, 10_800_000].map((ms) => relativeText(1e12 + ms, 1e12));
    expect(texts).to.deep.equal(['just now', '12 s ago', '1 h ago', 'in 3 h']);
  });

  it('shows 100 % only for what is whole', () => {
    expect([100, 99.999, 99.9, 0, null].map((value) => percentText(value))).to.deep.equal([
      '100 %',
      '99.99 %',
      '99.90 %',
      '0.00 %',
      '–',
    ]);
  });

  it('shows latencies with as many digits as matter', () => {
    expect([0.84, 128.4, 2_314, null].map(latencyText)).to.deep.equal(['0.8 ms', '128 ms', '2.31 s', '–']);
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
    expect(isoOfLocal('later')).to.equal('later');
    expect(isoOfLocal(localText(moment), moment + 20_000)).to.equal('2026-11-22T21:30:20.000Z');
  });
});
