import { expect } from 'chai';
import { compareEdits, mergeEdits } from './compare-edits.js';

describe('Two edits of the same object', () => {
  const base = { name: 'Shop', url: 'https://a.example', http: { method: 'GET', followRedirects: true }, tags: ['a'] };

  it('conflict only in fields that both changed to different values', () => {
    const mine = { ...base, name: 'Web shop', url: 'https://b.example', http: { ...base.http, method: 'HEAD' } };
    const theirs = { ...base, name: 'Store', http: { method: 'POST', followRedirects: false }, tags: ['b'] };
    expect(compareEdits(base, mine, theirs)).to.deep.equal([
      { path: 'name', mine: 'Web shop', theirs: 'Store' },
      { path: 'http.method', mine: 'HEAD', theirs: 'POST' },
    ]);
  });

  it('do not conflict where both made the same change', () => {
    expect(compareEdits(base, { ...base, tags: ['c'] }, { ...base, tags: ['c'] })).to.deep.equal([]);
  });

  it('are joined so that each field is as the one who changed it left it', () => {
    const mine = { ...base, name: 'Web shop', http: { ...base.http, method: 'HEAD' } };
    const theirs = { ...base, name: 'Store', http: { ...base.http, followRedirects: false }, tags: ['b'] };
    const joined = { ...base, http: { method: 'HEAD', followRedirects: false }, tags: ['b'] };
    expect(mergeEdits(base, mine, theirs, 'mine')).to.deep.equal({ ...joined, name: 'Web shop' });
    expect(mergeEdits(base, mine, theirs, 'theirs')).to.deep.equal({ ...joined, name: 'Store' });
  });
});
