import { expect } from 'chai';
import fc from 'fast-check';
import { createEventParser } from './parse-event-stream.js';

const TEXT =
  ': hello\n\nid: 6\n\nid: 7\nevent: monitor\ndata: {"id":"a"}\n\ndata: one\ndata: two\r\n\r\n: again\n\nevent: lost\n';

describe('The event stream', () => {
  it('is read the same however its text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 8 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), TEXT.length];
        const parse = createEventParser();
        const events = edges.slice(1).flatMap((end, index) => parse(TEXT.slice(edges[index], end)));
        expect(events).to.deep.equal([
          { event: '', data: '', id: '6' },
          { event: 'monitor', data: '{"id":"a"}', id: '7' },
          { event: 'message', data: 'one\ntwo', id: '7' },
        ]);
      }),
    );
  });
});
