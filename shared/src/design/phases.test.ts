import { expect } from 'chai';
import { phaseParts } from './phases.js';

describe('The parts of a bar of phases', () => {
  it('are beside each other in their order, without those that did not happen', () => {
    const parts = phaseParts({ transfer: 10, dns: 30, connect: 0, tls: null, firstByte: 60 });
    expect(parts.map(({ word, x, width }) => [word, x, width])).to.deep.equal([
      ['DNS', 0, 30],
      ['First byte', 30, 60],
      ['Transfer', 90, 10],
    ]);
    expect(phaseParts({})).to.deep.equal([]);
  });

  it('have their place in a run of several requests', () => {
    const [part] = phaseParts({ dns: 50 }, { fromMs: 100, ofMs: 200 });
    expect([part!.x, part!.width]).to.deep.equal([50, 25]);
  });
});
