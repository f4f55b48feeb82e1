import { expect } from 'chai';
import { addressWith, pageOf, paramsOf } from './address.js';

describe('The address of a screen', () => {
  it('changes the named parameters and keeps the others, repeated ones too', () => {
    expect(addressWith('/console/w/1/monitors?tag=a&tag=b&page=3', { sort: 'name', page: undefined })).to.equal(
      '/console/w/1/monitors?tag=a&tag=b&sort=name',
    );
    expect(addressWith('/monitors?search=a+b', { search: 'ä&=' })).to.equal('/monitors?search=%C3%A4%26%3D');
  });

  it('has no question mark once nothing is left of the query', () => {
    expect(addressWith('/monitors?page=2&to=x#results', { page: undefined, to: '' })).to.equal('/monitors');
  });

  it('names a page of a list, and the first one where it names none', () => {
    const pages = ['page=3', 'page=2.9', '', 'page=', 'page=0', 'page=-4', 'page=x', 'page=NaN'];
    expect(pages.map((query) => pageOf(paramsOf(`/monitors?${query}`)))).to.deep.equal([3, 2, 1, 1, 1, 1, 1, 1]);
  });
});
