import { expect } from 'chai';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import type { Api } from '../../support/product.js';
import { create, seedMonitor } from '../../support/seed.js';
import { appForSuite, startedForSuite, worldForSuite } from '../../support/suite.js';

const MONITORS = 4;
const GROUPS = 2;
const PAGES = 20;
const CHANNELS = {
  email: { recipients: ['ops@example.test'] },
  slack: { webhookUrl: 'https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXX' },
  teams: { webhookUrl: 'https://acme.webhook.office.com/webhookb2/00000000-0000' },
  webhook: { url: 'https://hooks.example.test/watchpost' },
} as const;
const LIMITS = {
  monitors: MONITORS,
  emailGroups: GROUPS,
  slackGroups: GROUPS,
  msTeamsGroups: GROUPS,
  webhookGroups: GROUPS,
  smsGroups: GROUPS,
  teams: 2,
  extraRegions: 1,
};

interface Things {
  monitors: string[];
  groups: Record<string, string[]>;
  teams: string[];
  pages: string[];
}

describe('the transfer of a full workspace to a member on a smaller plan', () => {
  const app = appForSuite();
  const hostile = worldForSuite(app, 'Enterprise');
  const victim = startedForSuite(() => hostile.member('Viewer'));
  let own: Api;

  before(() => {
    own = app.as(victim.sub, { workspaceId: victim.workspaceId });
  });

  /** Created a second apart, so that their order is certain. */
  async function inOrder<Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> {
    const made: Made[] = [];
    for (let index = 0; index < count; index++) {
      app.clock.advance(1_000);
      made.push(await make(index));
    }
    return made;
  }

  async function fill(
    api: Api,
    name: string,
    counts: { monitors: number; each: number; pages: number },
  ): Promise<Things> {
    const idOf = async (made: Promise<{ id: string }>) => (await made).id;
    const settings = { enabledRegions: name === 'hostile' ? ['eastus2', 'japaneast'] : ['eastus2'] };
    const monitors = await inOrder(counts.monitors, () => idOf(seedMonitor({ api }, settings)));
    const groups: Record<string, string[]> = {};
    for (const [type, content] of Object.entries(CHANNELS)) {
      groups[type] = await inOrder(counts.each, (index) =>
        idOf(create(api, `/api/v1/action-groups/${type}`, { name: `${name} ${index}`, ...content })),
      );
    }
    groups['sms'] = await inOrder(counts.each, (index) =>
      idOf(
        create(api, `/api/v1/monitor/${monitors[0]}/sms-action-group`, {
          name: `${name} ${index}`,
          phoneNumbers: ['+353871234567'],
        }),
      ),
    );
    const teams = await inOrder(counts.each, (index) =>
      idOf(create(api, '/api/v1/teams', { name: `${name} ${index}` })),
    );
    const pages = await inOrder(counts.pages, (index) =>
      idOf(create(api, '/api/v1/status-page', { name, slug: `${name}-${index}`, isPublished: true, groups: [] })),
    );
    return { monitors, groups, teams, pages };
  }

  /** @returns which of these things are active */
  async function runningOf(api: Api, things: Things): Promise<Record<string, boolean[]>> {
    const state = async (path: string, ids: string[], is: (body: Record<string, unknown>) => boolean) =>
      Promise.all(ids.map(async (id) => is((await api('GET', `${path}/${id}`)).body)));
    const running: Record<string, boolean[]> = {
      monitors: await state(
        '/api/v1/monitor',
        things.monitors,
        ({ monitoringStatus }) => monitoringStatus === 'enabled',
      ),
      teams: await state('/api/v1/teams', things.teams, ({ planRestricted }) => planRestricted === false),
      pages: await state('/api/v1/status-page', things.pages, ({ isPublished }) => isPublished === true),
    };
    const { body } = await api('GET', '/api/v1/action-groups?pageSize=200');
    for (const [type, ids] of Object.entries(things.groups)) {
      running[`${type} groups`] = ids.map(
        (id) => body.find((group: { id: string }) => group.id === id).isEnabled as boolean,
      );
    }
    return running;
  }
  const countOf = (running: Record<string, boolean[]>) => Object.values(running).flat().filter(Boolean).length;

  it('changes nothing of what the new owner had, and pauses the newest of the transferred things', async () => {
    const theirs = await fill(hostile.api, 'hostile', { monitors: 6, each: 3, pages: 10 });
    await app.setPlan('Growth', LIMITS, victim);
    const mine = await fill(own, 'victim', { monitors: 3, each: 1, pages: 15 });
    const before = await runningOf(own, mine);
    const rows = () =>
      app.sql(
        `SELECT id, last_modified FROM monitor WHERE workspace_id = $1
         UNION ALL SELECT id, last_modified FROM action_group WHERE workspace_id = $1
         UNION ALL SELECT id, last_modified FROM status_page WHERE workspace_id = $1 ORDER BY 1`,
        [victim.workspaceId],
      );
    const untouched = await rows();

    // The newest things of the victim are newer than all transferred ones.
    await create(hostile.api, `/api/v1/workspaces/${hostile.workspaceId}/transfer-ownership`, {
      memberId: victim.memberId,
    });
    const after = await runningOf(own, mine);
    printFairnessFigure({
      attack: 11,
      measure: "things of the new owner's own in force",
      before: countOf(before),
      during: countOf(after),
      limit: 'all of them',
    });
    expect(after).to.deep.equal(before);
    expect(await rows()).to.deep.equal(untouched);

    const came = await runningOf(victim.api, theirs);
    const first = (fitting: number, of: number) => Array.from({ length: of }, (_, index) => index < fitting);
    expect(came).to.deep.equal({
      monitors: first(MONITORS - 3, 6),
      teams: first(1, 3),
      pages: first(PAGES - 15, 10),
      ...Object.fromEntries(Object.keys(theirs.groups).map((type) => [`${type} groups`, first(GROUPS - 1, 3)])),
    });
    for (const [api, id, planRestricted] of [
      [own, mine.monitors[0], []],
      [victim.api, theirs.monitors[0], ['japaneast']],
    ] as const) {
      expect((await api('GET', `/api/v1/monitor/${id}`)).body.planRestricted).to.deep.equal(planRestricted);
    }
  });

  it('pauses things that cannot be enabled one by one beyond the plan', async () => {
    const { body: pages } = await victim.api('GET', '/api/v1/status-page');
    const { body: monitors } = await victim.api('GET', '/api/v1/monitor');
    const page = pages.find(({ isPublished }: { isPublished: boolean }) => !isPublished);
    const monitor = monitors.find(
      ({ monitoringStatus }: { monitoringStatus: string }) => monitoringStatus === 'paused',
    );
    for (const [path, body] of [
      [`/api/v1/status-page/${page.id}`, { isPublished: true }],
      [`/api/v1/monitor/${monitor.id}`, { monitoringStatus: 'enabled' }],
    ] as const) {
      const refused = await victim.api('PUT', path, body);
      expect([refused.status, refused.body.error], path).to.deep.equal([403, 'plan_limit_exceeded']);
      expect(refused.body.details[0]).to.have.property('accepted');
    }
  });

  it('keeps its order at a later downgrade, which pauses the own things of the new owner last', async () => {
    await app.setPlan('Growth', { ...LIMITS, monitors: 3, teams: 1 }, victim);
    const { body: monitors } = await own('GET', '/api/v1/monitor');
    for (const { monitoringStatus } of monitors) expect(monitoringStatus).to.equal('enabled');
    const { body: teams } = await own('GET', '/api/v1/teams');
    expect(teams.map(({ planRestricted }: { planRestricted: boolean }) => planRestricted)).to.deep.equal([false]);
  });
});
