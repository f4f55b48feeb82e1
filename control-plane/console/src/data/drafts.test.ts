import { isSecretSetting } from '@watchpost/shared/secrets/secret-header';
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

  describe('of a form with secrets', () => {
    const before = {
      url: 'https://shop.example/',
      http: {
        headers: { Accept: '*/*', 'X.Api.Key': '***' } as Record<string, string>,
        auth: { type: 'basic', username: 'robot', password: '***' } as Record<string, string> | null,
        variables: {} as Record<string, unknown>,
        steps: [] as unknown[],
      },
    };
    const typed = structuredClone(before);
    Object.assign(typed.http.headers, { 'X.Api.Key': 'k-1', Cookie: 'c-1', 'X-Token': '{{token}}' });
    Object.assign(typed.http.auth!, { username: 'other', password: 'p-1' });
    typed.http.variables = { shop: 'a', pin: { secret: 's-1' } };
    typed.http.steps = [
      { name: 'Sign in', headers: { Authorization: 'Bearer b-1' }, auth: { type: 'bearer', token: 't-1' } },
    ];

    it('has none that was typed, and one that is stored is masked again', async () => {
      const { draftOf } = await loadInPage(() => import('./drafts.js'));
      const { values, leftOut } = draftOf(typed, before, isSecretSetting);
      expect(JSON.parse(JSON.stringify(values))).to.deep.equal({
        url: before.url,
        http: {
          headers: { Accept: '*/*', 'X.Api.Key': '***', 'X-Token': '{{token}}' },
          auth: { type: 'basic', username: 'other', password: '***' },
          variables: { shop: 'a', pin: {} },
          steps: [{ name: 'Sign in', headers: {}, auth: { type: 'bearer' } }],
        },
      });
      expect(leftOut.map((path) => path.join(' '))).to.deep.equal([
        'http headers X.Api.Key',
        'http headers Cookie',
        'http auth password',
        'http variables pin secret',
        'http steps 0 headers Authorization',
        'http steps 0 auth token',
      ]);
      expect(JSON.stringify(draftOf(typed, typed, isSecretSetting).values)).not.to.match(/[a-z]-1/);
    });

    it('misses those that are not typed again', async () => {
      const { draftOf, missingOf } = await loadInPage(() => import('./drafts.js'));
      const draft = draftOf(typed, before, isSecretSetting);
      const again = structuredClone(draft.values);
      expect(missingOf(draft, again)).to.have.length(6);
      Object.assign(again.http.headers, { 'X.Api.Key': 'k-2' });
      Object.assign(again.http.auth!, { password: 'p-2' });
      expect(missingOf(draft, again)).to.have.length(4);
      again.http.steps = [];
      expect(missingOf(draft, again)).to.have.length(2);
    });
  });
});
