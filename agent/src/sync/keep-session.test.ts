import { expect } from 'chai';
import { adviseOnEnd } from './keep-session.js';

describe('the advice for a failed connection', () => {
  it('names the wrong setting, from the error of the connection', () => {
    for (const [details, setting] of [
      ['807CC3C55A7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/…', 'GRPC_PORT'],
      ['Last error: Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match', 'GRPC_TLS_HOSTS'],
      ['Last error: Error: self-signed certificate in certificate chain. Resolution note: ', 'NODE_EXTRA_CA_CERTS'],
      ['Last error: Failed to connect (2026-11-29T20:36:30.341Z). Resolution note: ', 'https://'],
      ['unable to get local issuer certificate', 'NODE_EXTRA_CA_CERTS'],
    ] as const)
      expect(adviseOnEnd(details), details).to.include(setting);
  });

  it('is empty where only waiting helps', () => {
    for (const details of ['connect ECONNREFUSED 127.0.0.1:1', 'getaddrinfo ENOTFOUND nowhere.invalid', ''])
      expect(adviseOnEnd(details), details).to.equal(undefined);
  });
});
