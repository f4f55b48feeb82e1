import { expect } from 'chai';
import { app, SUBJECTS } from './subject.js';
import { EXAMPLES } from './examples/index.js';
import { rowKey, SPEC_ROWS } from './spec-rows.js';

/** Rows of the specification that no route serves yet. A row that is served must be removed from this list. */
const NOT_YET: readonly string[] = [];

describe('the contract suite', () => {
  it('has an example of every route, and no example without a route', () => {
    const routes = app.routes.map(({ operationId }) => operationId);
    const examples = Object.keys(EXAMPLES);
    expect(
      routes.filter((id) => !examples.includes(id)),
      'routes without an example in test/contract/examples',
    ).to.deep.equal([]);
    expect(
      examples.filter((id) => !routes.includes(id)),
      'examples without a route',
    ).to.deep.equal([]);
  });

  it('has a row of the interface documents for every route', () => {
    expect(SUBJECTS.filter(({ row }) => !row).map(({ title }) => title)).to.deep.equal([]);
  });

  it('finds every endpoint of the specification served, except the listed ones', () => {
    const served = new Set(app.routes.map(rowKey));
    const missing = SPEC_ROWS.filter((row) => row.isInSpec && !served.has(rowKey(row)));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).to.have.members([...NOT_YET]);
  });
});
