import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { challengeFault, digestAuthorization, digestChallenges } from './digest.js';

const MUFASA = {
  username: 'Mufasa',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  count: 1,
};
const answerTo = (header: string, request: Partial<typeof MUFASA> = {}) => {
  const [challenge] = digestChallenges([header]);
  expect(challengeFault(challenge!)).to.equal(null);
  return digestAuthorization(challenge!, { ...MUFASA, ...request });
};

describe('an answer to a challenge of Digest', () => {
  it('is that of the examples of RFC 7616', () => {
    const challenge = (algorithm: string) =>
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
      'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
    expect(answerTo(challenge('SHA-256'))).to.equal(
      'Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
        'uri="/dir/index.html", response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", algorithm=SHA-256, ' +
        'qop=auth, nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    );
    expect(answerTo(challenge('MD5'))).to.include('response="8ca523f5e9506fed4657c9700eebdbec", algorithm=MD5');
  });

  it('has the hashed name of the example with SHA-512-256, as erratum 4897 has it', () => {
    const answer = answerTo(
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, userhash=true, ' +
        'nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGChXYjwrI2QmXDnsOS1"',
      {
        username: 'Jäsøn Doe',
        password: 'Secret, or not?',
        uri: '/doe.json',
        cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm',
      },
    );
    expect(answer).to.include('username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"');
  });

  it('is that of RFC 2069 where the challenge has no qop', () => {
    const nonce = 'dcd98b7102dd2f0e8b11d0f600bfb0c093';
    const answer = answerTo(`Digest realm="testrealm@host.com", nonce="${nonce}"`, { password: 'CircleOfLife' });
    expect(answer).to.equal(
      `Digest username="Mufasa", realm="testrealm@host.com", nonce="${nonce}", uri="/dir/index.html", response="1949323746fe6a43ef61f9606e7febea"`,
    );
  });

  it('takes the nonces into the secret with -sess, and counts the nonce in hex', () => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    const secret = sha(`${sha('Mufasa:r:Circle of Life')}:n:${MUFASA.cnonce}`);
    const response = sha(`${secret}:n:0000001f:${MUFASA.cnonce}:auth:${sha('GET:/dir/index.html')}`);
    const answer = answerTo('Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256-sess', { count: 31 });
    expect(answer).to.include(`response="${response}"`).and.include('nc=0000001f');
  });

  it('writes a name beyond ASCII as RFC 8187 has it', () => {
    expect(answerTo('Digest realm="r", nonce="n"', { username: 'Jäsøn' })).to.include(
      "username*=UTF-8''J%C3%A4s%C3%B8n",
    );
  });
});

describe('the challenges of a server', () => {
  it('are found among those of other schemes, in one header or several, in their order', () => {
    const found = digestChallenges([
      'Basic realm="a, Digest b", Digest realm="x\\"y", nonce=1 , algorithm=SHA-256,DIGEST realm=z,nonce="2"',
      'Negotiate YII==, Bearer',
    ]);
    expect(found.map((challenge) => Object.fromEntries(challenge))).to.deep.equal([
      { realm: 'x"y', nonce: '1', algorithm: 'SHA-256' },
      { realm: 'z', nonce: '2' },
    ]);
  });

  it('that cannot be met have a reason', () => {
    const faultOf = (header: string) => challengeFault(digestChallenges([header])[0]!);
    expect(faultOf('Digest realm=r, nonce=n, algorithm=TIGER')).to.equal('it asks for the algorithm TIGER');
    expect(faultOf('Digest realm=r, nonce=n, algorithm=constructor')).to.equal('it asks for the algorithm constructor');
    expect(faultOf('Digest realm=r, nonce=n, qop="auth-int"')).to.equal('it asks for the protection auth-int');
    expect(faultOf('Digest realm=r')).to.equal('its challenge has no realm or no nonce');
    expect(faultOf('Digest realm=r, nonce="a\u0001"')).to.equal('its challenge has control characters');
  });

  it('never break out of the header of the answer, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (realm, nonce) => {
        const escaped = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
        const [challenge] = digestChallenges([`Digest realm=${escaped(realm)}, nonce=${escaped(nonce)}`]);
        if (!challenge || challengeFault(challenge) !== null) return;
        expect(challenge.get('realm')).to.equal(realm);
        const [again] = digestChallenges([digestAuthorization(challenge, MUFASA)]);
        expect([again!.get('realm'), again!.get('nonce')]).to.deep.equal([realm, nonce]);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', ' ', '=', ',', 'a', 'Digest ') }),
        (text) => void digestChallenges([text]),
      ),
    );
  });

  it('cost linear time', () => {
    // So long that a search which is not linear would take many minutes.
    for (const text of [' ', 'a ', '"', 'a="', '\\"', 'a = ', 'a="\\"'])
      expect(digestChallenges([text.repeat(500_000)]), text).to.deep.equal([]);
  });
});
