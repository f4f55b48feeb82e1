import { expect } from 'chai';
import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { locationMark, rateText, regionMeaning } from './region-state.js';

describe('A region', () => {
  const meaning = (state: RegionView['state'], since: string | null, monitors = 3) =>
    regionMeaning({ state, since, monitors } as RegionView);

  it('explains what its state means for verdicts', () => {
    expect(meaning('healthy', null)).to.equal('Counted.');
    expect(meaning('healthy', null, 0)).to.include('No monitor of this workspace uses it');
    expect(meaning('suspect', '2026-11-21T12:00:00Z')).to.include('failures are probably its own');
    expect(meaning('silent', '2026-11-21T12:00:00Z')).to.include('left out of verdicts');
    expect(meaning('silent', null)).to.include('No agent was ever connected');
  });

  it('shows few checks a minute with a digit more than many', () => {
    expect([0.6, 9.96, 12.4, 1_204.2].map(rateText)).to.deep.equal(['0.6', '10', '12', '1,204']);
  });

  it('of your own is as the best of its agents', () => {
    expect(locationMark(['silent', 'connected', 'outdated']).word).to.equal('Healthy');
    expect(locationMark(['waiting', 'silent']).word).to.equal('Silent');
    expect(locationMark([])).to.deep.equal({ state: 'unknown', word: 'No agent' });
  });
});
