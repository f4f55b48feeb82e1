import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { seedGroup } from '../support/seed-alerts.js';
import { BROKEN } from '../integration/results/seed.js';
import { create, type World } from '../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { breakDown, type Person, type Site, type Stage, startStage } from './stage.js';

interface SetUp {
  people: { hasMail: boolean; hasPhone: boolean; isSuspended: boolean; isLead: boolean; hasTurns: boolean }[];
  groups: { type: 'email' | 'sms' | 'webhook'; isEnabled: boolean; isAttached: boolean }[];
  isRouted: boolean;
  isSwapped: boolean;
  isPaused: boolean;
}

const mostly = fc.nat(9).map((number) => number > 1);
const seldom = mostly.map((is) => !is);
const anySetUp: fc.Arbitrary<SetUp> = fc.record({
  people: fc.array(
    fc.record({
      hasMail: mostly,
      hasPhone: fc.boolean(),
      isSuspended: seldom,
      isLead: fc.boolean(),
      hasTurns: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  groups: fc.array(
    fc.record({
      type: fc.constantFrom('email' as const, 'sms' as const, 'webhook' as const),
      isEnabled: mostly,
      isAttached: mostly,
    }),
    { maxLength: 3 },
  ),
  isRouted: mostly,
  isSwapped: seldom,
  isPaused: seldom,
});

/** The preview as REST returns it. */
interface Preview {
  willAnyoneHear: boolean;
  willAnyoneBePaged: boolean;
  groups: { type: string; destinations: string[]; hears: boolean }[];
  teams: { steps: { afterMinutes: number; people: { channels: { address: string }[] }[]; why: string | null }[] }[];
  reasons: string[];
}

describe('the alert preview', function () {
  let stage: Stage;
  let receiver: WebhookReceiver;
  let numbers = 0;

  before(async () => {
    [stage, receiver] = await Promise.all([startStage(), startWebhookReceiver()]);
    receiver.always(answer(204));
  });
  after(async () => {
    await stage.stop();
    await receiver.stop();
  });

  async function setUp({ people, groups, isRouted, isSwapped, isPaused }: SetUp): Promise<[World, Site]> {
    const world = await stage.newWorld();
    receiver.calls.length = 0;
    const site = await stage.watch(world);
    const persons: Person[] = [];
    for (const { hasMail, hasPhone } of people) {
      const person = await stage.join(world, 'person', { hasPhone });
      const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
      if (!hasMail) await create(person.api, me, { notificationPreferences: { email: false } }, 'PATCH');
      persons.push(person);
    }
    const those = (is: (one: SetUp['people'][number]) => boolean) => persons.filter((_, index) => is(people[index]!));
    if (isRouted) {
      const leads = those(({ isLead }) => isLead);
      const path = await stage.routeTo(world, site, { turns: those(({ hasTurns }) => hasTurns), leads });
      if (isSwapped && leads.length > 0) {
        const at = stage.app.clock.now();
        const swap = { userId: leads[0]!.userId, start: iso(at - MINUTE_MS), end: iso(at + 60 * MINUTE_MS) };
        const answered = await world.api('POST', `${path}/schedule/overrides`, swap);
        expect(answered.status, JSON.stringify(answered.body)).to.be.oneOf([201, 400]);
      }
    }
    for (const { memberId } of those(({ isSuspended }) => isSuspended))
      await create(
        world.api,
        `/api/v1/workspaces/${world.workspaceId}/members/${memberId}`,
        { status: 'suspended' },
        'PATCH',
      );
    for (const { type, isEnabled, isAttached } of groups) {
      const number = ++numbers;
      const group = await makeGroup(world, site, type, number);
      if (!isEnabled) await world.app.sql('UPDATE action_group SET is_enabled = false WHERE id = $1', [group.id]);
      const path = `/api/v1/action-groups/${group.id}/monitors/${site.id}`;
      if (isAttached) await create(world.api, path);
      else if (type === 'sms') expect((await world.api('DELETE', path)).status).to.equal(204);
    }
    if (isPaused) await create(world.api, `/api/v1/monitor/${site.id}`, { monitoringStatus: 'paused' }, 'PUT');
    return [world, site];
  }

  function makeGroup(world: World, site: Site, type: 'email' | 'sms' | 'webhook', number: number) {
    const name = `Group ${number}`;
    if (type === 'email') return seedGroup(world, type, { name, recipients: [`group-${number}@example.test`] });
    if (type === 'webhook') return seedGroup(world, type, { name, url: `${receiver.url}/${number}` });
    const phoneNumbers = [`+3538${10_000_000 + number}`];
    return create(world.api, `/api/v1/monitor/${site.id}/sms-action-group`, { name, phoneNumbers });
  }

  /** The recipients that have received messages so far. */
  const reached = () => [
    ...stage.mails().flatMap(({ to }) => to),
    ...stage.texts().map(({ to }) => to),
    ...receiver.calls.map(({ path }) => `${receiver.url}${path}`),
  ];

  it('names exactly the recipients that an incident then notifies', async () => {
    await fc.assert(
      fc.asyncProperty(anySetUp, async (given) => {
        const [world, site] = await setUp(given);
        const { body } = await world.api<Preview>('GET', `/api/v1/monitor/${site.id}/alert-preview`);
        const { groups, teams, willAnyoneHear, willAnyoneBePaged, reasons } = body;
        const hearing = groups.filter(({ hears }) => hears);
        // The preview masks URLs, so that each webhook is identified by its own path.
        const addressed = hearing.flatMap(({ type, destinations }) => (type === 'webhook' ? [] : destinations));
        const steps = teams.flatMap(({ steps: all }) => all);
        const pagedAt = (minutes: number) =>
          steps
            .filter(({ afterMinutes }) => afterMinutes === minutes)
            .flatMap(({ people }) => people.flatMap(({ channels }) => channels.map(({ address }) => address)));
        const paged = [0, 10, 20].flatMap(pagedAt);
        expect(willAnyoneBePaged).to.equal(!given.isPaused && paged.length > 0);
        expect(willAnyoneHear).to.equal(!given.isPaused && (paged.length > 0 || hearing.length > 0));
        if (!willAnyoneHear) expect(reasons, 'the preview contains the reasons').not.to.deep.equal([]);

        site.answers = BROKEN;
        stage.app.clock.advance(SECOND_MS);
        await stage.check(site);
        const hooks = hearing.filter(({ type }) => type === 'webhook').length;
        if (given.isPaused) {
          await later();
          expect(reached()).to.deep.equal([]);
          return;
        }
        const first = reached();
        expect(receiver.calls).to.have.length(hooks);
        // The leads are paged at once if no person on call can be reached.
        const atOnce = pagedAt(0).length > 0 ? pagedAt(0) : pagedAt(20);
        expect(first.filter((to) => !to.startsWith('http'))).to.have.members([...addressed, ...atOnce]);
        await later();
        const all = new Set(reached().filter((to) => !to.startsWith('http')));
        expect([...all]).to.have.members([...new Set([...addressed, ...paged])]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  /** Lets the twenty minutes of all pages pass. */
  async function later(): Promise<void> {
    for (let step = 0; step < 3; step++) {
      stage.app.clock.advance(10 * MINUTE_MS);
      await stage.work();
    }
  }

  it('is also right without an SMS carrier: a person with only a phone is skipped at once', async () => {
    const mute = await startStage({ hasSms: false });
    try {
      const world = await mute.newWorld();
      const site = await mute.watch(world);
      const ann = await mute.join(world, 'ann', { hasPhone: true });
      const lead = await mute.join(world, 'lead');
      const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
      await create(ann.api, me, { notificationPreferences: { email: false } }, 'PATCH');
      await mute.routeTo(world, site, { turns: [ann], leads: [lead] });
      const { body } = await world.api<Preview>('GET', `/api/v1/monitor/${site.id}/alert-preview`);
      expect(body.teams[0]!.steps.map(({ people }) => people.flatMap(({ channels }) => channels).length)).to.deep.equal(
        [0, 0, 1],
      );
      expect(body.teams[0]!.steps[0]!.why).to.match(/cannot be reached\. .* this installation sends no SMS\.$/);
      await breakDown(mute, world, site);
      expect([mute.heard(ann), mute.heard(lead)]).to.deep.equal([0, 1]);
    } finally {
      await mute.stop();
    }
  });

  it('requires a monitor of the workspace and the right to read it', async () => {
    const world = await stage.newWorld();
    const site = await stage.watch(world);
    const path = `/api/v1/monitor/${site.id}/alert-preview`;
    const stranger = await stage.app.user();
    expect((await stranger.api('GET', path)).status).to.equal(404);
    const viewer = await stage.join(world, 'viewer', { role: 'Viewer' });
    expect((await viewer.api('GET', path)).status).to.equal(200);
    expect((await stage.app.anonymous('GET', path)).status).to.equal(401);
  });

  it('is the same before a monitor exists, for the action groups and the service group that it would have', async () => {
    const world = await stage.newWorld();
    const site = await stage.watch(world);
    const ann = await stage.join(world, 'ann');
    await stage.routeTo(world, site, { turns: [ann], leads: [] });
    const group = await seedGroup(world, 'email', { name: 'Group', recipients: ['group@example.test'] });
    await create(world.api, `/api/v1/action-groups/${group.id}/monitors/${site.id}`);
    const { serviceGroupId } = (await world.api('GET', `/api/v1/monitor/${site.id}`)).body;
    const path = `/api/v1/alert-preview?serviceGroupId=${serviceGroupId}&actionGroupId=${group.id}`;
    const own = await world.api<Preview>('GET', `/api/v1/monitor/${site.id}/alert-preview`);
    const asNew = await world.api<Preview>('GET', path);
    expect({ ...asNew.body, monitorId: site.id, causes: [] }).to.deep.equal(own.body);
    expect(asNew.body.willAnyoneBePaged).to.equal(true);
    const none = await world.api<Preview>('GET', '/api/v1/alert-preview');
    expect([none.body.willAnyoneHear, none.body.reasons.length]).to.deep.equal([false, 2]);

    const stranger = await stage.app.user();
    for (const query of [`serviceGroupId=${serviceGroupId}`, `actionGroupId=${group.id}`])
      expect((await stranger.api('GET', `/api/v1/alert-preview?${query}`)).status, query).to.equal(404);
  });
});

const iso = (ms: number) => new Date(ms).toISOString();
