import { expect } from 'chai';
import fc from 'fast-check';
import { likelySecrets, redactBody, redactText } from './redact-text.js';

const askedWith = (query: string) => ({ url: `https://shop.example/?${query}`, headers: {}, body: null });

describe('what is shown of texts from the outside', () => {
  it('has no credentials of URLs', () => {
    const shown = (text: string) => redactText(text, []);
    expect(shown('It redirects to https://ann:s3cret@shop.example/a?b=1.')).to.equal(
      'It redirects to https://***@shop.example/a?b=1.',
    );
    expect(shown('https://shop.example/?token=abc&page=2&X-Amz-Signature=f00#x')).to.equal(
      'https://shop.example/?token=***&page=2&X-Amz-Signature=***#x',
    );
    expect(shown('https://shop.example/a@b and ann@example.com: nobody gets in by that')).to.equal(
      'https://shop.example/a@b and ann@example.com: nobody gets in by that',
    );
  });

  it('keeps text as it is where there is nothing to hide', () => {
    expect(likelySecrets(askedWith(''))).to.deep.equal([]);
    expect(likelySecrets(askedWith('api_key=abcdefg')), 'too short to be found').to.deep.equal([]);
    expect(redactBody('out of order\n', [])).to.equal('out of order\n');
    expect(redactBody('Forgot your password? Read about cookies.', [])).to.equal(
      'Forgot your password? Read about cookies.',
    );
  });

  it('has no request headers that a fault page lists, those of another day too', () => {
    const shown = redactBody(
      'Authorization: Bearer of-yesterday\n"cookie" => "sid=1"\nHTTP_X_API_KEY = k1\nx-api-key=k2\nServer: nginx',
      [],
    );
    for (const secret of ['of-yesterday', 'sid=1', 'k2']) expect(shown).to.not.include(secret);
    expect(shown).to.include('Server: nginx');
  });

  it('has no parameter of a URL that lets somebody in, however its name and the URL are written', () => {
    for (const text of [
      'https://shop.example/?api_key=t0p-s3cret',
      'https://shop.example/?page=2&subscription-key=t0p-s3cret',
      'https://shop.example/#access_token=t0p-s3cret',
      '<a href="/?a=1&amp;token=t0p-s3cret">',
      String.raw`{"next":"/?a=1\u0026accessKey=t0p-s3cret"}`,
      'https://ann:p@t0p-s3cret@shop.example/',
      'https://shop.example/?passwd=t0p-s3cret',
    ])
      expect(redactText(text, []), text).to.not.include('t0p-s3cret');
    expect(redactText('https://shop.example/?monkey=1&keyword=shoes', [])).to.equal(
      'https://shop.example/?monkey=1&keyword=shoes',
    );
  });

  it('has no beginning of a secret where the text was cut', () => {
    const secrets = likelySecrets(askedWith('token=abcdefghijklmnop'));
    expect(redactText('you sent abcdefghijklmno', secrets)).to.equal('you sent ***');
    expect(redactText('you sent abcdefghijklmno, and more', secrets), 'not cut').to.include('abcd');
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.nat(), (secret, cut) => {
        const begun = secret.slice(0, 4 + (cut % (secret.length - 3)));
        expect(redactText(`sent\n${begun}`, [secret])).to.equal('sent\n***');
      }),
    );
  });

  it('has no secret that is written as pages, URLs or JSON write it', () => {
    const secret = 'a+b/c"d&e=<f>';
    const secrets = likelySecrets(askedWith(`api_key=${encodeURIComponent(secret)}`));
    for (const text of [
      secret,
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      JSON.stringify(secret).slice(1, -1),
      'a+b/c&quot;d&amp;e=&lt;f&gt;',
    ])
      expect(redactText(`sent ${text}!`, secrets), text).to.equal('sent ***!');
  });

  it('has nothing of how the monitor asks that has the name of a secret, though it is not kept as one', () => {
    const secrets = likelySecrets({
      url: 'https://shop.example/health?api_key=url%2Dsecret&page=homepage1',
      headers: { 'X-Credential': 'glpat-header', Accept: 'text/html-only', Authorization: '***' },
      body: '{"user":"monitoring","password":"hunter2-body"}',
    });
    const text = 'url%2Dsecret url-secret glpat-header hunter2-body text/html-only monitoring homepage1 ***';
    expect(redactText(text, secrets)).to.equal('*** *** *** *** text/html-only monitoring homepage1 ***');
    const form = { url: 'https://shop.example/', headers: {}, body: 'user=ann&password=hunter2-form&x=1' };
    expect(redactText('got hunter2-form', likelySecrets(form))).to.equal('got ***');
    expect(likelySecrets({ ...form, body: 'password=shop' }), 'a word').to.deep.equal([]);
  });

  it('has no request headers in dumps, tables and JSON inside of JSON', () => {
    for (const text of [
      '[HTTP_AUTHORIZATION] => Bearer of-yesterday',
      '<tr><td>HTTP_AUTHORIZATION</td>\n<td class="code"><pre>Bearer of-yesterday</pre></td></tr>',
      String.raw`{\"authorization\": \"Bearer of-yesterday\"}`,
      '&quot;authorization&quot;: &quot;Bearer of-yesterday&quot;',
      'Authorization: Digest username="ann", response="of-yesterday"',
      'Cookie: a=1&b=of-yesterday, c',
      'private-token: of-yesterday',
    ])
      expect(redactBody(text, []), text).to.not.include('of-yesterday');
    expect(redactBody('<label>Password</label> <p>Out of order</p>', [])).to.include('Out of order');
  });

  it('searches for so many values at most, the longest, however many a URL has', () => {
    const query = Array.from({ length: 2_000 }, (_, index) => `token=${'('.repeat(8)}${index}`).join('&');
    const secrets = likelySecrets(askedWith(`${query}&api_key=long-enough-to-be-kept`));
    expect(secrets.length).to.be.at.most(300);
    expect(redactText('long-enough-to-be-kept', secrets)).to.equal('***');
  });

  it('comes to an end with any text', () => {
    for (const text of [
      'a'.repeat(2_048),
      'a:/'.repeat(700),
      'password'.repeat(256),
      '?token'.repeat(340),
      'a.'.repeat(32_768),
      'cookie'.repeat(8_000),
    ])
      expect(redactBody(text, ['zzzz'])).to.equal(text);
    expect(redactBody('cookie: "'.repeat(220), [])).to.be.a('string');
  });
});
