import { expect } from 'chai';
import fc from 'fast-check';
import { addressBlock, networkBlock, remoteAddressReader } from './remote-address.js';

describe('the remote address', () => {
  const read = remoteAddressReader(['10.0.0.0/8', 'fd00::/8', '192.0.2.1']);

  it('is the peer where the peer is no trusted proxy, whatever it claims', () => {
    fc.assert(
      fc.property(
        fc.ipV4().filter((ip) => !ip.startsWith('10.') && ip !== '192.0.2.1'),
        fc.string(),
        (peer, claim) => {
          expect(read(peer, claim)).to.equal(peer);
        },
      ),
    );
  });

  it('is the nearest address that no trusted proxy has', () => {
    expect(read('10.0.0.1', '203.0.113.7')).to.equal('203.0.113.7');
    expect(read('::ffff:10.0.0.1', 'forged, 203.0.113.7, fd00::2, 192.0.2.1')).to.equal('203.0.113.7');
    expect(read('fd00::1', '[2001:db8::5]:443')).to.equal('2001:db8::5');
    expect(read('10.0.0.1', '203.0.113.7:5000')).to.equal('203.0.113.7');
  });

  it('stops at what is no address, and at the end of the chain', () => {
    expect(read('10.0.0.1', '203.0.113.7, unknown')).to.equal('10.0.0.1');
    expect(read('10.0.0.1', '10.0.0.2')).to.equal('10.0.0.2');
    expect(read('10.0.0.1', undefined)).to.equal('10.0.0.1');
    expect(read(undefined, '203.0.113.7')).to.equal('');
  });

  it('counts one IPv6 network as one caller', () => {
    expect(addressBlock('2001:db8:1:2:3:4:5:6')).to.equal('2001:db8:1:2::/64');
    expect(addressBlock('2001:db8:1:2::1')).to.equal('2001:db8:1:2::/64');
    expect(addressBlock('::1')).to.equal('0:0:0:0::/64');
    expect(addressBlock('203.0.113.7')).to.equal('203.0.113.7');
    expect(networkBlock('2001:db8:1:2::1')).to.equal('2001:db8:1::/48');
    expect(networkBlock('::1')).to.equal('0:0:0::/48');
    expect(networkBlock('203.0.113.7')).to.equal('203.0.113.0/24');
  });
});
