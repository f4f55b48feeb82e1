import { expect } from 'chai';
import { app } from './subject.js';
import { EXAMPLES } from './examples/index.js';
import { reviewedTable, rowKey, SPECIFICATION, tableOf } from './route-table.js';
import { AUDIT_ACTIONS } from '@watchpost/control-plane/capabilities/audit/audit-actions';

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

  it('has the access and the audit of every route in its reviewed table', () => {
    const current = tableOf(app.routes);
    expect(current, 'UPDATE_SNAPSHOTS=1 npm test -- contract/coverage writes test/contract/routes.txt').to.equal(
      reviewedTable(current),
    );
  });

  it('finds every endpoint of the specification served, with its scope and role, except the listed ones', () => {
    const served = new Map(app.routes.map((route) => [rowKey(route), route]));
    const missing = SPECIFICATION.filter((row) => !served.has(rowKey(row)));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).to.have.members([...NOT_YET]);
    for (const row of SPECIFICATION) {
      const route = served.get(rowKey(row));
      if (!route) continue;
      const { method, path, scope, role } = row;
      expect(route.role, `${method} ${path}`).to.equal(role);
      if (scope === null) expect(route.scopes, path).to.equal('anonymous');
      else expect(route.scopes, `${method} ${path}`).to.include(scope);
    }
  });

  it('knows every audit action that a route names', () => {
    const named = app.routes.flatMap(({ audits = [] }) => ('none' in audits ? [] : audits));
    expect(AUDIT_ACTIONS).to.include.members(named);
  });
});
