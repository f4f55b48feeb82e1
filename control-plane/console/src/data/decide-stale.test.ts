import { expect } from 'chai';
import { decideStale, type EventKind } from './decide-stale.js';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';
const PATHS = [
  '/api/v1/overview',
  '/api/v1/monitor?page=2',
  `/api/v1/monitor/${A}`,
  `/api/v1/monitor/${B}/results`,
  `/api/v1/monitor-charts?monitorId=${B}`,
  `/api/v1/incident/${A}`,
  '/api/v1/regions',
  '/api/v1/workspaces',
  `/api/v1/workspaces/${A}/members?page=1`,
  `/api/v1/workspaces/${A}/invitations`,
  '/api/v1/api-keys',
];
const stale = (kind: EventKind, id = '') => PATHS.filter((path) => decideStale(path, { kind, id }));

describe('An event', () => {
  it('of a monitor makes lists and that monitor stale, and no other monitor', () => {
    expect(stale('monitor', A)).to.deep.equal([PATHS[0], PATHS[1], PATHS[2], PATHS[4]]);
  });

  it('of an incident makes it, its lists and monitors stale', () => {
    expect(stale('incident', B)).to.deep.equal([PATHS[0], PATHS[1], PATHS[2], PATHS[3], PATHS[4]]);
  });

  it('of the fleet makes regions stale', () => {
    expect(stale('fleet', 'us')).to.deep.equal([PATHS[0], PATHS[6]]);
  });

  it('of people and keys makes their lists stale', () => {
    expect(stale('member', A)).to.deep.equal(PATHS.slice(7, 10));
    expect(stale('invitation', A)).to.deep.equal(PATHS.slice(7, 10));
    expect(stale('apiKey', A)).to.deep.equal([PATHS[10]]);
  });

  it('that resets makes everything stale', () => {
    expect(stale('reset')).to.deep.equal(PATHS);
  });
});
