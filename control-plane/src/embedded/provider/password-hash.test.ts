import { expect } from 'chai';
import { hashPassword, verifyPassword } from './password-hash.js';

describe('A password', () => {
  it('is known again by its hash, another one is not, and two hashes of one differ', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).to.not.equal(other);
    expect(one).to.not.include('horse');
    expect(await verifyPassword('correct horse', one)).to.equal(true);
    expect(await verifyPassword('correct horsf', one)).to.equal(false);
    expect(await verifyPassword('', one)).to.equal(false);
    expect(await verifyPassword('correct horse', 'plain')).to.equal(false);
  });
});
