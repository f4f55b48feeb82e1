import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { TestMember } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { openTogether, timelineOf } from '../../support/seed-alerts.js';
import { appForSuite } from '../../support/suite.js';
import { NOON } from '../results/seed.js';

describe('Paging by the routing of teams that changes', () => {
  const app = appForSuite();
  let world: World;
  let ann: TestMember;
  let lea: TestMember;
  let monitorId: string;
  let serviceGroupId: string;
  let web: string;
  let night: string;

  beforeEach(async () => {
    await app.sql('DELETE FROM incident_paging');
    app.clock.set(NOON);
    world = await makeWorld(app, 'Pro');
    [ann, lea] = [await world.member('Responder'), await world.member('Admin')];
    serviceGroupId = (await create(world.api, '/api/v1/service-group', { name: 'Shop' })).id;
    monitorId = (await seedMonitor(world, { serviceGroupId })).id;
    web = await team('Web', ann, ['PT0S', 'PT10M']);
    night = await team('Night shift', lea, ['PT0S']);
  });

  /** A team that pages a person by steps after these times. */
  async function team(name: string, { userId }: TestMember, afters: string[]): Promise<string> {
    const { id } = await create(world.api, '/api/v1/teams', { name });
    const steps = afters.map((after) => ({ after, targets: [{ type: 'user', id: userId }] }));
    await create(world.api, `/api/v1/teams/${id}/escalation-policies`, { name: 'All', steps });
    return id;
  }
  const path = (teamId: string) => `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`;
  const route = (teamId: string) => create(world.api, path(teamId), undefined, 'PUT');
  const unroute = async (teamId: string) => expect((await world.api('DELETE', path(teamId))).status).to.equal(204);
  const open = async () => (await openTogether(world, [monitorId]))[0]!;
  const acknowledge = (incident: string, acknowledged: boolean) =>
    create(ann.api, `/api/v1/incident/${incident}`, { acknowledged }, 'PATCH');
  /** Works now and after some minutes. @returns who was paged in all */
  async function pagesOf(incident: string, minutes = 0): Promise<string[]> {
    const work = () => app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
    await work();
    app.clock.advance(minutes * MINUTE_MS);
    await work();
    const rows = await app.sql<{ address: string }>(
      `SELECT d.address FROM delivery d JOIN alert_event e ON e.id = d.event_id
       WHERE e.incident_id = $1 AND d.purpose LIKE 'page:%' ORDER BY d.seq`,
      [incident],
    );
    return rows.map(({ address }) => (address === ann.email ? 'ann' : 'lea'));
  }
  const reasons = async (incident: string) =>
    (await timelineOf(world, incident)).flatMap(({ type, detail }) =>
      type === 'notification_failed' ? [detail['reason']] : [],
    );

  it('of a service group takes effect at once for what is not sent', async () => {
    await route(web);
    const incident = await open();
    expect(await pagesOf(incident)).to.deep.equal(['ann']);
    await route(night);
    expect(await pagesOf(incident), 'a further team').to.deep.equal(['ann', 'lea']);
    await unroute(web);
    expect(await pagesOf(incident, 60), 'no step of the former').to.deep.equal(['ann', 'lea']);
    expect(await reasons(incident)).to.deep.equal(['The monitor does not page Web any more.']);
    await unroute(night);
    await route(web);
    expect(await pagesOf(incident), 'back').to.deep.equal(['ann', 'lea', 'ann']);
    expect(await reasons(incident)).to.have.length(2);
    await acknowledge(incident, true);
    await unroute(web);
    await route(night);
    expect(await pagesOf(incident, 60), 'somebody has it').to.have.length(3);
    await acknowledge(incident, false);
    expect(await pagesOf(incident)).to.deep.equal(['ann', 'lea', 'ann', 'lea']);
  });

  it('pages each team once, whichever is routed first, and one that has taken its steps not again', async () => {
    await route(web);
    const incident = await open();
    await pagesOf(incident);
    await unroute(web);
    await route(night);
    expect(await pagesOf(incident, 60)).to.deep.equal(['ann', 'lea']);
    await route(web);
    await unroute(night);
    expect(await pagesOf(incident, 60)).to.deep.equal(['ann', 'lea', 'ann', 'ann']);
    await route(night);
    await pagesOf(incident);
    await unroute(night);
    await create(world.api, `/api/v1/monitor/${monitorId}`, { tags: ['shop'] }, 'PUT');
    expect(await pagesOf(incident, 60), 'Web, whose steps are taken').to.deep.equal([
      'ann',
      'lea',
      'ann',
      'ann',
      'lea',
    ]);
  });

  it('begins for a monitor that paged no team when its incident opened', async () => {
    const incident = await open();
    expect(await pagesOf(incident)).to.deep.equal([]);
    const move = (body: object) => create(world.api, `/api/v1/monitor/${monitorId}`, body, 'PUT');
    await move({ serviceGroupId: null });
    await move({ teamId: night });
    expect(await pagesOf(incident, 60)).to.deep.equal(['lea']);
    await move({ teamId: null });
    expect(await pagesOf(incident)).to.deep.equal(['lea']);
    await move({ teamId: web });
    expect(await pagesOf(incident)).to.deep.equal(['lea', 'ann']);
    await acknowledge(incident, true);
    await create(ann.api, `/api/v1/incident/${incident}`, { status: 'Resolved' }, 'PATCH');
    await move({ teamId: night });
    expect(await pagesOf(incident, 60), 'it is over').to.deep.equal(['lea', 'ann']);
  });

  it('states on the timeline that a team is deleted while it pages', async () => {
    await route(web);
    await route(night);
    const incident = await open();
    expect(await pagesOf(incident)).to.have.members(['ann', 'lea']);
    for (const id of [web, night]) expect((await world.api('DELETE', `/api/v1/teams/${id}`)).status).to.equal(204);
    expect(await pagesOf(incident, 60)).to.have.length(2);
    expect(await reasons(incident), 'Night shift had no step left').to.deep.equal([
      'Web has been deleted, and pages nobody any more.',
    ]);
  });
});
