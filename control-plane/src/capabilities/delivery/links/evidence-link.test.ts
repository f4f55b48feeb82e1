import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createSecretBox } from '../../../platform/db/secret-box.js';
import { linkOfToken, tokenOfLink } from './evidence-link.js';

const box = createSecretBox(randomBytes(32));
const tokenOf = (id: string) => tokenOfLink(box, id);

describe('The link to the evidence of an incident', () => {
  it('has one short token that is always the same', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (id, other) => {
        const token = tokenOf(id);
        expect(token).to.match(/^[\w-]{43}$/);
        expect(tokenOf(id)).to.equal(token);
        expect(linkOfToken(box, token)).to.equal(id);
        if (other !== id) expect(tokenOf(other)).to.not.equal(token);
      }),
    );
  });

  it('cannot be forged, changed, shortened, lengthened or encoded differently', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.nat({ max: 42 }),
        fc.constantFrom('a', 'b', 'X', 'Y', '0', '9', '-', '_'),
        (id, at, char) => {
          const token = tokenOf(id);
          const changed = token.slice(0, at) + char + token.slice(at + 1);
          if (changed !== token) expect(linkOfToken(box, changed)).to.equal(undefined);
          for (const made of [token.slice(0, -1), `${token}A`, `${token}=`, `${token}==`, ` ${token}`, `${token}/`])
            expect(linkOfToken(box, made), made).to.equal(undefined);
        },
      ),
    );
    fc.assert(fc.property(fc.string(), (text) => linkOfToken(box, text) === undefined));
    expect(linkOfToken(createSecretBox(randomBytes(32)), tokenOf('01a1fdfa-4600-760e-914b-5414a73c0fcd'))).to.equal(
      undefined,
    );
  });
});
