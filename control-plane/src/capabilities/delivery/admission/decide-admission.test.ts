import { expect } from 'chai';
import fc from 'fast-check';
import { decideAdmission } from './decide-admission.js';
import { decideRecipientState, type RecipientStatus } from './decide-recipient-state.js';

const status: fc.Arbitrary<RecipientStatus> = fc.record({
  isPaid: fc.boolean(),
  isMember: fc.boolean(),
  isConfirmed: fc.boolean(),
  isRefused: fc.boolean(),
});
const count = fc.nat({ max: 1_000_000 });
const budgets = fc.record({ mails: count, sms: count, invitations: count, confirmations: count, pingKib: count });
const channel = fc.constantFrom('email' as const, 'sms' as const);

describe('decideRecipientState', () => {
  it('allows only members and confirmed recipients on an unpaid account', () => {
    fc.assert(
      fc.property(status, fc.constantFrom('unpaid' as const, 'always' as const), (one, rule) => {
        const state = decideRecipientState({ ...one, isPaid: false }, rule);
        expect(state === 'allowed').to.equal(one.isMember || (one.isConfirmed && !one.isRefused));
      }),
    );
  });

  it('respects a refusal on every plan', () => {
    fc.assert(
      fc.property(status, fc.constantFrom('unpaid' as const, 'always' as const), (one, rule) => {
        expect(decideRecipientState({ ...one, isMember: false, isRefused: true }, rule)).to.equal('refused');
      }),
    );
  });

  it('asks at least as many people if everybody must confirm', () => {
    fc.assert(
      fc.property(status, (one) => {
        if (decideRecipientState(one, 'always') === 'allowed')
          expect(decideRecipientState(one, 'unpaid')).to.equal('allowed');
        if (!one.isMember && !one.isConfirmed && !one.isRefused && one.isPaid) {
          expect(decideRecipientState(one, 'always')).to.equal('pending');
          expect(decideRecipientState(one, 'unpaid')).to.equal('allowed');
        }
      }),
    );
  });
});

describe('decideAdmission', () => {
  const state = fc.constantFrom('allowed' as const, 'pending' as const, 'refused' as const);

  it('never refuses a page by mail', () => {
    fc.assert(
      fc.property(state, budgets, (one, limits) => {
        expect(decideAdmission('email', 'page', one, limits)).to.deep.equal({ kind: 'mails', most: null });
      }),
    );
  });

  it('refuses everything else to recipients that have not agreed', () => {
    fc.assert(
      fc.property(
        channel,
        fc.constantFrom('alert' as const, 'page' as const),
        state,
        budgets,
        (by, why, one, limits) => {
          fc.pre(one !== 'allowed' && !(by === 'email' && why === 'page'));
          const refusal = one === 'refused' ? 'recipient_refused' : 'recipient_unconfirmed';
          expect(decideAdmission(by, why, one, limits)).to.deep.equal({ refusal });
        },
      ),
    );
  });

  it('leaves pages by SMS as many messages again as alerts can use', () => {
    fc.assert(
      fc.property(budgets, (limits) => {
        expect(decideAdmission('sms', 'alert', 'allowed', limits)).to.deep.equal({ kind: 'sms', most: limits.sms });
        expect(decideAdmission('sms', 'page', 'allowed', limits)).to.deep.equal({ kind: 'sms', most: 2 * limits.sms });
      }),
    );
  });
});
