import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS } from '@watchpost/shared/time';
import { OWN_CHANNELS } from '../workspaces/index.js';
import { decideOwnRules, type OwnAddress } from './decide-own-rules.js';

const anyRule = fc.record({
  after: fc.nat(1_440).map((minutes) => `PT${minutes}M`),
  channel: fc.constantFrom(...OWN_CHANNELS),
});
const anyAddress = fc.record({ channel: fc.constantFrom(...OWN_CHANNELS), address: fc.string() });

describe('Own rules', () => {
  it('use each address of the channel of each rule once, at its time, in order, and no other', () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 10 }),
        fc.array(anyAddress, { maxLength: 8 }),
        fc.boolean(),
        (rules, addresses, isOn) => {
          const timed = decideOwnRules({ rules, email: isOn, sms: isOn }, addresses);
          const key = (afterMs: number, { channel, address }: OwnAddress) =>
            JSON.stringify([afterMs, channel, address]);
          const expected = rules.flatMap(({ after, channel }) =>
            addresses
              .filter((one) => one.channel === channel)
              .map((one) => key(Number(after.slice(2, -1)) * MINUTE_MS, one)),
          );
          expect(timed.map((one) => key(one.afterMs, one))).to.have.members(expected);
          expect(timed.map(({ afterMs }) => afterMs)).to.deep.equal(
            timed.map(({ afterMs }) => afterMs).toSorted((a, b) => a - b),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('that are not set leave it to the two preferences, mail being on', () => {
    const addresses = OWN_CHANNELS.map((channel) => ({ channel, address: channel }));
    const channels = (preferences: Parameters<typeof decideOwnRules>[0]) =>
      decideOwnRules(preferences, addresses).map(({ channel, afterMs }) => `${channel} ${afterMs}`);
    expect(channels({})).to.deep.equal(['email 0']);
    expect(channels({ rules: null, email: false, sms: true })).to.deep.equal(['sms 0']);
    expect(channels({ rules: [], sms: true }), 'no rule, no message').to.deep.equal([]);
  });
});
