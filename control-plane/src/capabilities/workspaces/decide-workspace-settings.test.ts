import { expect } from 'chai';
import { decideWorkspaceSettings, movesVerdicts } from './decide-workspace-settings.js';
import { isTimeZone } from './time-zone.js';

const OWN = {
  timezone: 'Europe/Dublin',
  autoCloseIncidents: false,
  incidentQuorum: 'all' as const,
  defaultActionGroupIds: ['a', 'b'],
  roleMapping: { ops: 'Admin' as const },
};

describe('The settings of a workspace', () => {
  it('are the defaults where it has none', () => {
    expect(decideWorkspaceSettings(null, undefined)).to.deep.equal({
      timezone: 'UTC',
      autoCloseIncidents: true,
      incidentQuorum: 'majority',
      defaultActionGroupIds: [],
      roleMapping: {},
    });
  });

  it('change where a patch names them; null sets one back, or all', () => {
    expect(decideWorkspaceSettings(OWN, { incidentQuorum: 'any' })).to.deep.equal({ ...OWN, incidentQuorum: 'any' });
    expect(decideWorkspaceSettings(OWN, { autoCloseIncidents: null }).autoCloseIncidents).to.equal(true);
    expect(decideWorkspaceSettings(OWN, null)).to.deep.equal(decideWorkspaceSettings(null, undefined));
    expect(decideWorkspaceSettings(OWN, undefined)).to.deep.equal(OWN);
  });

  it('merge the mapping of roles by value; null removes one, or all', () => {
    const { roleMapping } = decideWorkspaceSettings(OWN, {
      roleMapping: { staff: 'Viewer', ops: 'Editor', none: null },
    });
    expect(roleMapping).to.deep.equal({ ops: 'Editor', staff: 'Viewer' });
    expect(decideWorkspaceSettings(OWN, { roleMapping: { ops: null } }).roleMapping).to.deep.equal({});
    expect(decideWorkspaceSettings(OWN, { roleMapping: null }).roleMapping).to.deep.equal({});
  });

  it('name an action group once', () => {
    expect(
      decideWorkspaceSettings(OWN, { defaultActionGroupIds: ['b', 'b', 'a'] }).defaultActionGroupIds,
    ).to.deep.equal(['b', 'a']);
  });

  it('move verdicts by quorum and closing only', () => {
    expect(movesVerdicts(OWN, { ...OWN, timezone: 'UTC', defaultActionGroupIds: [] })).to.equal(false);
    expect(movesVerdicts(OWN, { ...OWN, incidentQuorum: 'any' })).to.equal(true);
    expect(movesVerdicts(OWN, { ...OWN, autoCloseIncidents: true })).to.equal(true);
  });

  it('have a time zone of the IANA database', () => {
    for (const name of ['UTC', 'Europe/Dublin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
      expect(isTimeZone(name), name).to.equal(true);
    for (const name of ['', 'Mars/Base', '+01:00', '-0100', 'Europe/Dublin ', '../etc/passwd', 'x'.repeat(64)])
      expect(isTimeZone(name), name).to.equal(false);
    for (const name of ['IST', 'PST', 'bst', 'T10:00+01:00[Europe/Berlin]'])
      expect(isTimeZone(name), name).to.equal(false);
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).to.deep.equal([]);
  });
});
