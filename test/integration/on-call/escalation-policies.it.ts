import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { create, makeWorld } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { seedRotation, type SeededTeam } from './world.js';

describe('Escalation policies', () => {
  const app = appForSuite();
  const world = worldForEach(app, 'Enterprise');
  let team: SeededTeam;
  let path: string;

  beforeEach(async () => {
    team = await seedRotation(world);
    path = `${team.path}/escalation-policies`;
  });
  const list = async (): Promise<Json[]> => (await world.api('GET', path)).body as Json[];
  const step = (...targets: object[]) => ({ after: 'PT0S', targets });

  it('are the built-in one until others come before it, and it cannot be changed', async () => {
    const [builtIn, ...more] = await list();
    expect(more).to.deep.equal([]);
    expect(builtIn).to.deep.include({ id: team.id, builtIn: true, repeat: 0, ackTimeout: null, problems: [] });
    expect(builtIn!['steps'].map(({ after, targets }: Json) => [after, targets])).to.deep.equal([
      ['PT0S', [{ type: 'onCall' }]],
      ['PT10M', [{ type: 'onCall' }]],
      ['PT10M', [{ type: 'leads' }]],
    ]);
    for (const [method, body] of [
      ['PATCH', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const)
      expect((await world.api(method, `${path}/${team.id}`, body)).status, method).to.equal(400);
    const made = await create(world.api, path, { name: 'All', steps: [step({ type: 'team' })] });
    expect(made).to.deep.include({ builtIn: false, severities: ['down', 'partial', 'warning'], repeat: 0 });
    expect((await list()).map(({ name }) => name)).to.deep.equal(['All', 'Built-in']);
    const changed = await create(
      world.api,
      `${path}/${made.id}`,
      { severities: ['warning', 'down'], ackTimeout: 'PT90M' },
      'PATCH',
    );
    expect(changed).to.deep.include({ name: 'All', severities: ['down', 'warning'], ackTimeout: 'PT1H30M' });
    expect((await world.api('DELETE', `${path}/${made.id}`)).status).to.equal(204);
    expect(await list()).to.have.length(1);
    const { body: entries } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?targetId=${made.id}`,
    );
    expect((entries as Json[]).map(({ action }) => action)).to.have.members([
      'escalation_policy.deleted',
      'escalation_policy.updated',
      'escalation_policy.created',
    ]);
  });

  it('name every fault at once, and no target of another workspace or team', async () => {
    const stranger = await makeWorld(app, 'Enterprise');
    const theirs = await seedRotation(stranger);
    const other = await seedRotation(world);
    const [{ id: otherSchedule }] = (await world.api('GET', `${other.path}/schedules`)).body as [{ id: string }];
    const { id: group } = await create(stranger.api, '/api/v1/action-groups/email', {
      name: 'Ops',
      recipients: ['ops@example.com'],
    });
    const pathsOf = async (body: object) => {
      const answer = await world.api('POST', path, { name: 'Wrong', ...body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
      return answer.body.details.map((one: Json) => one['path']);
    };
    expect(
      await pathsOf({
        steps: [
          step({ type: 'user', id: theirs.ann.userId }, { type: 'user', id: team.ann.userId }),
          step({ type: 'actionGroup', id: group }, { type: 'onCall', scheduleId: otherSchedule }),
        ],
      }),
    ).to.deep.equal(['steps.0.targets.0', 'steps.1.targets.0', 'steps.1.targets.1']);
    expect(
      await pathsOf({
        severities: [],
        steps: [{ after: 'PT25H', targets: [] }],
        repeat: 10,
        ackTimeout: 'PT14M',
      }),
    ).to.have.members(['severities', 'steps.0.after', 'steps.0.targets', 'repeat', 'ackTimeout']);
    expect((await stranger.api('GET', path)).status).to.equal(404);
    for (let at = 0; at < 10; at++) await create(world.api, path, { name: `P${at}`, steps: [step({ type: 'leads' })] });
    await pathsOf({ steps: [step({ type: 'leads' })] });
  });

  it('show targets that are gone or reach nobody, and keep them', async () => {
    const { id: group } = await create(world.api, '/api/v1/action-groups/email', {
      name: 'Ops',
      recipients: ['ops@example.com'],
    });
    const { id: scheduleId } = await create(world.api, `${team.path}/schedules`, {
      name: 'Second',
      layers: [{ name: 'Days', rotation: { unit: 'day' }, startDate: '2026-11-16', participants: [team.bob.userId] }],
    });
    const targets = [
      { type: 'user', id: team.cyd.userId },
      { type: 'actionGroup', id: group },
      { type: 'onCall', scheduleId },
    ];
    const { id } = await create(world.api, path, { name: 'Wide', steps: [step(...targets)] });
    await team.cyd.api('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/me`);
    await world.api('DELETE', `/api/v1/action-groups/${group}`);
    await world.api('DELETE', `${team.path}/schedules/${scheduleId}`);
    const { body } = await world.api('GET', `${path}/${id}`);
    expect(body.steps[0].targets).to.deep.equal(targets);
    expect(body.problems.map((one: Json) => one['path'])).to.deep.equal([0, 1, 2].map((at) => `steps.0.targets.${at}`));
    const [me, prefer] = [`/api/v1/workspaces/${world.workspaceId}/members/me`, { email: false }];
    await create(team.bob.api, me, { notificationPreferences: prefer }, 'PATCH');
    const { id: off } = await create(world.api, '/api/v1/action-groups/webhook', {
      name: 'Off',
      url: 'https://off.example/',
    });
    await create(world.api, `/api/v1/action-groups/webhook/${off}`, { isEnabled: false }, 'PUT');
    const mute = step(
      { type: 'team' },
      { type: 'leads' },
      { type: 'user', id: team.bob.userId },
      { type: 'onCall' },
      { type: 'actionGroup', id: off },
    );
    const { problems } = await create<Json>(world.api, `${path}/${id}`, { steps: [mute] }, 'PATCH');
    expect(problems.map(({ path: at, message }: Json) => [at.slice(-1), message])).to.deep.equal([
      ['1', 'has no lead who can be paged'],
      ['2', 'cannot be paged by any channel'],
      ['4', 'notifies nobody now'],
    ]);
    const mended = await create(world.api, `${path}/${id}`, { steps: [step({ type: 'team' })] }, 'PATCH');
    expect(mended['problems']).to.deep.equal([]);
  });

  it('are set by Admins, where the plan has rotations', async () => {
    const body = { name: 'Mine', steps: [step({ type: 'leads' })] };
    expect((await team.bob.api('POST', path, body)).status).to.equal(403);
    expect((await (await world.member('Viewer')).api('GET', path)).status).to.equal(200);
    await create(team.ann.api, path, body);
    await app.setPlan('Starter', {}, world.owner);
    const refused = await world.api('POST', path, body);
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'feature_not_in_plan']);
  });
});
