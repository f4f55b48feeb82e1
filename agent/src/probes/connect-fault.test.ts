import { expect } from 'chai';
import fc from 'fast-check';
import { takeTurns } from './connect-address.js';
import { connectFault } from './connect-fault.js';

const fault = (code: string, local = false) =>
  connectFault(Object.assign(new Error(code), { code }), '192.0.2.1:80', local);

describe('a failed connect', () => {
  it('is the agent’s fault if the kernel refused before anything was sent', () => {
    for (const [code, reason] of [
      ['EMFILE', 'agent_no_descriptors'],
      ['ENFILE', 'agent_no_descriptors'],
      ['ENOBUFS', 'agent_overloaded'],
      ['EADDRNOTAVAIL', 'agent_overloaded'],
      ['ENETUNREACH', 'agent_no_network'],
      ['EHOSTUNREACH', 'agent_no_network'],
      ['ENETDOWN', 'agent_no_network'],
      ['EACCES', 'agent_no_network'],
    ]) {
      expect(fault(code!, true).toOutcome(), code).to.include({ kind: 'inconclusive', reason });
    }
    expect(fault('ENETDOWN').toOutcome()).to.include({ kind: 'inconclusive', reason: 'agent_no_network' });
  });

  it('is the target’s fault if the network reported it', () => {
    for (const [code, reason] of [
      ['ECONNREFUSED', 'connection_refused'],
      ['ECONNRESET', 'connection_reset'],
      ['EHOSTUNREACH', 'host_unreachable'],
      ['ENETUNREACH', 'host_unreachable'],
      ['ETIMEDOUT', 'connection_failed'],
      ['EWHATEVER', 'connection_failed'],
    ]) {
      expect(fault(code!).toOutcome(), code).to.include({ kind: 'down', phase: 'connect', reason });
    }
  });
});

describe('the addresses of a name', () => {
  it('are all tried, with alternating families in their order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(fc.ipV4(), fc.ipV6())), (addresses) => {
        const turns = takeTurns(addresses);
        const isV6 = (address: string): boolean => address.includes(':');
        expect(turns.filter(isV6)).to.deep.equal(addresses.filter(isV6));
        expect(turns.filter((address) => !isV6(address))).to.deep.equal(addresses.filter((address) => !isV6(address)));
        expect(turns[0]).to.equal(addresses[0]);
        const smaller = Math.min(addresses.filter(isV6).length, addresses.length - addresses.filter(isV6).length);
        for (let index = 1; index < smaller * 2; index++)
          expect(isV6(turns[index]!)).to.equal(!isV6(turns[index - 1]!));
      }),
    );
  });
});
