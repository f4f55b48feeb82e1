import { expect } from 'chai';
import fc from 'fast-check';
import { ROLES } from '../../platform/identity/caller.js';
import { decideWorkspace, type Membership } from './decide-workspace.js';

const FOREIGN = '00000000-0000-7000-8000-00000000ffff';
const idOf = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

const memberships = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 6 }).chain((numbers) =>
  fc.tuple(
    ...numbers.map((n) =>
      fc.record({
        workspaceId: fc.constant(idOf(n)),
        memberId: fc.constant(idOf(1000 + n)),
        role: fc.constantFrom(...ROLES),
        suspended: fc.boolean(),
        ownerId: fc.constant(idOf(2000)),
        lastUsedMs: fc.integer({ min: 0, max: 3 }),
        isLatest: fc.boolean(),
      }),
    ),
  ),
) as fc.Arbitrary<Membership[]>;
const someId = fc.oneof(fc.integer({ min: 0, max: 20 }).map(idOf), fc.constantFrom(FOREIGN, '', 'nonsense', '../..'));
const selection = fc.record(
  {
    pathId: fc.option(someId, { nil: undefined }),
    headerId: fc.option(someId, { nil: undefined }),
    cookieId: fc.option(someId, { nil: undefined }),
  },
  { requiredKeys: [] },
);
const of = (list: readonly Membership[], id: string | undefined): Membership | undefined =>
  list.find(({ workspaceId }) => workspaceId === id);

describe('Which workspace a request is about', () => {
  it('is never one that the caller does not belong to, nor one where the caller is suspended', () => {
    fc.assert(
      fc.property(memberships, selection, (list, selected) => {
        const decision = decideWorkspace(list, selected);
        if (decision.kind === 'resolved') {
          expect(list).to.include(decision.membership);
          expect(decision.membership.suspended).to.equal(false);
        }
      }),
    );
  });

  it('is the one in the path, with any header and cookie', () => {
    fc.assert(
      fc.property(memberships, selection, someId, (list, selected, pathId) => {
        const decision = decideWorkspace(list, { ...selected, pathId });
        const member = of(list, pathId);
        if (!member) expect(decision.kind).to.equal('not_found');
        else if (member.suspended) expect(decision.kind).to.equal('member_suspended');
        else expect(decision).to.deep.equal({ kind: 'resolved', membership: member });
      }),
    );
  });

  it('is the one in the header, with any cookie, and none where that is foreign', () => {
    fc.assert(
      fc.property(memberships, someId, fc.option(someId, { nil: undefined }), (list, headerId, cookieId) => {
        const decision = decideWorkspace(list, { headerId, cookieId });
        const member = of(list, headerId);
        if (!member) expect(decision.kind).to.equal('no_workspace_context');
        else if (member.suspended) expect(decision.kind).to.equal('member_suspended');
        else expect(decision).to.deep.equal({ kind: 'resolved', membership: member });
      }),
    );
  });

  it('is the one in the cookie, and a foreign cookie changes nothing', () => {
    fc.assert(
      fc.property(memberships, someId, (list, cookieId) => {
        const decision = decideWorkspace(list, { cookieId });
        const member = of(list, cookieId);
        if (!member) expect(decision).to.deep.equal(decideWorkspace(list, {}));
        else if (member.suspended) expect(decision.kind).to.equal('member_suspended');
        else expect(decision).to.deep.equal({ kind: 'resolved', membership: member });
      }),
    );
  });

  it('is the only workspace, or else the most recently used one, where the request names none', () => {
    fc.assert(
      fc.property(memberships, (list) => {
        const decision = decideWorkspace(list, {});
        const usable = list.filter(({ suspended }) => !suspended);
        if (list.length === 0) expect(decision.kind).to.equal('no_workspace_context');
        else if (usable.length === 0) expect(decision.kind).to.equal('member_suspended');
        else {
          expect(decision.kind).to.equal('resolved');
          const latest = Math.max(...usable.map(({ lastUsedMs }) => lastUsedMs));
          if (decision.kind === 'resolved') expect(decision.membership.lastUsedMs).to.equal(latest);
        }
      }),
    );
  });

  it('does not depend on the order in which the memberships are read', () => {
    fc.assert(
      fc.property(memberships, selection, (list, selected) => {
        expect(decideWorkspace(list.toReversed(), selected)).to.deep.equal(decideWorkspace(list, selected));
      }),
    );
  });

  it('is found whatever the case in which its id is written', () => {
    const membership: Membership = {
      workspaceId: '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
      memberId: idOf(1),
      role: 'Viewer',
      suspended: false,
      ownerId: idOf(2),
      lastUsedMs: 0,
      isLatest: true,
    };
    expect(decideWorkspace([membership], { headerId: membership.workspaceId.toUpperCase() })).to.deep.equal({
      kind: 'resolved',
      membership,
    });
  });

  it('is never a guess where none is wanted: the only one that can be used, or none', () => {
    fc.assert(
      fc.property(memberships, (list) => {
        const decision = decideWorkspace(list, { guess: false });
        const usable = list.filter(({ suspended }) => !suspended);
        if (usable.length === 1) expect(decision).to.deep.equal({ kind: 'resolved', membership: usable[0] });
        else
          expect(decision.kind).to.equal(
            list.length > 0 && usable.length === 0 ? 'member_suspended' : 'no_workspace_context',
          );
      }),
    );
  });
});
