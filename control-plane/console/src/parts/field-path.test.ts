import { expect } from 'chai';
import { belongsTo, valueAt, withValueAt } from './field-path.js';

describe('A dotted path', () => {
  const values = { name: 'a', http: { headers: [{ name: 'x' }] } };

  it('reads and replaces a value inside objects and lists, and leaves the original', () => {
    expect(valueAt(values, 'http.headers.0.name')).to.equal('x');
    expect(valueAt(values, 'ssl.days')).to.equal(undefined);
    const next = withValueAt(values, 'http.headers.0.name', 'y');
    expect(next.http.headers).to.deep.equal([{ name: 'y' }]);
    expect(values.http.headers).to.deep.equal([{ name: 'x' }]);
  });

  it('belongs to a field and its parts, and to no field that begins alike', () => {
    expect(belongsTo('http.headers.0', 'http')).to.equal(true);
    expect(belongsTo('httpVersion', 'http')).to.equal(false);
  });
});
