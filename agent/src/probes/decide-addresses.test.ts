import { expect } from 'chai';
import fc from 'fast-check';
import type { Outcome, ProbeReport } from '@watchpost/shared/outcome';
import { decideAddresses, type CheckedAddress } from './decide-addresses.js';

const UP: Outcome = { kind: 'up' };
const REFUSED: Outcome = { kind: 'down', phase: 'connect', reason: 'connection_refused', message: 'It refused.' };
const NO_ROUTE: Outcome = { kind: 'inconclusive', reason: 'agent_no_network', message: 'No route.' };
const STOPPED: Outcome = { kind: 'inconclusive', reason: 'agent_stopping', message: 'The agent stopped.' };

const checked = (outcome: Outcome, index: number, totalUs = 1_000): CheckedAddress => {
  const timings = { dnsUs: 0, connectUs: totalUs, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
  const report: ProbeReport = {
    outcome,
    startedAtMs: 0,
    totalUs,
    timings,
    statusCode: null,
    address: null,
    evidence: null,
  };
  return { address: `192.0.2.${index}`, place: `192.0.2.${index}:443`, report };
};
const decide = (outcomes: readonly Outcome[], mustAllWork = false) =>
  decideAddresses(
    outcomes.map((outcome, index) => checked(outcome, index)),
    mustAllWork,
  );
const messageOf = ({ outcome }: ProbeReport) => (outcome.kind === 'up' ? null : outcome.message);

const outcomes = fc.array(fc.constantFrom(UP, REFUSED, NO_ROUTE), { minLength: 1, maxLength: 10 });
const count = (list: readonly Outcome[], kind: Outcome['kind']) => list.filter((one) => one.kind === kind).length;

describe('the report of a check of each address', () => {
  it('is up, partly down or down by how many of the checked addresses fail, whatever their order', () => {
    fc.assert(
      fc.property(outcomes, fc.boolean(), (list, mustAllWork) => {
        const up = count(list, 'up');
        const down = count(list, 'down');
        const { outcome, addresses } = decide(list, mustAllWork);
        expect(outcome.kind).to.equal(down > 0 ? 'down' : up > 0 ? 'up' : 'inconclusive');
        const isPartial = outcome.kind === 'down' && outcome.isPartial === true;
        expect(isPartial).to.equal(down > 0 && up > 0 && !mustAllWork);
        expect(addresses!.map(({ status }) => status)).to.deep.equal(
          list.map(({ kind }) => (kind === 'up' ? 'available' : kind === 'down' ? 'unavailable' : 'notChecked')),
        );
      }),
    );
  });

  it('is inconclusive where the agent was at fault otherwise than by a missing route', () => {
    fc.assert(
      fc.property(outcomes, fc.nat(10), (list, at) => {
        expect(decide(list.toSpliced(at, 0, STOPPED)).outcome).to.deep.equal(STOPPED);
      }),
    );
  });

  it('counts the addresses and names the fault of the first one', () => {
    const timeout: Outcome = { ...REFUSED, reason: 'timeout', message: 'No connection to 192.0.2.0:443 within 5 s.' };
    expect(messageOf(decide([timeout, UP, REFUSED, NO_ROUTE, UP]))).to.equal(
      '2 of 4 addresses failed: 192.0.2.0:443 did not answer the connection in time.',
    );
    const named: Outcome = { ...REFUSED, message: 'The server at 192.0.2.1:443 refused the connection.' };
    expect(messageOf(decide([UP, named]))).to.equal('1 of 2 addresses failed: 192.0.2.1:443 refused the connection.');
    expect(messageOf(decide([UP, REFUSED]))).to.equal('1 of 2 addresses failed: 192.0.2.1:443: It refused.');
    expect(messageOf(decide([REFUSED])), 'with one address, as without each').to.equal('It refused.');
  });

  it('has the figures of the slowest address, and an expired certificate before any other fault', () => {
    expect(decideAddresses([checked(UP, 0, 5), checked(UP, 1, 9), checked(UP, 2, 7)], false).totalUs).to.equal(9);
    const expired: Outcome = { kind: 'down', phase: 'tls', reason: 'certificate_invalid', message: 'It has expired.' };
    expect(decide([REFUSED, expired, UP]).outcome).to.include({ reason: 'certificate_invalid' });
  });
});
