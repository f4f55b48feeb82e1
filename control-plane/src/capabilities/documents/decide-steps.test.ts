import { expect } from 'chai';
import type { Action, PlannedChange } from './decide-plan.js';
import { decideSteps } from './decide-steps.js';
import type { Section } from '../../platform/documents/document-section.js';

const change = (action: Action, kind: Section, key: string, fields: object = {}): PlannedChange => {
  const given = { name: key, ...fields };
  const desired = { section: kind, key, id: key, given, fields: given, secrets: {} };
  return { action, kind, key, id: key, fields: {}, desired: action === 'delete' ? undefined : desired };
};
const keysOf = (changes: PlannedChange[]) => decideSteps(changes).map((step) => step.map(({ key }) => key).join(' '));

describe('the steps of a plan', () => {
  it('do the same for all that follow each other', () => {
    const steps = keysOf([
      change('create', 'serviceGroups', 'g1'),
      change('create', 'serviceGroups', 'g2'),
      change('create', 'monitors', 'a', { serviceGroup: 'g1' }),
      change('unchanged', 'monitors', 'b'),
      change('create', 'monitors', 'c'),
      change('update', 'monitors', 'd'),
      change('update', 'monitors', 'e', { dependsOn: ['d'] }),
      change('create', 'monitors', 'f'),
      change('orphan', 'monitors', 'g'),
      change('delete', 'monitors', 'h'),
    ]);
    expect(steps).to.deep.equal(['h', 'g1 g2', 'a c', 'd e', 'f']);
  });

  it('delete first what may be in the way, and service groups when their monitors have left', () => {
    const steps = keysOf([
      change('create', 'serviceGroups', 'new-group'),
      change('update', 'monitors', 'a', { serviceGroup: 'new-group' }),
      change('create', 'statusPages', 'new-page'),
      change('delete', 'statusPages', 'page'),
      change('delete', 'monitors', 'b'),
      change('delete', 'monitors', 'c'),
      change('delete', 'actionGroups', 'chat'),
      change('delete', 'serviceGroups', 'group'),
    ]);
    expect(steps).to.deep.equal(['page', 'b c', 'chat', 'new-group', 'a', 'new-page', 'group']);
  });

  it('create what others refer to in an earlier step', () => {
    const steps = keysOf([
      change('create', 'monitors', 'host'),
      change('create', 'monitors', 'db', { dependsOn: ['host'] }),
      change('create', 'monitors', 'cache', { dependsOn: ['host'] }),
      change('create', 'monitors', 'api', { dependsOn: ['db', 'cache'] }),
    ]);
    expect(steps).to.deep.equal(['host', 'db cache', 'api']);
  });

  it('have a bounded number of changes, each of them once and in order', () => {
    const changes = Array.from({ length: 203 }, (_, at) => change('create', 'monitors', `m${at}`));
    const steps = decideSteps(changes);
    expect(steps.map(({ length }) => length)).to.deep.equal([100, 100, 3]);
    expect(steps.flat()).to.deep.equal(changes);
  });
});
