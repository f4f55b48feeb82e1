import { expect } from 'chai';
import fc from 'fast-check';
import type { Fault } from '@watchpost/shared/fault';
import { ROLES, type Role } from '../../platform/identity/caller.js';
import { decideMemberChange, decideMemberRemoval, type MemberState } from './decide-member-change.js';

const member = (role: Role, id = 'target'): MemberState => ({ id, role, status: 'active' });
const code = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as Fault).code;
  }
};

describe('A change of a member', () => {
  it('leaves what it does not name', () => {
    const suspended = { ...member('Editor'), status: 'suspended' as const };
    expect(decideMemberChange(member('Admin', 'me'), suspended, {})).to.deep.equal({
      role: 'Editor',
      status: 'suspended',
    });
    expect(decideMemberChange(member('Admin', 'me'), suspended, { role: 'Viewer' }).status).to.equal('suspended');
  });

  it('never changes the Owner', () => {
    const patch = fc.record(
      {
        role: fc.constantFrom(...ROLES.filter((role) => role !== 'Owner')),
        status: fc.constantFrom('active' as const, 'suspended' as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom('Admin' as const, 'Owner' as const), patch, (by, change) => {
        const owner = member('Owner', 'owner');
        const manager = by === 'Owner' ? owner : member('Admin', 'admin');
        const fault = code(() => decideMemberChange(manager, owner, change));
        const changes = change.role !== undefined || change.status === 'suspended';
        const ofOwner = changes ? 'last_owner' : undefined;
        expect(fault).to.equal(by === 'Admin' ? 'insufficient_workspace_role' : ofOwner);
      }),
    );
  });

  it('lets an Admin step down, and not shut itself out', () => {
    const me = member('Admin', 'me');
    expect(decideMemberChange(me, me, { role: 'Viewer' }).role).to.equal('Viewer');
    expect(code(() => decideMemberChange(me, me, { status: 'suspended' }))).to.equal('validation_failed');
  });
});

describe('The removal of a member', () => {
  it('is possible for everybody but the Owner', () => {
    for (const role of ROLES) {
      const expected = role === 'Owner' ? 'insufficient_workspace_role' : undefined;
      expect(code(() => decideMemberRemoval(member('Admin', 'me'), member(role)))).to.equal(expected);
    }
    expect(code(() => decideMemberRemoval(member('Owner'), member('Owner')))).to.equal('last_owner');
  });
});
