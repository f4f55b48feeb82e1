import { expect } from 'chai';
import type {
  ChannelFieldView,
  ChannelView,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import {
  bodyOf,
  eventText,
  fieldsAsked,
  findChannels,
  type GroupValues,
  hasRules,
  headersOf,
  headersText,
  isSecretOf,
  listOf,
  newValues,
  valuesOf,
} from './group-text.js';

const RULES = {
  severities: ['down' as const, 'partial' as const, 'warning' as const],
  delay: 'PT0S',
  hours: null,
  repeatEvery: null,
  digestAfter: null,
  template: null,
};
const SHOWN = {
  id: '1',
  name: 'Chat',
  isEnabled: true,
  managedBy: null,
  attachTo: { tags: [], all: false },
  monitorCount: 0,
  ...RULES,
  created: '2026-11-22T10:00:00Z',
  lastModified: '2026-11-22T10:00:00Z',
};

const field = (name: string, kind: ChannelFieldView['kind']): ChannelFieldView => ({
  name,
  kind,
  title: name,
  required: true,
  secret: kind === 'secretUrl' || kind === 'secret',
  example: '',
  help: '',
});

const channel = (fields: ChannelFieldView[], alternatives: string[][] = []): ChannelView => ({
  type: 'slack',
  title: 'Slack',
  category: 'chat',
  fields,
  alternatives,
  personal: false,
  signed: false,
  madeWithMonitor: false,
  canEdit: false,
  canAcknowledge: false,
});
const CHAT = channel([field('webhookUrl', 'secretUrl')]);

describe('the form of an action group', () => {
  it('reads addresses and numbers as people write them', () => {
    expect(listOf('a@x.example, b@x.example;\n c@x.example', 'emails')).to.deep.equal([
      'a@x.example',
      'b@x.example',
      'c@x.example',
    ]);
    expect(listOf('+353 87 123-4567\n(+49) 170 1234567', 'phones')).to.deep.equal(['+353871234567', '+491701234567']);
  });

  it('brings headers through the form unchanged, masked ones too', () => {
    const headers = { Authorization: '***', 'X-Team': 'web: 2' };
    expect(headersOf(headersText(headers))).to.deep.equal(headers);
    expect(headersOf('no colon')).to.deep.equal({ 'no colon': '' });
  });

  it('sends the fields of its type, and the secret of a chat only if it was entered', () => {
    const slack = valuesOf({ ...SHOWN, type: 'slack', webhookUrl: 'https://hooks.slack.com/***XXXX' }, CHAT);
    const body = { name: 'Chat', isEnabled: true, attachTo: { tags: [], all: false }, ...RULES };
    expect(bodyOf(slack, CHAT)).to.deep.equal(body);
    expect(bodyOf({ ...slack, webhookUrl: ' https://hooks.slack.com/new ' }, CHAT)).to.include({
      webhookUrl: 'https://hooks.slack.com/new',
    });
    const email = channel([field('recipients', 'emails')]);
    expect(bodyOf({ ...newValues('email', 'Ops', email), recipients: 'a@x.example' }, email)).to.deep.equal({
      name: 'Ops',
      isEnabled: true,
      attachTo: { tags: [], all: true },
      ...RULES,
      recipients: ['a@x.example'],
    });
  });

  it('keeps no secret in a draft: no secret field, header or query of a URL', () => {
    const isSecret = isSecretOf(
      channel([field('token', 'secret'), field('chat', 'secretUrl'), field('url', 'url'), field('headers', 'headers')]),
    );
    const texts: [string, string, boolean][] = [
      ['token', 't', true],
      ['chat', 'https://chat.example/t', true],
      ['url', 'https://hook.example/', false],
      ['url', 'https://hook.example/?***', false],
      ['url', 'https://hook.example/?key=k', true],
      ['headers', 'X-Team: shop\nAuthorization: ***', false],
      ['headers', 'Authorization: Bearer t', true],
      ['name', 'Chat', false],
    ];
    for (const [name, text, is] of texts) expect(isSecret([name], text), `${name} ${text}`).to.equal(is);
  });

  it('asks for the fields of one way to connect, and clears those of the others', () => {
    const [url, token, room] = [field('webhookUrl', 'secretUrl'), field('botToken', 'secret'), field('room', 'text')];
    const both = channel([url, token, room], [['webhookUrl'], ['botToken', 'room']]);
    const bot = valuesOf({ ...SHOWN, type: 'slack', webhookUrl: null, botToken: '***', room: 'C1' } as never, both);
    expect(bot.way).to.equal('1');
    expect(fieldsAsked(both, bot.way).map(({ name }) => name)).to.deep.equal(['botToken', 'room']);
    expect(bodyOf(bot, both)).to.deep.include({ webhookUrl: null, room: 'C1' }).and.not.have.property('botToken');
    const hook = { ...bot, way: '0', webhookUrl: 'https://chat.example/1' };
    expect(bodyOf(hook, both)).to.deep.include({ webhookUrl: 'https://chat.example/1', botToken: null, room: null });
  });

  it('sends null for an optional field that is empty', () => {
    const topic = channel([{ ...field('topicId', 'text'), required: false }]);
    const values = newValues('telegram', 'Chat', topic);
    expect(bodyOf(values, topic)).to.include({ topicId: null });
  });

  it('attaches to all monitors, to tags, or to none', () => {
    const values = { ...newValues('slack', 'Chat', CHAT), attachTo: { tags: ['shop'], all: false } };
    const attachTo = (reach: GroupValues['reach']) => bodyOf({ ...values, reach }, CHAT)['attachTo'];
    expect(attachTo('all')).to.deep.equal({ tags: [], all: true });
    expect(attachTo('tags')).to.deep.equal({ tags: ['shop'], all: false });
    expect(attachTo('these')).to.deep.equal({ tags: [], all: false });
  });

  it('sends the rules of the group, and null for what is not chosen', () => {
    const unset = { repeatEvery: '', digestAfter: '' as const, template: '' };
    const values = { ...newValues('slack', 'Chat', CHAT), ...unset, delay: 'PT5M' };
    expect(hasRules(newValues('slack', 'Chat', CHAT))).to.equal(false);
    expect(hasRules(values)).to.equal(true);
    expect(bodyOf(values, CHAT)).to.deep.include({ ...RULES, delay: 'PT5M' });
  });

  it('finds channels by words of their name and category, the name first', () => {
    const list = ['Google Chat', 'Slack', 'chat of mine'].map((title) => ({
      ...CHAT,
      title,
      type: title,
      category: 'chat' as const,
    }));
    const found = (text: string) => findChannels(list, text).map(({ title }) => title);
    expect(found('chat')).to.deep.equal(['chat of mine', 'Google Chat', 'Slack']);
    expect(found(' SLA chat')).to.deep.equal(['Slack']);
    expect(found('fax')).to.deep.equal([]);
  });

  it('has words for events that it does not know', () => {
    expect(eventText('incident.opened')).to.equal('Incident opened');
    expect(eventText('certificate.renewed_early')).to.equal('Certificate renewed early');
  });
});
