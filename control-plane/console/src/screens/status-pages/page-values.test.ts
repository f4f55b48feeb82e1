import { expect } from 'chai';
import {
  bodyOf,
  groupsText,
  placeGroup,
  placeSystem,
  placeText,
  slugOf,
  stepSystem,
  type PageValues,
} from './page-values.js';

const system = (name: string) => ({
  name,
  monitorId: name,
  serviceGroupId: null,
  overrideStatus: null,
  overrideMessage: null,
});
const GROUPS = [
  { name: 'One', systems: ['a', 'b'].map(system) },
  { name: 'Two', systems: ['c'].map(system) },
];
const VALUES: PageValues = {
  name: 'Acme',
  slug: 'acme',
  description: '',
  showIncidentHistory: true,
  notifyIncidents: false,
  banner: null,
  theme: 'auto',
  groups: GROUPS,
};

describe('The order of a status page', () => {
  it('changes by steps within a group, and over its edges into the next one', () => {
    expect(groupsText(stepSystem(GROUPS, 'a', 1))).to.equal('One: b, a; Two: c');
    expect(groupsText(stepSystem(GROUPS, 'b', 1))).to.equal('One: a; Two: b, c');
    expect(groupsText(stepSystem(GROUPS, 'c', -1))).to.equal('One: a, b, c; Two: empty');
    expect(groupsText(stepSystem(GROUPS, 'a', -1))).to.equal(groupsText(GROUPS));
    expect(placeText(stepSystem(GROUPS, 'b', 1), 'b')).to.equal('b is 1 of 2 in Two');
  });

  it('changes by dropping a system or a group elsewhere', () => {
    expect(groupsText(placeSystem(GROUPS, 'a', 1, 1))).to.equal('One: b; Two: c, a');
    expect(groupsText(placeGroup(GROUPS, 1, 0))).to.equal('Two: c; One: a, b');
    expect(groupsText(placeGroup(GROUPS, 0, 2))).to.equal(groupsText(GROUPS));
  });
});

describe('The slug that is suggested for a name', () => {
  it('has letters, digits and hyphens, and is never too short or too long', () => {
    expect(slugOf('Acme & Söhne GmbH')).to.equal('acme-sohne-gmbh');
    expect(slugOf('X')).to.equal('x-status');
    expect(slugOf('日本')).to.equal('');
    expect(slugOf('a'.repeat(80))).to.have.length(63);
  });
});

describe('Edits of a status page', () => {
  it('are sent without empty texts', () => {
    const systems = [{ ...system('a'), overrideMessage: ' ' }];
    const body = bodyOf({ ...VALUES, groups: [{ name: 'One', systems }] });
    expect(body).to.deep.include({ groups: [{ name: 'One', systems: [system('a')] }] });
  });
});
