import { httpCheck } from '@watchpost/shared/checks/http';
import { sslCheck } from '@watchpost/shared/checks/ssl';
import type { ProbeTarget } from '@watchpost/shared/check';
import { expect } from 'chai';
import { tenancyOf } from './tenancy-keys.js';

const ssl = (host: string): ProbeTarget => sslCheck.target.parse({ host, port: 443, incidentDays: 7 });
const http = (url: string): ProbeTarget => httpCheck.target.parse({ url });

describe('the keys by which agents share their capacity', () => {
  it('are one for all monitors of an owner, and another for another owner', () => {
    const [first, second] = [tenancyOf('a', ssl('shop.example')), tenancyOf('a', ssl('other.example'))];
    expect(first.ownerKey).to.equal(second.ownerKey);
    expect(tenancyOf('b', ssl('shop.example')).ownerKey).not.to.equal(first.ownerKey);
  });

  it('are one for everything below a registrable domain, whatever the kind of the check', () => {
    const sites = [http('https://WWW.shop.co.uk:8443/x'), ssl('api.shop.co.uk')].map(
      (of) => tenancyOf('a', of).siteKey,
    );
    expect(new Set(sites).size).to.equal(1);
    expect(tenancyOf('a', ssl('shop.example')).siteKey).not.to.equal(sites[0]);
    expect(tenancyOf('a', ssl('one.github.io')).siteKey).not.to.equal(tenancyOf('a', ssl('two.github.io')).siteKey);
  });

  it('are opaque and the same in every process', () => {
    expect(tenancyOf('019ab8f2-0000-7000-8000-000000000001', ssl('shop.example'))).to.deep.equal({
      ownerKey: '3DsOQdvbC2Y',
      siteKey: 'KYXinmubJ2E',
    });
  });
});
