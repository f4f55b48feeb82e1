import { expect } from 'chai';
import { decideLookAlikes, FEWEST_ALIKE, type SiteAnswer } from './decide-look-alikes.js';

const answers = (count: number, of: (index: number) => Partial<SiteAnswer> = () => ({})): SiteAnswer[] =>
  Array.from({ length: count }, (_, index) => ({
    owner: `owner ${index}`,
    site: `site-${index}.test`,
    network: `203.0.${index}.0/24`,
    digest: 7,
    ...of(index),
  }));

describe('Answers of failing sites', () => {
  it('look alike where enough unrelated sites give the same', () => {
    expect(decideLookAlikes(answers(FEWEST_ALIKE))).to.deep.equal([7]);
    expect(decideLookAlikes(answers(FEWEST_ALIKE - 1))).to.deep.equal([]);
    expect(decideLookAlikes(answers(20, (index) => ({ digest: index })))).to.deep.equal([]);
  });

  it('do not where the sites are of few owners, in one network, or of one domain, however many there are', () => {
    for (const same of [{ network: '203.0.113.0/24' }, { site: 'shop.test' }])
      expect(decideLookAlikes(answers(600, () => same))).to.deep.equal([]);
    expect(decideLookAlikes(answers(600, (index) => ({ owner: `owner ${index % (FEWEST_ALIKE - 1)}` })))).to.deep.equal(
      [],
    );
  });
});
