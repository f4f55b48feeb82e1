import { expect } from 'chai';
import type { Database } from '../../../platform/db/database.js';
import { BuildWork } from '../build-work.js';
import { FairLock } from '../fair-lock.js';
import type { PublicPageView } from '../public-page-schemas.js';
import { wholePost } from './post-card.js';

describe('The document of a post', () => {
  it('is rendered update by update, with other work of the process in between', async () => {
    const created = '2026-11-27T10:00:00.000Z';
    const updates = Array.from({ length: 20 }, (_, index) => ({
      status: 'monitoring' as const,
      body: `Update ${index}`,
      created,
    }));
    const post = {
      title: 'Slow',
      body: 'First',
      status: 'monitoring',
      systemIds: [],
      updates,
      created,
      isShortened: false,
    };
    const work = new BuildWork({} as Database, { loop: new FairLock(), database: new FairLock() });
    let slices = 0;
    const slice = work.slice.bind(work);
    work.slice = (compute) => {
      slices++;
      return slice(compute);
    };
    const page = { groups: [] } as unknown as PublicPageView;
    const { text } = await wholePost(page, post as unknown as Parameters<typeof wholePost>[1], work);
    expect(slices).to.be.greaterThan(updates.length);
    const positions = [...updates.map(({ body }) => body), 'First'].map((body) => text.indexOf(`<p>${body}</p>`));
    expect(positions)
      .to.deep.equal(positions.toSorted((a, b) => a - b))
      .and.not.include(-1);
  });
});
