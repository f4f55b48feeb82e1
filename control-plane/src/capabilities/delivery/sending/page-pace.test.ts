import { expect } from 'chai';
import { PAGE_PACES, PagePace } from './page-pace.js';

const lane = (name: string) => ({
  workspaceId: 'w',
  ownerId: 'o',
  lane: name,
  outlet: 'alertMail' as const,
  lease: 'l',
});

describe('The pace of pages', () => {
  const { most, windowMs } = PAGE_PACES.email!;

  it('delays the first mails to a person not at all, and a later one by the window at most', () => {
    const pace = new PagePace();
    let nowMs = 1_000;
    for (let mail = 0; mail < most; mail++) {
      expect(pace.opensAt('email', lane('a'), nowMs)).to.equal(null);
      pace.sent(lane('a'), nowMs);
      nowMs += 10;
    }
    expect(pace.opensAt('email', lane('a'), nowMs)).to.equal(1_000 + windowMs);
    expect(pace.opensAt('email', lane('a'), 1_000 + windowMs)).to.equal(null);
  });
  it('is that of one person, and of mail alone', () => {
    const pace = new PagePace();
    for (let mail = 0; mail < most; mail++) pace.sent(lane('a'), 1_000);
    expect(pace.opensAt('email', lane('b'), 1_000)).to.equal(null);
    expect(pace.opensAt('sms', lane('a'), 1_000)).to.equal(null);
  });
});
