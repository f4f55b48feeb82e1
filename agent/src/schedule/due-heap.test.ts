import { expect } from 'chai';
import fc from 'fast-check';
import { DueHeap, type Due } from './due-heap.js';

const command = fc.oneof(
  fc.record({ do: fc.constant('push' as const), at: fc.nat(1000) }),
  fc.record({ do: fc.constant('pop' as const) }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat(1000) }),
  fc.record({ do: fc.constant('move' as const), at: fc.nat(1000), to: fc.nat(1000) }),
);

describe('the heap of due checks', () => {
  it('returns the earliest item after any sequence of pushes, removals and moves', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const heap = new DueHeap<Due>();
        const model: Due[] = [];
        for (const step of commands) {
          const chosen = 'at' in step && model.length > 0 ? model[step.at % model.length] : undefined;
          if (step.do === 'push') {
            const item = { dueMs: step.at, heapIndex: -1 };
            model.push(item);
            heap.push(item);
          } else if (step.do === 'pop') {
            const first = heap.pop();
            expect(first?.dueMs).to.equal(model.length > 0 ? Math.min(...model.map((item) => item.dueMs)) : undefined);
            if (first) model.splice(model.indexOf(first), 1);
          } else if (step.do === 'remove' && chosen) {
            heap.remove(chosen);
            model.splice(model.indexOf(chosen), 1);
          } else if (step.do === 'move' && chosen) {
            chosen.dueMs = step.to;
            heap.moved(chosen);
          }
          expect(heap.size).to.equal(model.length);
          heap.values().forEach((item, index) => expect(item.heapIndex).to.equal(index));
        }
        const drained: number[] = [];
        for (let item = heap.pop(); item; item = heap.pop()) drained.push(item.dueMs);
        expect(drained).to.deep.equal(model.map((item) => item.dueMs).toSorted((a, b) => a - b));
      }),
    );
  });
});
