import { expect } from 'chai';
import fc from 'fast-check';
import type { GroupContent, GroupInput } from './group-content.js';
import { channelOf } from '../../channels/index.js';
import { decideGroupContent } from './decide-group-content.js';

const EMPTY = { settings: {}, secrets: {} };
/** Of a channel that has all of them. */
const fields = [...channelOf('webhook').fields, ...channelOf('slack').fields];
const decide = (before: GroupContent, input: GroupInput) => decideGroupContent({ fields }, before, input);
const CHAT = 'https://hooks.slack.com/services/T0/B0/abcdefghWXYZ';

describe('The content of an action group', () => {
  it('keeps omitted fields', () => {
    const before = {
      settings: { url: 'https://a.example/', headers: { 'X-Team': 'a' } },
      secrets: { secret: 'whsec_x' },
    };
    const after = decide(before, { url: 'https://b.example/' });
    expect(after).to.deep.equal({ ...before, settings: { ...before.settings, url: 'https://b.example/' }, faults: [] });
    expect(decide(before, {})).to.deep.equal({ ...before, faults: [] });
  });

  it('shows neither secret headers nor URLs of chats', () => {
    const hook = decide(EMPTY, {
      headers: { Authorization: 'Bearer s3cr3t', 'X-Hook-Token': 't0k3n', 'X-Team': 'a' },
    });
    expect(hook.settings.headers).to.deep.equal({ Authorization: '***', 'X-Hook-Token': '***', 'X-Team': 'a' });
    expect(hook.secrets.headers).to.deep.equal({ authorization: 'Bearer s3cr3t', 'x-hook-token': 't0k3n' });
    const chat = decide(EMPTY, { webhookUrl: CHAT });
    expect(JSON.stringify(chat.settings)).to.not.include('abcdefgh');
    expect(chat.secrets).to.deep.equal({ webhookUrl: CHAT });
  });

  it('shows no query of a webhook, and keeps it when the shown URL is sent back', () => {
    const url = 'https://hooks.example/in?token=t0k3n#x';
    const first = decide(EMPTY, { url });
    expect(first.settings).to.deep.equal({ url: 'https://hooks.example/in?***' });
    expect(first.secrets).to.deep.equal({ url });
    expect(decide(first, { url: first.settings.url })).to.deep.equal(first);
    const other = decide(first, { url: 'https://hooks.example/other?***' });
    expect(other.faults.map(({ path }) => path)).to.deep.equal(['url']);
    const bare = decide(first, { url: 'https://hooks.example/in' });
    expect([bare.settings.url, bare.secrets, bare.faults]).to.deep.equal(['https://hooks.example/in', {}, []]);
  });

  it('stays unchanged when an answer is sent back', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('Authorization', 'X-Api-Key', 'X-Team', 'Cookie'),
          fc.stringMatching(/^[!-~]{1,20}$/),
        ),
        (headers) => {
          fc.pre(!Object.values(headers).includes('***'));
          const first = decide(EMPTY, { headers, webhookUrl: CHAT });
          expect(first.faults).to.deep.equal([]);
          const again = decide(first, {
            headers: first.settings.headers,
            webhookUrl: first.settings.webhookUrl,
          });
          expect(again).to.deep.equal(first);
        },
      ),
    );
  });

  it('loses the secret of a removed header', () => {
    const first = decide(EMPTY, { headers: { Authorization: 'Bearer s3cr3t' } });
    const second = decide(first, { headers: {} });
    expect(second.secrets.headers).to.deep.equal({});
    const third = decide(second, { headers: { Authorization: '***' } });
    expect(third.faults.map(({ path }) => path)).to.deep.equal(['headers.Authorization']);
  });

  it('sends a stored secret header only to the host that it was entered for', () => {
    const first = decide(EMPTY, {
      url: 'https://a.example/hook',
      headers: { Authorization: 'Bearer s3cr3t', 'X-Team': 'a' },
    });
    const faultsOf = (input: GroupInput) => decide(first, input).faults.map(({ path }) => path);
    expect(faultsOf({ url: 'https://evil.example/hook' })).to.deep.equal(['headers.authorization']);
    expect(faultsOf({ url: 'https://evil.example/', headers: first.settings.headers })).to.deep.equal([
      'headers.Authorization',
    ]);
    expect(faultsOf({ url: 'http://a.example/hook' })).to.deep.equal(['headers.authorization']);
    expect(faultsOf({ url: 'https://a.example/other' })).to.deep.equal([]);
    expect(faultsOf({ url: 'https://b.example/', headers: { Authorization: 'Bearer other' } })).to.deep.equal([]);
    expect(faultsOf({ url: 'https://b.example/', headers: {} })).to.deep.equal([]);
  });

  it('refuses the mask of another URL', () => {
    const first = decide(EMPTY, { webhookUrl: CHAT });
    const other = decide(first, { webhookUrl: 'https://hooks.slack.com/***0000' });
    expect(other.faults.map(({ path }) => path)).to.deep.equal(['webhookUrl']);
    expect(other.secrets).to.deep.equal({ webhookUrl: CHAT });
  });
});

describe('The content of a group with fields of which a group has one set', () => {
  const channel = {
    fields: [
      { name: 'webhookUrl', kind: 'secretUrl', isRequired: false },
      { name: 'token', kind: 'secret', isRequired: false },
      { name: 'room', kind: 'text', isRequired: false },
    ].map((field) => ({ ...field, title: '', example: '', help: '' })) as unknown as typeof fields,
    alternatives: [['webhookUrl'], ['token', 'room']],
  };
  const NONE = { webhookUrl: null, token: null, room: null };

  it('has null for what is not given', () => {
    const { settings, faults } = decideGroupContent(channel, null, { token: 't', room: 'r' });
    expect([settings, faults]).to.deep.equal([{ ...NONE, token: '***', room: 'r' }, []]);
  });

  it('refuses none, half of one, and fields of two', () => {
    for (const input of [{}, { token: 't' }, { webhookUrl: CHAT, room: 'r' }])
      expect(decideGroupContent(channel, null, input).faults).to.deep.equal([
        {
          path: 'webhookUrl',
          message: 'must be given as one of these, and the other fields be null: `webhookUrl`; or `token` and `room`',
        },
      ]);
  });

  it('goes over to another set when the fields of the first become null', () => {
    const before = decideGroupContent(channel, null, { token: 't', room: 'r' });
    const after = decideGroupContent(channel, before, { token: null, room: null, webhookUrl: CHAT });
    expect(after.faults).to.deep.equal([]);
    expect(after.settings).to.include({ token: null, room: null });
    expect(after.secrets).to.deep.equal({ webhookUrl: CHAT });
  });

  it('demands the token again where the URL leads to another host', () => {
    const both = { ...channel, alternatives: [] };
    const before = decideGroupContent(both, null, { webhookUrl: CHAT, token: 't' });
    const moved = { webhookUrl: 'https://other.example/services/T0/B0/abcdefghWXYZ' };
    expect(decideGroupContent(both, before, moved).faults.map(({ path }) => path)).to.deep.equal(['token']);
    expect(decideGroupContent(both, before, { ...moved, token: 't' }).faults).to.deep.equal([]);
  });
});
