import { expect } from 'chai';
import { decideMapped, decideMappedRole } from './decide-mapped-role.js';

const MAPPING = { staff: 'Viewer', ops: 'Editor', leads: 'Admin' } as const;

describe('The role that a claim gives', () => {
  it('is the highest of those that match, in whatever order they come', () => {
    expect(decideMappedRole(MAPPING, ['leads', 'staff'])).to.deep.equal({ role: 'Admin', value: 'leads' });
    expect(decideMappedRole(MAPPING, ['others', 'staff', 'ops'])).to.deep.equal({ role: 'Editor', value: 'ops' });
  });

  it('is none where no value matches, also by a name that every object has', () => {
    for (const values of [[], ['Staff'], ['constructor', 'toString', '__proto__']])
      expect(decideMappedRole(MAPPING, values)).to.equal(null);
  });
});

describe('A mapping of roles', () => {
  const ops = { role: 'Editor', value: 'ops' } as const;
  const mapped = { role: 'Editor', status: 'active', roleSource: 'claim' } as const;

  it('adds, changes and removes those who follow it', () => {
    expect(decideMapped(undefined, ops)).to.equal('join');
    expect(decideMapped(undefined, null)).to.equal(null);
    expect(decideMapped(mapped, ops)).to.equal(null);
    expect(decideMapped({ ...mapped, role: 'Viewer' }, ops)).to.equal('change');
    expect(decideMapped(mapped, null)).to.equal('leave');
  });

  it('leaves those alone whose role people gave, the Owner among them', () => {
    for (const role of ['Viewer', 'Owner'] as const)
      for (const match of [ops, null])
        expect(decideMapped({ ...mapped, role, roleSource: 'hand' }, match)).to.equal(null);
  });

  it('ends no suspension by removing the member', () => {
    expect(decideMapped({ ...mapped, status: 'suspended' }, null)).to.equal(null);
  });
});
