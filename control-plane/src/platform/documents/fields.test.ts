import { expect } from 'chai';
import { replaceMask } from './fields.js';

describe('replacing the mask of a secret', () => {
  it('finds it at the top, and by the whole name of its header', () => {
    const grpc = { metadata: { 'X-Key': '***' } };
    const fields = { webhookUrl: '***', http: { headers: { 'X.Api.Key': '***', Accept: 'a' } }, grpc };
    replaceMask(fields, 'webhookUrl', 'u');
    replaceMask(fields, 'http.headers.X.Api.Key', 'k');
    replaceMask(fields, 'grpc.metadata.X-Key', 'm');
    expect(fields).to.deep.equal({
      webhookUrl: 'u',
      http: { headers: { 'X.Api.Key': 'k', Accept: 'a' } },
      grpc: { metadata: { 'X-Key': 'm' } },
    });
  });

  it('adds no field', () => {
    const fields = { name: 'x' };
    replaceMask(fields, 'http.headers.Authorization', 'k');
    replaceMask(fields, 'webhookUrl', 'k');
    expect(fields).to.deep.equal({ name: 'x' });
  });
});
