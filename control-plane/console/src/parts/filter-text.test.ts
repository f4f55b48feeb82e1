import { expect } from 'chai';
import {
  filterOfQuery,
  filterText,
  pairTexts,
  parseFilter,
  queryOfFilter,
  termFault,
  toggleTerm,
} from './filter-text.js';

const NAMES = ['tag', 'status'];

describe('The filter box', () => {
  it('distinguishes pairs from words, and a pair may have a colon in its value', () => {
    expect(parseFilter('tag:team:web status:unavailable check out', NAMES)).to.deep.equal({
      search: 'check out',
      terms: { tag: ['team:web'], status: ['unavailable'] },
    });
  });

  it('searches a pasted URL and a pair with an unknown name as they are', () => {
    expect(parseFilter('https://example.org foo:bar tag:', NAMES)).to.deep.equal({
      search: 'https://example.org foo:bar tag:',
      terms: {},
    });
  });

  it('reads names in any case, quoted values, and a repeated pair once', () => {
    expect(parseFilter('TAG:"a b" tag:"a b" tag:c', NAMES)).to.deep.equal({
      search: '',
      terms: { tag: ['a b', 'c'] },
    });
  });

  it('suggests pairs as they are read, values with blanks quoted', () => {
    expect(pairTexts({ tag: ['a', 'b c'] })).to.deep.equal(['tag:a', 'tag:"b c"']);
  });

  it('survives the way into the address and back, and leaves the rest of the query', () => {
    const filter = parseFilter('tag:a tag:b status:unavailable shop', NAMES);
    const query = queryOfFilter(new URLSearchParams('sort=name&page=3&tag=old'), filter, NAMES);
    expect(query.toString()).to.equal('sort=name&tag=a&tag=b&status=unavailable&search=shop');
    expect(filterOfQuery(query, NAMES)).to.deep.equal(filter);
    expect(parseFilter(filterText(filter), NAMES)).to.deep.equal(filter);
  });

  it('gets a value by a facet, which takes the place of another where a thing has one, and loses it by the same', () => {
    const filter = { search: 'shop', terms: { tag: ['a'], status: ['paused'] } };
    const both = toggleTerm(filter, 'tag', 'b', true);
    expect(both).to.deep.equal({ search: 'shop', terms: { status: ['paused'], tag: ['a', 'b'] } });
    expect(toggleTerm(both, 'tag', 'B', true)).to.deep.equal(filter);
    expect(toggleTerm(filter, 'status', 'unknown', false).terms).to.deep.equal({ tag: ['a'], status: ['unknown'] });
    expect(toggleTerm(filter, 'status', 'paused', false).terms).to.deep.equal({ tag: ['a'] });
  });

  it('explains which values nothing can have, in any case of the letters', () => {
    expect(termFault('A monitor', 'type', ['HTTP'], ['http', 'dns'])).to.equal(undefined);
    expect(termFault('A monitor', 'type', ['ftp'], ['http', 'dns'])).to.equal(
      'There is no type "ftp". Known: http, dns.',
    );
    expect(termFault('A monitor', 'type', ['http', 'dns'], ['http', 'dns'])).to.equal(
      'A monitor has one type: http and dns exclude each other.',
    );
  });
});
