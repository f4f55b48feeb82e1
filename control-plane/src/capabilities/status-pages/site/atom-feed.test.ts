import { expect } from 'chai';
import type { Database } from '../../../platform/db/database.js';
import { BuildWork } from '../build-work.js';
import { FairLock } from '../fair-lock.js';
import type { PublicPageView, PublicPost } from '../public-page-schemas.js';
import { atomFeed } from './atom-feed.js';

const UPDATED = Date.UTC(2026, 10, 27);

/** @param index 0 is the newest */
function makePost(index: number): PublicPost {
  const moment = new Date(UPDATED - index * 1_000).toISOString();
  const updates = [
    { status: 'monitoring', body: `Update of ${index}`, created: moment },
    { status: 'identified', body: null, created: moment },
  ];
  const post = { id: `post-${index}`, title: `Post ${index}`, body: `Body of ${index}`, status: 'monitoring', updates };
  const dates = { created: moment, lastModified: moment, scheduledStart: null, scheduledEnd: null };
  return { ...post, ...dates, systemIds: [] } as unknown as PublicPost;
}

function makeView(posts: PublicPost[], shortenedPosts: string[] = []): PublicPageView {
  const view = { name: 'Acme', groups: [], activePosts: posts, history: null, shortenedPosts: new Set(shortenedPosts) };
  return view as unknown as PublicPageView;
}

describe('The feed of a status page', () => {
  let work: BuildWork;
  let slices: number;

  beforeEach(() => {
    work = new BuildWork({} as Database, { loop: new FairLock(), database: new FairLock() });
    slices = 0;
    const slice = work.slice.bind(work);
    work.slice = (compute) => {
      slices++;
      return slice(compute);
    };
  });

  it('renders the texts of the newest 50 posts alone, each in a slice of its own', async () => {
    const posts = Array.from({ length: 60 }, (_, index) => makePost(index));
    const feed = await atomFeed('https://watchpost.example', 'acme', makeView(posts.toReversed()), work);
    const titles = [...feed.matchAll(/<title>Post (\d+) /g)].map(([, index]) => Number(index));
    expect(titles).to.deep.equal(Array.from({ length: 50 }, (_, index) => index));
    expect(slices, 'two texts and the entry').to.equal(50 * 3);
  });

  it('links to the whole post where text is left out', async () => {
    const view = makeView([makePost(0), makePost(1)], ['post-1']);
    const feed = await atomFeed('https://watchpost.example', 'acme', view, work);
    const [whole, shortened] = feed.split('<entry>').slice(1);
    expect(whole).not.to.include('Read all of it');
    expect(shortened).to.include(
      'href=&quot;https://watchpost.example/status/acme/posts/post-1&quot;&gt;Read all of it&lt;/a&gt;',
    );
  });
});
