import { expect } from 'chai';
import { BuiltPage } from './built-page.js';
import type { PublicPageView, PublicPost } from './public-page-schemas.js';

describe('A built status page', () => {
  it('counts the text of its posts as memory, of open and of resolved ones', () => {
    const bytesWith = (length: number) => {
      const text = 'é'.repeat(length);
      const updates = [{ body: text }, { body: null }];
      const post = { body: text, updates } as unknown as PublicPost;
      const upcomingMaintenance = [{ description: text }];
      const news = { activePosts: [post], history: [{ post }, { post: null }], upcomingMaintenance };
      const view = { groups: [], timelines: [], ...news } as unknown as PublicPageView;
      return new BuiltPage(view, { startedMs: 0, untilMs: 1 }, () => Promise.reject(new Error('not built'))).bytes;
    };
    const texts = 5;
    expect(bytesWith(20_000) - bytesWith(0)).to.be.at.least(texts * 20_000);
  });
});
