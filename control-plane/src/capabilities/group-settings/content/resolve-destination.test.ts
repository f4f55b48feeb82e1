import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createSecretBox } from '../../../platform/db/secret-box.js';
import { sealFormerSecret, sealGroupSecrets } from './group-secrets.js';
import { resolveDestination, type SealedGroup } from './resolve-destination.js';

const box = createSecretBox(randomBytes(32));
const group = (more: Partial<SealedGroup>): SealedGroup => ({
  id: 'g',
  isEnabled: true,
  settings: {},
  rules: {},
  secrets: null,
  formerSecret: null,
  formerSecretUntil: null,
  ...more,
});

describe('The destination of a delivery', () => {
  it('is a recipient that the group still contains, regardless of case', () => {
    const to = { channel: 'email', address: 'Ann@example.test' } as const;
    expect(resolveDestination(box, to, group({ settings: { recipients: ['ann@example.test'] } }), 0)).to.deep.equal(to);
    expect(resolveDestination(box, to, group({ settings: { recipients: ['ben@example.test'] } }), 0)).to.equal(
      'The channel no longer has this recipient.',
    );
  });
  it('is none while the group is disabled', () => {
    const to = { channel: 'sms', address: '+353871234567' } as const;
    const phones = { phoneNumbers: ['+353871234567'] };
    expect(resolveDestination(box, to, group({ isEnabled: false, settings: phones }), 0)).to.be.a('string');
  });
  it('is the address of a contact that belongs to no group', () => {
    const to = { channel: 'sms', address: '+353871234567' } as const;
    expect(resolveDestination(box, to, null, 0)).to.deep.equal(to);
  });
  it('is a webhook with all headers, signed with both secrets until the former one ends', () => {
    const settings = { url: 'https://hooks.example/', headers: { 'X-Api-Key': '***', 'X-Team': 'shop' } };
    const secrets = sealGroupSecrets(box, 'g', { secret: 'whsec_bmV3', headers: { 'x-api-key': 'k' } });
    const { sealed } = sealFormerSecret(box, 'g', 'whsec_b2xk', 0);
    const rotated = { formerSecret: sealed, formerSecretUntil: new Date(1_000) };
    const open = (nowMs: number) =>
      resolveDestination(
        box,
        { channel: 'webhook', address: settings.url },
        group({ settings, secrets, ...rotated }),
        nowMs,
      );
    expect(open(999)).to.deep.equal({
      channel: 'webhook',
      groupId: 'g',
      address: 'https://hooks.example/',
      fields: { url: 'https://hooks.example/', headers: { 'X-Api-Key': 'k', 'X-Team': 'shop' } },
      secrets: ['whsec_bmV3', 'whsec_b2xk'],
    });
    expect(open(1_000)).to.have.property('secrets').that.deep.equals(['whsec_bmV3']);
  });
});
