import { expect } from 'chai';
import { Keys } from './names.js';

describe('Keys of a section', () => {
  it('are others for each of many equal names, and for names that look like those', () => {
    const keys = new Keys();
    const given = ['Shop 2', ...Array.from({ length: 50_000 }, () => 'Shop'), 'Shop 2', 'Shop'].map((name) =>
      keys.next(name, 'x'),
    );
    expect(new Set(given)).to.have.property('size', given.length);
    expect(given.slice(0, 3)).to.deep.equal(['shop-2', 'shop', 'shop-3']);
  });
});
