import { expect } from 'chai';
import { connectionError } from './connection-error.js';

describe('connectionError', () => {
  const url = new URL('https://watchpost.example/api');
  const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

  it('distinguishes what was never sent from what may have arrived', () => {
    expect(connectionError(failed('ECONNREFUSED'), url, 1_000).mayHaveArrived).to.equal(false);
    for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'])
      expect(connectionError(failed(code), url, 1_000).mayHaveArrived, code).to.equal(true);
    const late = connectionError(new DOMException('late', 'TimeoutError'), url, 30_000);
    expect(late.mayHaveArrived).to.equal(true);
    expect(late.message).to.equal('https://watchpost.example did not answer within 30 s.');
  });

  it('finds the code among several attempts to connect', () => {
    const both = Object.assign(new AggregateError([failed('ECONNREFUSED').cause], ''), {});
    const error = connectionError(new TypeError('fetch failed', { cause: both }), url, 1_000);
    expect(error.message).to.include('the connection was refused');
  });

  it('names the variable for an authority of one’s own where a certificate is not accepted', () => {
    const error = connectionError(failed('SELF_SIGNED_CERT_IN_CHAIN'), url, 1_000);
    expect(error.nextStep).to.include('NODE_EXTRA_CA_CERTS');
    expect(error.isPassing).to.equal(false);
  });
});
