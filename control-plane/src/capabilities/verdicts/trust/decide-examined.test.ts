import { expect } from 'chai';
import { isShareExamined } from './decide-examined.js';

describe('Whether a region is examined', () => {
  /** Failures of owners, each of one site of a hundred. */
  const ofOwners = (count: number, ownerSites = 100) =>
    Array.from({ length: count }, (_, index) => ({ owner: `owner ${index}`, site: `${index}.test`, ownerSites }));

  it('depends on the share of failing sites, with the same weight for every owner', () => {
    expect(isShareExamined(ofOwners(100), 50)).to.equal(true);
    expect(isShareExamined(ofOwners(99), 50)).to.equal(false);
    expect(isShareExamined(ofOwners(100), 51)).to.equal(false);
    expect(isShareExamined(ofOwners(10, 10), 50)).to.equal(true);
  });

  it('counts a site once, however many monitors of it fail', () => {
    const five = ofOwners(5, 20);
    expect(isShareExamined([...five, ...five, ...five], 13)).to.equal(false);
    expect(isShareExamined([...five, ...five.map((each) => ({ ...each, site: `www.${each.site}` }))], 13)).to.equal(
      true,
    );
  });

  it('takes no owner for more than one, and needs five of them', () => {
    const many = Array.from({ length: 90 }, (_, index) => ({ owner: 'one', site: `${index}.test`, ownerSites: 2 }));
    expect(isShareExamined([...many, ...ofOwners(3, 0)], 1)).to.equal(false);
    expect(isShareExamined([...many, ...ofOwners(4, 0)], 250)).to.equal(true);
    expect(isShareExamined([...many, ...ofOwners(4, 0)], 251)).to.equal(false);
  });
});
