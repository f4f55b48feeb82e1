import { expect } from 'chai';
import fc from 'fast-check';
import { ByteSearch } from './byte-search.js';

const bytes = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 40 });

describe('the search for bytes in parts', () => {
  it('finds what the joined parts contain, however they are split', () => {
    fc.assert(
      fc.property(
        bytes.filter((wanted) => wanted.length <= 6),
        fc.array(bytes, { maxLength: 6 }),
        (wanted, parts) => {
          const search = new ByteSearch(Buffer.from(wanted));
          let found = false;
          for (const part of parts) found = search.push(Buffer.from(part)) || found;
          expect(found).to.equal(
            parts.length > 0 && Buffer.concat(parts.map((part) => Buffer.from(part))).includes(Buffer.from(wanted)),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
