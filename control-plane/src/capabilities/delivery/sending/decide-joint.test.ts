import { expect } from 'chai';
import fc from 'fast-check';
import { decideJoint, type JoinableDelivery, messageIdOf, MOST_JOINED, pagedUserOf } from './decide-joint.js';

interface Delivery extends JoinableDelivery {
  id: string;
}

const USERS = ['anna', 'ben'];
/** Sends messages until nothing waits, as a lane does; each message may contain new deliveries at its end. */
function sendAll(arriving: readonly (readonly Delivery[])[]): { messageId: string; ids: string[] }[] {
  const messages: { messageId: string; ids: string[] }[] = [];
  const left = [...arriving];
  let waiting: Delivery[] = [];
  while (left.length > 0 || waiting.length > 0) {
    waiting.push(...(left.shift() ?? []));
    const joint = decideJoint(waiting);
    if (joint.length > 0) messages.push({ messageId: messageIdOf(joint), ids: joint.map(({ id }) => id) });
    waiting = waiting.filter((one) => !joint.includes(one));
  }
  return messages;
}

const purposes = fc.constantFrom('paged', ...USERS.flatMap((user) => [`page:0:${user}`, `page:2:${user}`]));
const fresh = fc.record({ purpose: purposes, messageId: fc.constant(null), attempts: fc.constant(0) });
const arrivals = fc
  .array(fc.array(fresh, { maxLength: 30 }), { maxLength: 20 })
  .map((groups) => groups.map((group, at) => group.map((one, place) => ({ ...one, id: `${at}-${place}` }))));

describe('What a message to a person contains', () => {
  it('is every delivery once, in their order', () => {
    fc.assert(
      fc.property(arrivals, (arriving) => {
        const sent = sendAll(arriving).flatMap(({ ids }) => ids);
        expect(sent).to.deep.equal(arriving.flat().map(({ id }) => id));
      }),
    );
  });
  it('is for one reader, and no two messages have one id', () => {
    fc.assert(
      fc.property(arrivals, (arriving) => {
        const byId = new Map(arriving.flat().map((one) => [one.id, one]));
        const messages = sendAll(arriving);
        for (const { ids } of messages) {
          const readers = new Set(ids.flatMap((id) => pagedUserOf(byId.get(id)!) ?? []));
          expect(readers.size).to.be.at.most(1);
        }
        expect(new Set(messages.map(({ messageId }) => messageId)).size).to.equal(messages.length);
      }),
    );
  });
  it('is everything that waits for one reader, up to the limit', () => {
    const waiting = Array.from({ length: MOST_JOINED + 5 }, (_, place) => ({
      id: String(place),
      purpose: place % 3 === 0 ? 'paged' : 'page:0:anna',
      messageId: null,
      attempts: 0,
    }));
    expect(decideJoint(waiting)).to.deep.equal(waiting.slice(0, MOST_JOINED));
    expect(decideJoint(waiting.slice(0, 1))).to.deep.equal(waiting.slice(0, 1));
    expect(decideJoint([])).to.deep.equal([]);
  });
  it('stays the same at a repeated attempt, whatever came meanwhile or is no longer wanted', () => {
    fc.assert(
      fc.property(arrivals, fc.array(fresh, { maxLength: 10 }), fc.func(fc.boolean()), (arriving, later, isWanted) => {
        const waiting = arriving.flat();
        const first = decideJoint(waiting);
        fc.pre(first.length > 0);
        const fixed = first.map((one) => ({ ...one, messageId: messageIdOf(first), attempts: 1 }));
        const wanted = fixed.filter(({ id }) => isWanted(id));
        fc.pre(wanted.length > 0);
        const rest = waiting.filter((one) => !first.includes(one));
        const newer = later.map((one, place) => ({ ...one, id: `later-${place}` }));
        const again = decideJoint([...wanted, ...rest, ...newer]);
        expect(again).to.deep.equal(wanted);
        expect(messageIdOf(again)).to.equal(messageIdOf(first));
      }),
    );
  });
  it('is never joined with one that was attempted alone', () => {
    const attempted = { id: 'a', purpose: 'page:0:anna', messageId: null, attempts: 2 };
    const waiting = { id: 'b', purpose: 'page:0:anna', messageId: null, attempts: 0 };
    expect(decideJoint([attempted, waiting])).to.deep.equal([attempted]);
    expect(decideJoint([waiting, attempted, { ...waiting, id: 'c' }])).to.deep.equal([waiting]);
    const alone = { ...waiting, messageId: 'b' };
    expect(decideJoint([alone, { ...waiting, id: 'c' }])).to.deep.equal([alone]);
  });
  it('is never joined with one about an incident that has a message of its own, which is edited', () => {
    const edit = { id: 'a', purpose: 'group', messageId: null, attempts: 0, handle: { messageId: '1' } };
    const waiting = { ...edit, id: 'b', handle: null };
    expect(decideJoint([edit, waiting])).to.deep.equal([edit]);
    expect(decideJoint([waiting, edit, { ...waiting, id: 'c' }])).to.deep.equal([waiting]);
  });
});
