import { expect } from 'chai';
import fc from 'fast-check';
import { isOtherToken } from './decide-token-kind.js';

const ACCESS = { iss: 'https://issuer.example', sub: 'ann', aud: 'api', scope: 'monitor.read' };

describe('Which tokens are access tokens', () => {
  it('a token without marks is one, whatever plain typ it has', () => {
    for (const typ of [undefined, 'JWT', 'at+jwt', 'application/at+jwt', 'AT+JWT', 'anything'])
      expect(isOtherToken({ typ }, ACCESS), String(typ)).to.equal(false);
  });

  it('a token whose typ names another kind of JWT is none', () => {
    for (const typ of ['logout+jwt', 'dpop+jwt', 'application/secevent+jwt', 'id+jwt'])
      expect(isOtherToken({ typ }, ACCESS), typ).to.equal(true);
  });

  it('a token with a mark of an ID token is no access token, unless it is declared as one', () => {
    fc.assert(
      fc.property(fc.constantFrom('nonce', 'at_hash', 'c_hash', 's_hash'), fc.string(), (name, value) => {
        const claims = { ...ACCESS, [name]: value };
        expect(isOtherToken({ typ: 'JWT' }, claims)).to.equal(true);
        expect(isOtherToken({ typ: 'at+jwt' }, claims)).to.equal(false);
        expect(isOtherToken({ typ: 'JWT' }, { ...claims, typ: 'Bearer' })).to.equal(false);
        expect(isOtherToken({ typ: 'JWT' }, { ...claims, typ: 'ID' })).to.equal(true);
      }),
    );
  });

  it('a token for its own client is none where it grants nothing', () => {
    const { scope, ...bare } = ACCESS;
    expect(isOtherToken({}, { ...bare, azp: 'api' })).to.equal(true);
    expect(isOtherToken({}, { ...bare, azp: 'api', aud: ['api'] })).to.equal(true);
    expect(isOtherToken({}, { ...bare, azp: 'api', scope })).to.equal(false);
    expect(isOtherToken({}, { ...bare, azp: 'api', roles: [] })).to.equal(false);
    expect(isOtherToken({}, { ...bare, azp: 'console' }), 'issued to another client').to.equal(false);
    expect(isOtherToken({}, bare)).to.equal(false);
  });
});
