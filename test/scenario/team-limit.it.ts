import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { readCalendar } from '@watchpost/control-plane/capabilities/on-call/read-on-call';
import { create, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { breakDown, type Person, repair, type Site, startStage, timelineOf } from './stage.js';

describe('a team beyond the limit of a smaller plan', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  let people: { first: Person; second: Person; lead: Person };
  let sites: { first: Site; second: Site };
  let paths: { first: string; second: string };

  beforeEach(async () => {
    world = await stage.newWorld(stage.app.clock.now() + 60 * MINUTE_MS);
    people = {
      first: await stage.join(world, 'first'),
      second: await stage.join(world, 'second'),
      lead: await stage.join(world, 'lead'),
    };
    sites = { first: await stage.watch(world, 'Shop'), second: await stage.watch(world, 'Blog') };
    const first = await stage.routeTo(world, sites.first, { turns: [people.first], name: 'Web' });
    stage.app.clock.advance(SECOND_MS);
    const second = await stage.routeTo(world, sites.second, {
      turns: [people.second],
      leads: [people.lead],
      name: 'Night watch',
    });
    paths = { first, second };
  });

  const WHY =
    'The plan Growth has at most 1 team, and Night watch is beyond it: delete another team or change to Growth.';
  const downgrade = () => stage.app.setPlan('Growth', { teams: 1 }, world.owner);
  const restricted = async () => {
    const { body } = await world.api('GET', '/api/v1/teams');
    return Object.fromEntries(
      body.map((team: { name: string; planRestricted: boolean }) => [team.name, team.planRestricted]),
    );
  };
  const onCall = async (path: string) => (await world.api('GET', `${path}/oncall`)).body.user?.userId ?? null;

  it('is kept, shown as restricted and pages nobody, not even its leads; the newest teams are restricted first', async () => {
    expect(await restricted()).to.deep.equal({ Web: false, 'Night watch': false });
    await downgrade();
    expect(await restricted()).to.deep.equal({ Web: false, 'Night watch': true });
    expect((await world.api('GET', paths.second)).body.planRestricted).to.equal(true);
    expect((await world.api('GET', `${paths.second}/schedule`)).body).to.include({
      planRestricted: true,
      rotation: 'daily',
    });
    expect([await onCall(paths.first), await onCall(paths.second)]).to.deep.equal([people.first.userId, null]);
    const { content } = await readCalendar(
      stage.app,
      { workspace: { workspaceId: world.workspaceId } },
      paths.second.split('/').at(-1)!,
    );
    expect(content).to.deep.include({ events: [] });

    const { body: preview } = await world.api('GET', `/api/v1/monitor/${sites.second.id}/alert-preview`);
    expect(preview).to.deep.include({ willAnyoneBePaged: false });
    expect(preview.teams[0]).to.include({ planRestricted: true });
    expect(preview.teams[0].steps.map(({ why }: { why: string }) => why)).to.deep.equal([WHY, WHY, WHY]);

    const incidentId = await breakDown(stage, world, sites.second);
    await stage.pass(25 * MINUTE_MS, sites.second);
    expect([people.second, people.lead].map((person) => stage.heard(person))).to.deep.equal([0, 0]);
    const events = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notification_failed');
    expect(events.map(({ detail }) => detail['reason'])).to.include(WHY);

    await breakDown(stage, world, sites.first);
    expect(stage.heard(people.first)).to.equal(1);
  });

  it('pages again once the plan covers it, after an upgrade or the deletion of another team', async () => {
    for (const cover of [
      () => stage.app.setPlan('Enterprise', {}, world.owner),
      async () => expect((await world.api('DELETE', paths.first)).status).to.equal(204),
    ]) {
      await downgrade();
      expect(await onCall(paths.second)).to.equal(null);
      await cover();
      expect((await restricted())['Night watch']).to.equal(false);
      expect(await onCall(paths.second)).to.equal(people.second.userId);
      const before = stage.heard(people.second);
      await breakDown(stage, world, sites.second);
      expect(stage.heard(people.second)).to.equal(before + 1);
      await repair(stage, sites.second);
    }
  });

  it('is counted over all workspaces of the owner, and can be changed and deleted', async () => {
    const elsewhere = stage.app.as(world.owner.sub, { workspaceId: world.owner.workspaceId });
    stage.app.clock.advance(SECOND_MS);
    const newest = await create(elsewhere, '/api/v1/teams', { name: 'Elsewhere' });
    await stage.app.setPlan('Growth', { teams: 2 }, world.owner);
    expect(await restricted()).to.deep.equal({ Web: false, 'Night watch': false });
    const path = `/api/v1/teams/${newest.id}`;
    expect((await elsewhere('GET', path)).body.planRestricted).to.equal(true);
    expect((await elsewhere('PATCH', path, { name: 'Ops' })).body).to.include({ name: 'Ops', planRestricted: true });
    const refused = await elsewhere('POST', '/api/v1/teams', { name: 'One more' });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'plan_limit_exceeded']);
    expect((await elsewhere('DELETE', path)).status).to.equal(204);
  });
});
