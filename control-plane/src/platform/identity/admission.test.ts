import type { Fault } from '@watchpost/shared/fault';
import { expect } from 'chai';
import fc from 'fast-check';
import { type AdmissionRules, hasClaim, requireAdmitted } from './admission.js';
import type { Profile } from './verified-token.js';

const ANYBODY: AdmissionRules = { domains: [], claim: null, contact: null };
const ANN: Profile = { email: 'Ann@Acme.example', emailVerified: true, name: 'Ann' };

function refusal(rules: Partial<AdmissionRules>, profile = ANN, isMachine = false): string | null {
  try {
    requireAdmitted({ ...ANYBODY, ...rules }, profile, isMachine);
    return null;
  } catch (error) {
    expect((error as Fault).code).to.equal('not_invited');
    return (error as Fault).message;
  }
}

describe('Whom an installation admits', () => {
  it('is everybody without rules, whatever the provider reports', () => {
    fc.assert(
      fc.property(fc.option(fc.emailAddress()), fc.boolean(), fc.boolean(), (email, emailVerified, isMachine) => {
        expect(refusal({}, { email, emailVerified, name: null }, isMachine)).to.equal(null);
      }),
    );
  });

  it('is by domain everybody with a verified address of exactly one of them', () => {
    const domains = ['acme.example', 'acme.test'];
    expect(refusal({ domains })).to.equal(null);
    for (const email of [
      'ann@sub.acme.example',
      'ann@evilacme.example',
      'acme.example@evil.example',
      '"a@acme.test"@evil.example',
    ])
      expect(refusal({ domains }, { ...ANN, email }), email).to.include(`and yours is ${email}`);
    expect(refusal({ domains }, { ...ANN, emailVerified: false })).to.include('verified email address');
    expect(refusal({ domains, contact: 'ops@acme.example' }, { ...ANN, emailVerified: false })).to.match(
      /: ask ops@acme\.example\.$/,
    );
  });

  it('asks machine clients, which have no address, for the claim only', () => {
    const machine: Profile = { email: null, emailVerified: false, name: null };
    expect(refusal({ domains: ['acme.example'] }, machine, true)).to.equal(null);
    const claim = { name: 'groups', value: 'watchpost' };
    expect(refusal({ domains: ['acme.example'], claim }, machine, true)).to.include('not among those');
  });

  it('is by claim everybody who has it, and nobody where it is absent', () => {
    const claim = { name: 'groups', value: 'watchpost' };
    expect(refusal({ claim }, { ...ANN, hasRequiredClaim: true })).to.equal(null);
    for (const profile of [ANN, { ...ANN, hasRequiredClaim: false }])
      expect(refusal({ claim }, profile)).to.include('ask its operator');
  });
});

describe('A required claim', () => {
  const required = { name: 'groups', value: 'watchpost' };

  it('is there as a value or in a list, and never as a part of a text', () => {
    for (const groups of ['watchpost', ['a', 'watchpost']]) expect(hasClaim({ groups }, required)).to.equal(true);
    for (const groups of [
      'watchpost-admins',
      'a watchpost',
      ['watchposts'],
      [['watchpost']],
      { watchpost: true },
      null,
    ])
      expect(hasClaim({ groups }, required), JSON.stringify(groups)).to.equal(false);
    expect(hasClaim({}, required)).to.equal(false);
  });

  it('may have dots in its name, or be inside objects', () => {
    expect(
      hasClaim({ 'https://acme.example/groups': ['a'] }, { name: 'https://acme.example/groups', value: 'a' }),
    ).to.equal(true);
    const inside = { name: 'realm_access.roles', value: 'watchpost' };
    expect(hasClaim({ realm_access: { roles: ['watchpost'] } }, inside)).to.equal(true);
    for (const claims of [{ realm_access: null }, { realm_access: 'roles' }, {}])
      expect(hasClaim(claims, inside)).to.equal(false);
    expect(hasClaim({}, { name: 'constructor.name', value: 'Object' })).to.equal(false);
  });
});
