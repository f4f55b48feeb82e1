import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { createEgressPolicy } from './egress.js';
import { createOwnAddresses, ownAddresses } from './own-addresses.js';

const EIGHT = '8.8.8.8';
const V6 = '2606:4700:4700::1111';

describe('the addresses of this machine', () => {
  it('are refused in every notation, even public ones, unless an allowed range contains them', () => {
    const own = [EIGHT, V6];
    const policy = createEgressPolicy({ allowCidrs: ['10.0.0.0/8'], ownAddresses: () => own });
    for (const address of [EIGHT, '::ffff:8.8.8.8', '64:ff9b::808:808', V6, '2606:4700:4700:0:0::1111']) {
      expect(policy.allows(address), address).to.equal(false);
      expect(policy.why(address)).to.include('an address of this machine');
    }
    for (const host of [EIGHT, '134744072', '0x8.0x8.0x808', `[${V6}]`])
      expect(policy.refusal(host), host).to.include('an address of this machine');
    for (const address of ['8.8.4.4', '2606:4700:4700::1001', '10.0.0.1'])
      expect(policy.allows(address), address).to.equal(true);
    const named = createEgressPolicy({ allowCidrs: ['8.8.8.0/24', `${V6}/128`], ownAddresses: () => own });
    for (const address of own) expect(named.allows(address), address).to.equal(true);
  });

  it('can be private ones in an allowed range, as with npm start', () => {
    const policy = createEgressPolicy({
      allowCidrs: ['127.0.0.0/8', '192.168.0.0/16'],
      ownAddresses: () => ['192.168.1.2'],
    });
    expect(policy.allows('192.168.1.2')).to.equal(true);
    expect(policy.refusal('192.168.1.2')).to.equal(null);
  });

  it('are refreshed after two seconds, and the policy follows', () => {
    let nowMs = 0;
    let interfaces = [EIGHT];
    let reads = 0;
    const own = createOwnAddresses(
      () => {
        reads++;
        return [...interfaces];
      },
      () => nowMs,
    );
    const policy = createEgressPolicy({ allowCidrs: [], ownAddresses: own });
    expect([policy.allows(EIGHT), policy.allows('9.9.9.9')]).to.deep.equal([false, true]);
    interfaces = ['9.9.9.9'];
    nowMs = 1_999;
    expect(policy.allows('9.9.9.9')).to.equal(true);
    expect(reads).to.equal(1);
    nowMs = 2_000;
    expect([policy.allows(EIGHT), policy.allows('9.9.9.9')]).to.deep.equal([true, false]);
    expect(own()).to.equal(own());
  });

  it('are those of the operating system', () => {
    const all = Object.values(networkInterfaces()).flatMap((one) => one!.map(({ address }) => address));
    expect(ownAddresses()).to.have.members(all);
    const policy = createEgressPolicy({ allowCidrs: [], ownAddresses });
    for (const address of all) expect(policy.allows(address), address).to.equal(false);
  });
});

describe('denied ranges', () => {
  it('are refused even if they are allowed', () => {
    const policy = createEgressPolicy({
      allowCidrs: ['10.0.0.0/8', '::/0'],
      denyCidrs: ['10.1.0.0/16', '8.8.8.8', '2606:4700::/32', '::ffff:9.9.9.9'],
    });
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '8.8.8.8', V6, '9.9.9.9']) {
      expect(policy.allows(address), address).to.equal(false);
      expect(policy.why(address)).to.include('refused by');
    }
    for (const address of ['10.2.0.1', '8.8.4.4', '2001:4860:4860::8888'])
      expect(policy.allows(address), address).to.equal(true);
    expect(() => createEgressPolicy({ allowCidrs: [], denyCidrs: ['10.0.0.0/99'] })).to.throw(RangeError);
  });
});
