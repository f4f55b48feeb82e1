import { expect } from 'chai';
import { loadInPage } from './load-in-page.js';

describe('A draft', () => {
  it('is kept for its workspace, and that of the own profile for all of them', async () => {
    const [drafts, { workspaceId }] = await loadInPage(() =>
      Promise.all([import('./drafts.js'), import('./session.js')]),
    );
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => kept.set(key, text),
      removeItem: (key: string) => kept.delete(key),
    };
    const own = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
    Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true });
    const read = (name: string) => drafts.readDraft(drafts.draftKey(name));
    try {
      workspaceId.value = 'a';
      for (const name of ['new-monitor ', 'profile']) drafts.keepDraft(drafts.draftKey(name), { name });
      workspaceId.value = 'b';
      expect(read('new-monitor ')).to.equal(undefined);
      expect(read('profile')).to.deep.equal({ name: 'profile' });
      drafts.dropDraft(drafts.draftKey('new-monitor '));
      workspaceId.value = 'a';
      expect(read('new-monitor ')).to.deep.equal({ name: 'new-monitor ' });
    } finally {
      workspaceId.value = '';
      Reflect.deleteProperty(globalThis, 'sessionStorage');
      if (own !== undefined) Object.defineProperty(globalThis, 'sessionStorage', own);
    }
  });
});
