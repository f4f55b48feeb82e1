import { expect } from 'chai';
import { entityTag } from './entity-tag.js';
import { fixedJson } from './fixed-json.js';

describe('a JSON document that is the same for all callers', () => {
  it('is made at the first request and answered with the tag of its content from then on', () => {
    let made = 0;
    const answer = fixedJson(() => ({ made: ++made }));
    expect(made).to.equal(0);
    const first = answer();
    expect(String(first.body)).to.equal('{"made":1}');
    expect(first.headers).to.include({ ETag: entityTag({ made: 1 }) });
    expect(answer()).to.equal(first);
    expect(made).to.equal(1);
  });
});
