import { expect } from 'chai';
import fc from 'fast-check';
import { ACTION_GROUP_TYPES, type ActionGroupType, channelOf, createWebhookUrlCheck } from '../../channels/index.js';
import { actionGroupInputSchemas } from './action-group-input-schemas.js';

const rules = { webhookUrlFaults: createWebhookUrlCheck([]) };
const inputsOf = (type: ActionGroupType) => actionGroupInputSchemas(rules, type);
const takes = (schema: { safeParse(body: unknown): { success: boolean } }, body: object) =>
  schema.safeParse({ name: 'n', ...body }).success;

describe('The input of an action group', () => {
  it('of type email has 1 to 50 distinct addresses', () => {
    const { create } = inputsOf('email');
    const parsed = create.parse({ name: 'n', recipients: ['a@x.example', 'B@x.example', 'A@x.example'] });
    expect(parsed.recipients).to.deep.equal(['a@x.example', 'B@x.example']);
    const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@x.example`);
    expect(takes(create, { recipients: many(50) })).to.equal(true);
    for (const recipients of [
      many(51),
      [],
      'a@x.example',
      null,
      [null],
      [{}],
      ['x'],
      ['a@b'],
      [`${'a'.repeat(65)}@x.example`],
    ]) {
      expect(takes(create, { recipients }), JSON.stringify(recipients).slice(0, 40)).to.equal(false);
    }
  });

  it('of type email refuses addresses that could inject a header or recipient', () => {
    const hostile = fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      ',',
      ';',
      ' ',
      '<',
      '>',
      '"',
      '\0',
      '\u2028',
      ':',
      '(',
      '%0a',
      '\t',
    );
    const emails = inputsOf('email').create;
    fc.assert(
      fc.property(fc.string(), hostile, fc.string(), fc.boolean(), (head, evil, tail, behind) => {
        const address = behind ? `ops@x.example${evil}${tail}` : `${head}${evil}${tail}@x.example`;
        expect(takes(emails, { recipients: [address] })).to.equal(false);
      }),
    );
  });

  it('of type sms has 1 to 20 numbers in E.164', () => {
    const { create } = inputsOf('sms');
    expect(create.parse({ name: 'n', phoneNumbers: ['+353871234567', '+353871234567'] }).phoneNumbers).to.have.length(
      1,
    );
    for (const number of [
      '0871234567',
      '+0871234567',
      '+353 87 123',
      '+1',
      `+${'1'.repeat(16)}`,
      '+35387123456a',
      '+353871234567\n',
      '٣',
      '',
    ]) {
      expect(takes(create, { phoneNumbers: [number] }), number).to.equal(false);
    }
    const many = Array.from({ length: 21 }, (_, at) => `+3538712345${at + 10}`);
    expect(takes(create, { phoneNumbers: many })).to.equal(false);
    expect(takes(create, { phoneNumbers: many.slice(1) })).to.equal(true);
  });

  it('of webhooks and chats has a URL and no signing secret', () => {
    expect(takes(inputsOf('webhook').create, { url: 'https://x.example/' })).to.equal(true);
    expect(takes(inputsOf('webhook').create, { url: 'https://x.example/', secret: 'whsec_mine' })).to.equal(false);
    expect(takes(inputsOf('webhook').create, { url: `https://x.example/${'a'.repeat(2_048)}` })).to.equal(false);
    expect(takes(inputsOf('slack').create, { webhookUrl: 'https://10.0.0.1/' })).to.equal(false);
    expect(takes(inputsOf('teams').create, {})).to.equal(false);
  });

  it('takes any field on a change, and all fields without a default on creation', () => {
    for (const type of ACTION_GROUP_TYPES) {
      expect(inputsOf(type).update.safeParse({}).success, type).to.equal(true);
      expect(inputsOf(type).update.safeParse({ isEnabled: false }).success, type).to.equal(true);
      expect(inputsOf(type).update.safeParse({ type: 'email' }).success, type).to.equal(false);
      // Which of several optional fields a group has is decided with what is stored.
      const hasNone = channelOf(type).fields.every(({ isRequired }) => isRequired === false);
      expect(inputsOf(type).create.safeParse({ name: 'n' }).success, type).to.equal(hasNone);
    }
  });
});
