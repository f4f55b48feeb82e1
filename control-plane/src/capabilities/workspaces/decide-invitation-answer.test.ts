import { expect } from 'chai';
import type { Fault } from '@watchpost/shared/fault';
import { requireAnswerable, requireOpen, statusAt } from './decide-invitation-answer.js';

const EXPIRES = Date.UTC(2026, 10, 28, 12);
const invitation = (status: Parameters<typeof statusAt>[0]['status'] = 'pending') => ({
  email: 'ann@example.com',
  status,
  expiresAt: new Date(EXPIRES),
});
const ann = { email: 'Ann@Example.com', emailVerified: true };
const refusal = (...args: Parameters<typeof requireAnswerable>): string | undefined => {
  try {
    requireAnswerable(...args);
    return undefined;
  } catch (error) {
    return (error as Fault).code;
  }
};

describe('An answer to an invitation', () => {
  it('is taken from the one invited, in whatever case the email is written', () => {
    expect(refusal(invitation(), ann, EXPIRES - 1)).to.equal(undefined);
  });

  it('is taken to the last millisecond, and not after it', () => {
    expect(refusal(invitation(), ann, EXPIRES)).to.equal('invitation_expired');
    expect(statusAt(invitation(), EXPIRES)).to.equal('expired');
    expect(statusAt(invitation('accepted'), EXPIRES)).to.equal('accepted');
  });

  it('is not taken from another verified email, which learns nothing about the invitation', () => {
    const bob = { email: 'bob@example.com', emailVerified: true };
    for (const status of ['pending', 'accepted', 'declined', 'revoked'] as const) {
      expect(refusal(invitation(status), bob, EXPIRES)).to.equal('not_invited');
    }
  });

  it('is accepted from a person without a verified email, because the token proves that it reached them', () => {
    expect(refusal(invitation(), { email: 'bob@example.com', emailVerified: false }, 0)).to.equal(undefined);
    expect(refusal(invitation(), { email: null, emailVerified: true }, 0)).to.equal(undefined);
  });

  it('is given once', () => {
    for (const status of ['accepted', 'declined', 'revoked'] as const) {
      expect(refusal(invitation(status), ann, 0)).to.equal('invitation_not_pending');
    }
  });
});

describe('A change of an invitation', () => {
  it('is refused once it was answered or revoked, and never for having expired', () => {
    for (const status of ['pending', 'expired'] as const) expect(() => requireOpen(status)).not.to.throw();
    for (const status of ['accepted', 'declined', 'revoked'] as const) {
      expect(() => requireOpen(status)).to.throw(`This invitation is ${status}: invite the address again.`);
    }
  });
});
