import { expect } from 'chai';
import fc from 'fast-check';
import { orderByDependency } from './order-by-dependency.js';

const keys = ['a', 'b', 'c', 'd', 'e'];
const monitor = (key: string, dependsOn: readonly string[]) => ({ section: 'monitors', key, fields: { dependsOn } });

describe('The order of the monitors of a document', () => {
  it('has each behind what it depends on, and the others where they are', () => {
    const page = { section: 'statusPages', key: 'page', fields: {} };
    const { ordered, circles } = orderByDependency([
      monitor('a', ['b', 'c']),
      page,
      monitor('b', []),
      monitor('c', ['b']),
    ]);
    expect(ordered.map(({ key }) => key)).to.deep.equal(['b', 'page', 'c', 'a']);
    expect(circles).to.deep.equal([]);
  });

  it('reports a circle at a monitor in it', () => {
    const { circles } = orderByDependency([monitor('a', ['b']), monitor('b', ['a'])]);
    expect(circles).to.deep.equal([{ path: ['monitors', 'b', 'dependsOn'], message: 'closes a circle with a' }]);
    expect(orderByDependency([monitor('a', ['a'])]).circles).to.have.length(1);
  });

  it('loses none, and is right wherever no circle is reported', () => {
    const edges = fc.tuple(...keys.map(() => fc.uniqueArray(fc.constantFrom(...keys, 'elsewhere'), { maxLength: 3 })));
    fc.assert(
      fc.property(edges, (lists) => {
        const { ordered, circles } = orderByDependency(keys.map((key, index) => monitor(key, lists[index]!)));
        expect(ordered.map(({ key }) => key).toSorted()).to.deep.equal(keys);
        const placeOf = (key: string) => ordered.findIndex((one) => one.key === key);
        const isOrdered = ordered.every((one, place) => one.fields.dependsOn.every((cause) => placeOf(cause) < place));
        expect(isOrdered).to.equal(circles.length === 0);
      }),
    );
  });

  it('takes a chain of thousands', () => {
    const chain = Array.from({ length: 5_000 }, (_, index) => monitor(`m${index}`, [`m${index + 1}`]));
    expect(orderByDependency(chain).ordered[0]!.key).to.equal('m4999');
  });
});
