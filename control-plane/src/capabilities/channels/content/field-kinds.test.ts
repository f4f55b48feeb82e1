import { expect } from 'chai';
import { webhookHeaderFaults } from './field-kinds.js';

describe('The headers of a webhook', () => {
  it('are none that the service sets, and contain no line breaks', () => {
    for (const name of [
      'webhook-id',
      'Webhook-Signature',
      'Content-Type',
      'content-length',
      'Host',
      'Transfer-Encoding',
    ]) {
      expect(webhookHeaderFaults({ [name]: 'x' }), name).to.not.deep.equal([]);
    }
    for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'a\0b'])
      expect(webhookHeaderFaults({ 'X-Team': value })).to.have.length(1);
    expect(webhookHeaderFaults({ 'X-Team': 'shop', Authorization: 'Bearer x' })).to.deep.equal([]);
  });
});
