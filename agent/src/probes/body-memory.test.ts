import { expect } from 'chai';
import { BodyMemory } from './body-memory.js';

const KIB = 1024;

describe('the memory for bodies', () => {
  it('is shared among owners, and one owner gets half of it', () => {
    const memory = new BodyMemory(1024 * KIB);
    const hostile = [0, 1].map(() => memory.use({ ownerKey: 'hostile' }));
    expect(hostile[0]!.add(400 * KIB)).to.equal(null);
    expect(hostile[1]!.add(400 * KIB)!.key).to.equal('own_body_memory');
    const victim = memory.use({ ownerKey: 'victim' });
    expect(victim.add(200 * KIB)).to.equal(null);
    for (const use of hostile) use.release();
    expect(victim.add(200 * KIB)).to.equal(null);
  });

  it('is the agent’s fault if other owners use it', () => {
    const memory = new BodyMemory(1024 * KIB);
    for (let owner = 0; owner < 16; owner++) memory.use({ ownerKey: `owner ${owner}` }).add(60 * KIB);
    expect(memory.use({ ownerKey: 'victim' }).add(1)!.key).to.equal('agent_body_memory');
  });

  it('is taken as a body grows', () => {
    const memory = new BodyMemory(128 * KIB);
    const use = memory.use({});
    for (let chunk = 0; chunk < 64; chunk++) expect(use.add(KIB)).to.equal(null);
    expect(use.add(1)!.isAgentFault).to.equal(true);
    use.release();
    expect(memory.use({}).add(64 * KIB)).to.equal(null);
  });
});
