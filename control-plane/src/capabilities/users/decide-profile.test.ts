import { expect } from 'chai';
import fc from 'fast-check';
import { decideProfile, type KnownProfile } from './decide-profile.js';

const email = fc.constantFrom(null, 'a@example.com', 'A@example.com', 'b@example.com', 'c@example.com');
const name = fc.constantFrom(null, 'Ann', 'Ben');
const asOf = fc.option(
  fc.integer({ min: 0, max: 5 }).map((ms) => new Date(ms)),
  { nil: null },
);
const reported = fc.record({ email, emailVerified: fc.boolean(), name });
const known = fc.record({ email, emailVerified: fc.boolean(), name, emailAsOf: asOf });

describe('the stored profile after a report of the provider', () => {
  it('is the newest verified email, in whatever order the statements arrive', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(100), { minLength: 1, maxLength: 6 }), (times) => {
        const nothing: KnownProfile = { email: null, emailVerified: false, name: null, emailAsOf: null };
        const end = times.reduce((now, ms) => {
          const statement = { email: `ann-${ms}@example.com`, emailVerified: true, name: null };
          return decideProfile(now, statement, new Date(ms)) ?? now;
        }, nothing);
        expect(end.email).to.equal(`ann-${Math.max(...times)}@example.com`);
      }),
    );
  });

  it('never goes from a verified email to one that is not, and never to none', () => {
    fc.assert(
      fc.property(known, reported, asOf, (before, statement, at) => {
        const after = decideProfile(before, statement, at) ?? before;
        if (before.email !== null) expect(after.email).not.to.equal(null);
        if (before.email !== null && before.emailVerified) expect(after.emailVerified).to.equal(true);
      }),
    );
  });

  it('is not changed by the same report again, and keeps a name', () => {
    fc.assert(
      fc.property(known, reported, asOf, (before, statement, at) => {
        const after = decideProfile(before, statement, at) ?? before;
        expect(decideProfile(after, statement, at)).to.equal(null);
        if (before.name !== null) expect(after.name).to.equal(before.name);
      }),
    );
  });

  it('is not the email of an older statement', () => {
    const before = { email: 'new@example.com', emailVerified: true, name: null, emailAsOf: new Date(2) };
    const older = { email: 'old@example.com', emailVerified: true, name: null };
    expect(decideProfile(before, older, new Date(1))).to.equal(null);
    expect(decideProfile(before, older, new Date(2))).to.include({ email: 'old@example.com' });
    expect(decideProfile({ ...before, emailVerified: false }, older, new Date(1))).to.include({ emailVerified: true });
  });
});
