import { expect } from 'chai';
import fc from 'fast-check';
import { eventIdOf, parseEventId } from './event-position.js';

describe('the id of an event', () => {
  it('is read as it was written', () => {
    const xids = fc.uniqueArray(fc.bigInt(1n, 10n ** 15n), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(), xids, fc.constantFrom('', 'Zk3_x-91aQ0b'), (atMs, unordered, history) => {
        const running = unordered.toSorted((a, b) => (a < b ? -1 : 1));
        const snapshot = `${running[0]}:${running.at(-1)! + 1n}:${running.join(',')}`;
        const position = { atMs, snapshot, history };
        expect(parseEventId(eventIdOf(position))).to.deep.equal(position);
      }),
    );
  });

  const NO_IDS = [
    '',
    '7',
    '5-1:2',
    '5-0:1:',
    '5-3:2:',
    '5-1:3:3',
    '5-2:5:1',
    '5-1:9:4,4',
    '5-1:9:5,4',
    '5-1:2:\n',
    '5-1:2:@',
    '5-1:2:@a b',
    'x',
  ];
  for (const text of [...NO_IDS, `1-1:9000:${'1,'.repeat(5_000)}2`]) {
    it(`${JSON.stringify(text.slice(0, 20))} is none`, () => {
      expect(parseEventId(text)).to.equal(null);
    });
  }

  it('is not what anybody may send', () => {
    fc.assert(fc.property(fc.string(), (text) => parseEventId(text) === null || /^\d+-\d/.test(text)));
  });
});
