import { expect } from 'chai';
import fc from 'fast-check';
import { redactBody, redactText, secretValues } from './redact-text.js';

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

  it('has nothing that a monitor sends as its secrets, whole or in part, however often', () => {
    const basic = Buffer.from('robot:hunter2!').toString('base64');
    const secrets = secretValues({
      authorization: `Basic ${basic}`,
      'x-api-key': 'k-9f8e7d',
      cookie: 'sid=abcdef; theme=dark1',
    });
    for (const given of [
      `Basic ${basic}`,
      basic,
      'robot:hunter2!',
      'hunter2!',
      'k-9f8e7d',
      'sid=abcdef; theme=dark1',
      'abcdef',
    ])
      for (const text of [given, `you sent ${given}, and again ${given}.`])
        expect(redactText(text, secrets), text).to.not.include(given);
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (value, before, after) => {
        const known = secretValues({ authorization: value });
        for (const secret of known.filter((one) => !'***'.includes(one)))
          expect(redactText(before + secret + after, [secret])).to.not.equal(before + secret + after);
      }),
    );
  });

  it('keeps text as it is where there is nothing to hide', () => {
    expect(secretValues({})).to.deep.equal([]);
    expect(secretValues({ 'x-api-key': 'abc' }), 'too short to be found').to.deep.equal([]);
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

  it('comes to an end with any text', () => {
    for (const text of ['a'.repeat(2_048), 'a:/'.repeat(700), 'password'.repeat(256), '?token'.repeat(340)])
      expect(redactBody(text, ['zzzz'])).to.equal(text);
    expect(redactBody('cookie: "'.repeat(220), [])).to.be.a('string');
  });
});
