import { expect } from 'chai';
import { type DatedVerdict, decideHeartbeatSpans } from './decide-heartbeat-spans.js';

const period = { startMs: 0, endMs: 100, expectedByMs: 1_000 };
const changes = (...pairs: [number, DatedVerdict['verdict']][]): DatedVerdict[] =>
  pairs.map(([atMs, verdict]) => ({ atMs, verdict }));
const shown = (...args: Parameters<typeof decideHeartbeatSpans>) =>
  decideHeartbeatSpans(...args).map(({ startMs, endMs, up }) => [startMs, endMs, up]);

describe('The timeline of a heartbeat', () => {
  it('has a span for each state, from before the period to its end', () => {
    const all = changes(
      [-50, 'available'],
      [20, 'unavailable'],
      [30, 'available'],
      [60, 'unknown'],
      [80, 'unavailable'],
    );
    expect(shown(all, period, [])).to.deep.equal([
      [0, 20, true],
      [20, 30, false],
      [30, 60, true],
      [80, 100, false],
    ]);
  });

  it('is unknown while nothing could be received', () => {
    const outages = [
      { startedMs: -10, endedMs: 5 },
      { startedMs: 15, endedMs: 25 },
      { startedMs: 90, endedMs: 200 },
    ];
    expect(shown(changes([0, 'available'], [20, 'unavailable']), period, outages)).to.deep.equal([
      [5, 15, true],
      [25, 90, false],
    ]);
  });

  it('is not healthy after the deadline of the last success', () => {
    expect(shown(changes([0, 'available']), { ...period, expectedByMs: 40 }, [])).to.deep.equal([[0, 40, true]]);
  });
});
