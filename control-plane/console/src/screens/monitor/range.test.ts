import { expect } from 'chai';
import { around, readRange } from './range.js';

const NOW = Date.parse('2026-11-22T21:07:30Z');
const HOUR = 3_600_000;
const read = (text: string, nowMs = NOW) => readRange(new URLSearchParams(text), nowMs);

describe('The range of a monitor', () => {
  it('is the last 24 hours unless the address names another', () => {
    expect(read(''))
      .to.include({ name: '24h', steps: 96, startMs: NOW - 24 * HOUR })
      .and.to.have.property('query').that.is.empty;
    expect(read('range=lately').name).to.equal('24h');
    expect(read('range=7d')).to.include({ name: '7d', endMs: NOW });
  });

  it('has bounds that stay for a while, so that answers are shared', () => {
    expect(read('range=7d').query).to.deep.equal({ startDate: '2026-11-15T22:00:00.000Z' });
    expect(read('range=7d', NOW + HOUR / 2).query).to.deep.equal(read('range=7d').query);
  });

  it('can be given by two moments, and ends now at the latest', () => {
    expect(read('from=2026-11-22T20:00:00Z&to=2026-11-22T23:00:00Z')).to.deep.include({
      name: 'custom',
      endMs: NOW,
      query: { startDate: '2026-11-22T20:00:00.000Z', endDate: '2026-11-22T21:07:30.000Z' },
    });
    expect(read('from=2026-11-22T20:00:00Z&to=2026-11-22T20:10:00Z').steps).to.equal(10);
    expect(read('from=2020-01-01&to=2026-11-22').startMs).to.equal(Date.parse('2026-11-22') - 400 * 24 * HOUR);
  });

  it('ignores moments in the wrong order, in the future, or none', () => {
    for (const text of ['from=2026-11-22&to=2026-11-20', 'from=2027-01-01&to=2027-01-02', 'from=x&to=y'])
      expect(read(text).name).to.equal('24h');
  });

  it('is closer around what is chosen', () => {
    const stretch = { startMs: Date.parse('2026-11-22T20:00:00Z'), endMs: Date.parse('2026-11-22T20:30:00Z') };
    expect(around(stretch)).to.deep.equal({ from: '2026-11-22T19:30:00.000Z', to: '2026-11-22T21:00:00.000Z' });
  });
});
