import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { CHANNELS } from '@watchpost/control-plane/capabilities/channels/registry';
import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ConfigError, readConfig } from '@watchpost/control-plane/config/config';
import {
  MAX_CONCURRENT_TESTS,
  ConcurrentTests,
} from '@watchpost/control-plane/capabilities/fleet/runs/concurrent-tests';
import { MAX_OVERRIDES, MAX_SCHEDULES } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import { setPlanCommand } from '@watchpost/control-plane/app/admin/set-plan-command';
import { SUSPENSION_COMMANDS } from '@watchpost/control-plane/app/admin/suspension-commands';
import { ConsoleBrowser } from '../integration/sign-in/console-browser.js';
import { type CallAs, startTestApp, type TestApp, type TestUser } from '../support/app.js';
import type { Api, ApiResponse, Json } from '../support/product.js';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../support/seed.js';
import { appForSuite } from '../support/suite.js';

/** A message that names a remedy, and the way from the message to the end of that remedy. */
interface Remedy {
  message: RegExp;
  /** Provokes the message, passes its text to `capture` and follows the remedy. @throws when the remedy does not work */
  prove(capture: (text: string) => void, world: World): Promise<void>;
}

describe('every remedy that a message names', () => {
  const app = appForSuite();
  let count = 0;

  const unique = (name: string) => `${name}-${++count}`;
  const address = () => `${unique('somebody')}@elsewhere.test`;
  /** The refusal of a call, as its caller reads it. */
  async function refused(answer: Promise<ApiResponse>): Promise<string> {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).to.be.within(400, 499);
    const details: { message: string }[] = body.details ?? [];
    return [body.message, ...details.map(({ message }) => message)].join(' ');
  }
  const done = async (answer: Promise<ApiResponse>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).to.be.within(200, 299);
    return body;
  };
  const command = (args: string[]) => setPlanCommand.run({ db: app.db, clock: app.clock }, args);
  const suspension = (name: string) => {
    const found = SUSPENSION_COMMANDS.find((one) => one.name === name)!;
    const deps = { db: app.db, clock: app.clock };
    return (email: string) => found.run(deps, ['--user', email]);
  };
  const failed = async (run: Promise<unknown>) =>
    run.then(
      () => expect.fail('it was not refused'),
      (error: Error) => error.message,
    );
  /** A caller whose token contains another email address than the default one of the tests. */
  const withEmail = async (sub: string, email: string): Promise<Api> =>
    app.withToken(
      await app.issuer.token({ sub, claims: { email, email_verified: true }, expiresIn: 10 * 365 * 86_400 }),
    );
  async function work(): Promise<void> {
    await app.plane.periodicTasks.find(({ name }) => name === 'ask_recipients')!.run();
    await app.plane.delivery.runDue();
    app.clock.advance(1);
  }
  const lastMail = async (to: string) => {
    return app.value<string>('SELECT text FROM local_mail WHERE recipient = $1 ORDER BY id DESC LIMIT 1', [to]);
  };
  const memberIn = (world: World, user: TestUser, options: CallAs = {}) =>
    app.as(user.sub, { ...options, workspaceId: world.workspaceId });
  const invitations = ({ workspaceId }: World) => `/api/v1/workspaces/${workspaceId}/invitations`;
  const tokenOf = ({ link }: { link: string }) => new URL(link).searchParams.get('token')!;
  async function seedRequest(): Promise<{ world: World; id: string; somebody: string }> {
    const world = await makeWorld(app, 'Starter');
    const somebody = address();
    const body = { name: 'Team', recipients: [somebody] };
    const { id } = await create(world.api, '/api/v1/action-groups/email', body);
    await work();
    return { world, id, somebody };
  }
  const resend = (world: World, id: string, recipient: string) =>
    world.api('POST', `/api/v1/action-groups/email/${id}/resend-confirmation`, { recipient });
  /** Runs with an app of its own, whose clock no other test has moved. */
  async function withApp(env: Record<string, string>, run: (own: TestApp) => Promise<void>): Promise<void> {
    const own = await startTestApp({ env });
    try {
      await run(own);
    } finally {
      await own.stop();
    }
  }
  const CONSOLE = { OIDC_CONSOLE_CLIENT_ID: 'console' };
  const troubles = async ({ api }: Pick<World, 'api'>): Promise<string> => {
    const { troubles: found }: { troubles: { message: string }[] } = await done(api('GET', '/api/v1/overview'));
    return found.map(({ message }) => message).join(' ');
  };
  const linkIn = (text: string) => /http\S+\/confirm-recipient\/[\w-]+/.exec(text)![0];
  const json = { headers: { accept: 'application/json' } };

  const REMEDIES: Record<string, Remedy> = {
    'another link of an invitation': {
      message: /has expired: ask for a new link/,
      async prove(capture, world) {
        const guest = await app.user();
        const made = await create<Json>(world.api, invitations(world), { email: guest.email, role: 'Viewer' });
        app.clock.advance(8 * DAY_MS);
        const accept = (token: string) => guest.api('POST', '/api/v1/invitations/accept', { token });
        capture(await refused(accept(tokenOf(made))));
        const renewed = await done(world.api('POST', `${invitations(world)}/${made.id}/regenerate-link`));
        await done(accept(tokenOf(renewed)));
      },
    },
    'the email that was invited': {
      message: /for another email address: sign in with the one invited/,
      async prove(capture, world) {
        const [stranger, guest] = [await app.user(), await app.user()];
        const made = await create<Json>(world.api, invitations(world), { email: guest.email, role: 'Viewer' });
        const token = tokenOf(made);
        capture(await refused(stranger.api('POST', '/api/v1/invitations/accept', { token })));
        await done(guest.api('POST', '/api/v1/invitations/accept', { token }));
      },
    },
    'another email at the provider': {
      message: /Change your email where you sign in/,
      async prove(capture) {
        const { sub, userId, api } = await app.user();
        const email = address();
        capture(await refused(api('PUT', `/api/v1/user/${userId}`, { email })));
        const there = await withEmail(sub, email);
        await done(there('GET', '/api/v1/user'));
        app.clock.advance(2 * MINUTE_MS);
        expect((await done(there('GET', '/api/v1/user'))).email).to.equal(email);
      },
    },
    'a plan that has more': {
      message: /at most 2 email groups; Growth has more/,
      async prove(capture) {
        const world = await makeWorld(app, 'Starter');
        const make = () =>
          world.api('POST', '/api/v1/action-groups/email', { name: 'Team', recipients: [world.owner.email] });
        await done(make());
        await done(make());
        capture(await refused(make()));
        await create(world.owner.api, `/api/v1/user/${world.owner.userId}/trial`, { plan: 'Growth' }, 'PUT');
        await done(make());
      },
    },
    'a plan that has it': {
      message: /is not in the plan Growth; Pro has it/,
      async prove(capture) {
        const world = await makeWorld(app, 'Growth');
        const make = () => world.api('POST', '/api/v1/monitor', { url: 'https://a.example/', monitorTypes: ['Dns'] });
        capture(await refused(make()));
        await command(['--user', world.owner.email, '--plan', 'Pro']);
        await done(make());
      },
    },
    'a plan of the operator after the trial': {
      message: /can be used once; the operator of this service can give you a plan/,
      async prove(capture) {
        const { api, userId, email } = await app.user();
        const start = () => api('PUT', `/api/v1/user/${userId}/trial`, { plan: 'Growth' });
        await done(start());
        capture(await refused(start()));
        await command(['--user', email, '--plan', 'Growth']);
        expect((await done(api('GET', '/api/v1/user'))).plan).to.equal('Growth');
      },
    },
    'the first signed-in request': {
      message: /exists from its first signed-in request on/,
      async prove(capture) {
        const sub = unique('newcomer');
        const args = ['--user', `${sub}@example.test`, '--plan', 'Pro'];
        capture(await failed(command(args)));
        await app.user(sub);
        await command(args);
      },
    },
    'the id of one of two accounts with the same email': {
      message: /2 accounts have the email .*: name one by its id with --user/,
      async prove(capture) {
        const email = address();
        const twins = [unique('twin'), unique('twin')];
        for (const sub of twins) await done((await withEmail(sub, email))('GET', '/api/v1/user'));
        const setPlan = (user: string) => command(['--user', user, '--plan', 'Pro']);
        const message = await failed(setPlan(email));
        capture(message);
        const named = /^ {2}([\da-f-]{36}) {2}verified/m.exec(message)![1]!;
        await setPlan(named);
        const plans = await app.sql<{ id: string; plan: string }>(
          `SELECT id, plan FROM user_account WHERE email = $1 ORDER BY id = $2`,
          [email, named],
        );
        expect(plans.map(({ plan }) => plan)).to.deep.equal(['Starter', 'Pro']);
      },
    },
    'the operator, for a suspended account': {
      message: /suspended your account; nothing of it is lost. Ask the operator/,
      async prove(capture) {
        const { api, email } = await app.user();
        await suspension('suspend')(email);
        app.clock.advance(2 * MINUTE_MS);
        capture(await refused(api('GET', '/api/v1/user')));
        await suspension('unsuspend')(email);
        app.clock.advance(2 * MINUTE_MS);
        await done(api('GET', '/api/v1/user'));
      },
    },
    'an admin, for a suspended member': {
      message: /is suspended; ask one of its admins/,
      async prove(capture, world) {
        const [admin, member] = [await world.member('Admin'), await world.member('Viewer')];
        const path = `/api/v1/workspaces/${world.workspaceId}/members/${member.memberId}`;
        await done(admin.api('PATCH', path, { status: 'suspended' }));
        const read = () => memberIn(world, member)('GET', '/api/v1/monitor');
        capture(await refused(read()));
        await done(admin.api('PATCH', path, { status: 'active' }));
        await done(read());
      },
    },
    'leaving instead of suspending oneself': {
      message: /You cannot suspend yourself; you can leave the workspace/,
      async prove(capture, world) {
        const admin = await world.member('Admin');
        const members = `/api/v1/workspaces/${world.workspaceId}/members`;
        capture(await refused(admin.api('PATCH', `${members}/${admin.memberId}`, { status: 'suspended' })));
        await done(admin.api('DELETE', `${members}/me`));
      },
    },
    'handing over a personal workspace': {
      message: /delete the account, or transfer the workspace first/,
      async prove(capture) {
        const [owner, heir] = [await app.user(), await app.user()];
        const path = `/api/v1/workspaces/${owner.workspaceId}`;
        capture(await refused(owner.api('DELETE', path)));
        const made = await create<Json>(owner.api, `${path}/invitations`, { email: heir.email, role: 'Admin' });
        await done(heir.api('POST', '/api/v1/invitations/accept', { token: tokenOf(made) }));
        const members = await done(owner.api('GET', `${path}/members`));
        const { id: memberId } = members.find(({ userId }: { userId: string }) => userId === heir.userId);
        await done(owner.api('POST', `${path}/transfer-ownership`, { memberId }));
        await done(heir.api('DELETE', path));
      },
    },
    'handing over a shared workspace before leaving for good': {
      message: /has other members: transfer its ownership, delete it, or remove them first/,
      async prove(capture, world) {
        const heir = await world.member('Admin');
        const leave = () => world.owner.api('DELETE', `/api/v1/user/${world.owner.userId}`);
        capture(await refused(leave()));
        const path = `/api/v1/workspaces/${world.workspaceId}/transfer-ownership`;
        await done(world.api('POST', path, { memberId: heir.memberId }));
        await done(leave());
      },
    },
    'fewer pending invitations': {
      message: /at most 100 pending invitations; revoke some first/,
      async prove(capture, world) {
        const invite = () => world.api('POST', invitations(world), { email: address(), role: 'Viewer' });
        const { id } = await done(invite());
        for (let made = 1; made < 100; made++) await done(invite());
        capture(await refused(invite()));
        await done(world.api('DELETE', `${invitations(world)}/${id}`));
        await done(invite());
      },
    },
    'tomorrow, after too many invitations': {
      message: /invitations a day. Try again tomorrow/,
      async prove(capture) {
        const world = await makeWorld(app, 'Starter');
        const invite = () => world.api('POST', invitations(world), { email: address(), role: 'Viewer' });
        for (let made = 0; made < 20; made++) await done(invite());
        capture(await refused(invite()));
        app.clock.advance(DAY_MS);
        await done(invite());
      },
    },
    'the resource as it is now': {
      message: /has changed since you read it; get it again and repeat the change/,
      async prove(capture, world) {
        const { id } = await seedMonitor(world);
        const path = `/api/v1/monitor/${id}`;
        const change = (etag: string) => world.api('PUT', path, { name: 'Other' }, { 'if-match': etag });
        capture(await refused(change('"old"')));
        const { headers } = await world.api('GET', path);
        await done(change(headers.get('etag')!));
      },
    },
    'another slug': {
      message: /Choose another slug: this one is taken/,
      async prove(capture, world) {
        const slug = unique('page');
        const make = (name: string) => world.api('POST', '/api/v1/status-page', { name: 'Status', slug: name });
        await done(make(slug));
        capture(await refused(make(slug)));
        await done(make(unique('page')));
      },
    },
    'another service group': {
      message: /one monitor per type; choose another group or other types/,
      async prove(capture, world) {
        const group = () => create(world.api, '/api/v1/service-group', { name: 'Shop' });
        const make = (serviceGroupId: string, monitorTypes = ['HttpAvailability']) =>
          world.api('POST', '/api/v1/monitor', { url: 'https://a.example/', serviceGroupId, monitorTypes });
        const { id } = await group();
        await done(make(id));
        capture(await refused(make(id)));
        await done(make((await group()).id));
        await done(make(id, ['SslCertificate']));
      },
    },
    'PATCH for somebody who is in the team': {
      message: /in the team already; change the team role with PATCH/,
      async prove(capture, world) {
        const { userId } = await world.member('Viewer');
        const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
        const path = `/api/v1/teams/${team.id}/members`;
        await create(world.api, path, { userId });
        capture(await refused(world.api('POST', path, { userId })));
        await done(world.api('PATCH', `${path}/${userId}`, { teamRole: 'lead' }));
      },
    },
    'the incident itself, once the link of a page is used': {
      message: /Acknowledge the incident itself/,
      async prove(capture, world) {
        const incidentId = await seedIncident(world, (await seedMonitor(world)).id);
        capture(await refused(app.anonymous('POST', `/ack/${'a'.repeat(22)}`)));
        await done(world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true }));
      },
    },
    'another subscription': {
      message: /subscribe again to get another/,
      async prove(capture, world) {
        const slug = unique('page');
        await create(world.api, '/api/v1/status-page', { name: 'Status', slug, isPublished: true });
        const path = `/api/v1/public/status-page/${slug}/subscribers`;
        const email = address();
        const confirm = async () => {
          await done(app.anonymous('POST', path, { email }));
          await work();
          return new URL(/http\S+confirm\?token=\S+/.exec(await lastMail(email))![0]);
        };
        const first = await confirm();
        app.clock.advance(3 * DAY_MS);
        capture(await refused(app.anonymous('POST', first.pathname + first.search)));
        const second = await confirm();
        await done(app.anonymous('POST', second.pathname + second.search));
      },
    },
    'another request to a recipient': {
      message: /The sender of the request can have another one sent/,
      async prove(capture) {
        const { world, id, somebody } = await seedRequest();
        const link = linkIn(await lastMail(somebody));
        app.clock.advance(8 * DAY_MS);
        capture(await refused(app.anonymous('POST', new URL(link).pathname)));
        await done(resend(world, id, somebody));
        await work();
        const again = await fetch(linkIn(await lastMail(somebody)), { method: 'POST', ...json });
        expect(again.status).to.equal(200);
      },
    },
    'tomorrow, after three requests': {
      message: /asked 3 times in 24 hours. Try again tomorrow/,
      async prove(capture) {
        const { world, id, somebody } = await seedRequest();
        for (let made = 0; made < 2; made++) {
          await done(resend(world, id, somebody));
          await work();
        }
        capture(await refused(resend(world, id, somebody)));
        app.clock.advance(DAY_MS + 1);
        await done(resend(world, id, somebody));
      },
    },
    'membership of a recipient who refused': {
      message: /enter another one, or invite its user as a member/i,
      async prove(capture) {
        const guest = await app.user();
        const world = await makeWorld(app, 'Starter');
        const { id } = await create(world.api, '/api/v1/action-groups/email', { name: 'T', recipients: [guest.email] });
        await work();
        await fetch(`${linkIn(await lastMail(guest.email))}/refuse`, { method: 'POST', ...json });
        capture(await refused(resend(world, id, guest.email)));
        const made = await create<Json>(world.api, invitations(world), { email: guest.email, role: 'Viewer' });
        await done(guest.api('POST', '/api/v1/invitations/accept', { token: tokenOf(made) }));
        expect(await done(world.api('GET', `/api/v1/action-groups/${id}`))).to.deep.include({
          recipientsPending: [],
          recipientsRefused: [],
        });
        expect((await done(world.api('POST', `/api/v1/action-groups/${id}/test`))).delivered).to.equal(true);
      },
    },
    'another code': {
      message: /Too many wrong codes. Have another code sent/,
      async prove(capture) {
        const world = await makeWorld(app, 'Starter');
        const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
        const phoneNumber = `+49151${60_000_000 + ++count}`;
        capture(await refused(world.api('POST', `${me}/phone-number/send-code`)));
        await create(world.api, me, { notificationPreferences: { phoneNumber } }, 'PATCH');
        const code = async () => {
          await done(world.api('POST', `${me}/phone-number/send-code`));
          await app.plane.periodicTasks.find(({ name }) => name === 'ask_recipients')!.run();
          return app.value<string>(
            `SELECT extra ->> 'code' AS code FROM delivery WHERE address = $1 ORDER BY seq DESC LIMIT 1`,
            [phoneNumber],
          );
        };
        const enter = (digits: string) => world.api('POST', `${me}/phone-number/confirm`, { code: digits });
        const first = await code();
        const wrong = first === '000000' ? '000001' : '000000';
        for (let tries = 0; tries < 5; tries++) await refused(enter(wrong));
        capture(await refused(enter(first)));
        await done(enter(await code()));
      },
    },
    'a masked address in full': {
      message: /is a mask of another URL than the stored one: enter the full URL/,
      async prove(capture, world) {
        const webhookUrl = 'https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX';
        const make = (url: string) => world.api('POST', '/api/v1/action-groups/slack', { name: 'S', webhookUrl: url });
        const { webhookUrl: masked } = await done(make(webhookUrl));
        capture(await refused(make(masked)));
        await done(make(webhookUrl));
      },
    },
    'each reason why nobody would hear': {
      message: /Enable it\..*Attach one\..*is in no service group/,
      async prove(capture) {
        const world = await makeWorld(app, 'Starter');
        const { id } = await seedMonitor(world, { monitoringStatus: 'paused' });
        const reasons = async (): Promise<string[]> =>
          (await done(world.api('GET', `/api/v1/monitor/${id}/alert-preview`))).reasons;
        capture((await reasons()).join(' '));
        await done(world.api('PUT', `/api/v1/monitor/${id}`, { monitoringStatus: 'enabled' }));
        const somebody = address();
        const body = { name: 'Team', recipients: [somebody], isEnabled: false };
        const group = await create(world.api, '/api/v1/action-groups/email', body);
        await done(world.api('POST', `/api/v1/action-groups/${group.id}/monitors/${id}`));
        expect((await reasons()).join(' ')).to.match(/is disabled. Enable it/);
        await done(world.api('PUT', `/api/v1/action-groups/email/${group.id}`, { isEnabled: true }));
        expect((await reasons()).join(' ')).to.match(/has confirmed yet. Have the request sent again/);
        await work();
        await fetch(linkIn(await lastMail(somebody)), { method: 'POST', ...json });
        const service = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
        await done(world.api('PUT', `/api/v1/monitor/${id}`, { serviceGroupId: service.id }));
        expect((await reasons()).join(' ')).to.match(/is routed to no team. Route it to one/);
        const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
        await done(world.api('PUT', `/api/v1/teams/${team.id}/service-groups/${service.id}`));
        expect((await reasons()).join(' ')).to.match(/has no lead who could be paged. Make a member its lead/);
        const lead = await world.member('Responder');
        await create(world.api, `/api/v1/teams/${team.id}/members`, { userId: lead.userId, teamRole: 'lead' });
        const preview = await done(world.api('GET', `/api/v1/monitor/${id}/alert-preview`));
        expect(preview).to.include({ willAnyoneHear: true, willAnyoneBePaged: true });
      },
    },
    'each trouble of the overview': {
      message:
        /Nobody would hear of an outage of Shop, Till\. .*recipient has not confirmed yet and will receive no alerts/s,
      async prove(capture) {
        const world = await makeWorld(app, 'Starter');
        const service = await create(world.api, '/api/v1/service-group', { name: 'Tills' });
        const shop = await seedMonitor(world, { name: 'Shop' });
        await seedMonitor(world, { name: 'Till', serviceGroupId: service.id });
        const somebody = address();
        const body = { name: 'Team', recipients: [somebody] };
        const group = await create(world.api, '/api/v1/action-groups/email', body);
        await create(world.api, `/api/v1/action-groups/${group.id}/monitors/${shop.id}`);
        capture(await troubles(world));
        await done(resend(world, group.id, somebody));
        await work();
        await fetch(linkIn(await lastMail(somebody)), { method: 'POST', ...json });
        expect(await troubles(world))
          .to.match(/an outage of Till\./)
          .and.not.match(/not confirmed/);
        const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
        const lead = await world.member('Responder');
        await create(world.api, `/api/v1/teams/${team.id}/members`, { userId: lead.userId, teamRole: 'lead' });
        await done(world.api('PUT', `/api/v1/teams/${team.id}/service-groups/${service.id}`));
        expect(await troubles(world)).not.to.match(/Nobody would hear/);
      },
    },
    'taking recipients out that never answered': {
      message: /Too many of your recipients have not answered. Remove some first/,
      async prove(capture) {
        const world = await makeWorld(app, 'Starter');
        const people = (many: number) => Array.from({ length: many }, address);
        const all = people(500);
        // Beyond what one account may have on Starter, over its groups.
        await app.setPlan('Starter', { emailGroups: 20 }, world.owner);
        const groups: string[] = [];
        for (let at = 0; at < all.length; at += 50) {
          const body = { name: 'Team', recipients: all.slice(at, at + 50) };
          groups.push((await create(world.api, '/api/v1/action-groups/email', body)).id);
        }
        const late = address();
        const { id } = await create(world.api, '/api/v1/action-groups/email', { name: 'Late', recipients: [late] });
        capture(await refused(resend(world, id, late)));
        await done(world.api('PUT', `/api/v1/action-groups/email/${groups[9]}`, { recipients: [world.owner.email] }));
        await done(resend(world, id, late));
      },
    },
    'another invitation after a refusal': {
      message: /This invitation is declined: invite the address again/,
      async prove(capture, world) {
        const guest = await app.user();
        const invite = () => create<Json>(world.api, invitations(world), { email: guest.email, role: 'Viewer' });
        const made = await invite();
        await done(guest.api('POST', '/api/v1/invitations/decline', { token: tokenOf(made) }));
        capture(await refused(world.api('POST', `${invitations(world)}/${made.id}/regenerate-link`)));
        await done(guest.api('POST', '/api/v1/invitations/accept', { token: tokenOf(await invite()) }));
      },
    },
    'a new idempotency key': {
      message: /was used for another request; take a new one/,
      async prove(capture, world) {
        const make = (key: string, name: string) =>
          world.api('POST', '/api/v1/teams', { name }, { 'idempotency-key': key });
        await done(make('one', 'Day'));
        capture(await refused(make('one', 'Night')));
        await done(make('two', 'Night'));
      },
    },
    'a little later, after too many tests of groups': {
      message: /in 10 minutes. Try again later/,
      async prove(capture, world) {
        const body = { name: 'Team', recipients: [world.owner.email] };
        const { id } = await create(world.api, '/api/v1/action-groups/email', body);
        const test = () => world.api('POST', `/api/v1/action-groups/${id}/test`);
        for (let made = 0; made < 20; made++) await done(test());
        capture(await refused(test()));
        app.clock.advance(10 * MINUTE_MS + 1);
        await done(test());
      },
    },
    'fewer overrides': {
      message: /at most \d+ overrides: delete one first/,
      async prove(capture, world) {
        const { userId } = await world.member('Responder');
        const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
        await create(world.api, `/api/v1/teams/${team.id}/members`, { userId });
        const path = `/api/v1/teams/${team.id}/schedule/overrides`;
        const [start, end] = [app.clock.now() + DAY_MS, app.clock.now() + 2 * DAY_MS].map((ms) =>
          new Date(ms).toISOString(),
        );
        const make = () => world.api('POST', path, { userId, start, end });
        const { id } = await done(make());
        await app.sql(
          `INSERT INTO on_call_override OVERRIDING USER VALUE SELECT (jsonb_populate_record(made, jsonb_build_object('id', gen_random_uuid()))).*
           FROM on_call_override made, generate_series(2, $2) WHERE made.id = $1`,
          [id, MAX_OVERRIDES],
        );
        capture(await refused(make()));
        await done(world.api('DELETE', `${path}/${id}`));
        await done(make());
      },
    },
    'fewer schedules': {
      message: /at most .* schedules: delete one first/,
      async prove(capture, world) {
        const { userId } = await world.member('Responder');
        const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
        await create(world.api, `/api/v1/teams/${team.id}/members`, { userId });
        const path = `/api/v1/teams/${team.id}/schedules`;
        const layer = { name: 'Days', rotation: { unit: 'day' }, participants: [userId] };
        const make = () => world.api('POST', path, { name: 'Days', layers: [layer] });
        const { id } = await done(make());
        for (let count = 1; count < MAX_SCHEDULES; count++) await done(make());
        capture(await refused(make()));
        await done(world.api('DELETE', `${path}/${id}`));
        await done(make());
      },
    },
    'fewer links to a calendar': {
      message: /the most there may be: delete one first/,
      async prove(capture, world) {
        const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
        const path = `/api/v1/teams/${team.id}/calendar-links`;
        const make = () => world.api('POST', path, { name: 'Phone' });
        const { id } = await done(make());
        for (let made = 1; made < 5; made++) await done(make());
        capture(await refused(make()));
        await done(world.api('DELETE', `${path}/${id}`));
        await done(make());
      },
    },
    'fewer status pages': {
      message: /at most 20 status pages, over all its workspaces; delete one first/,
      async prove(capture, world) {
        const make = () => world.api('POST', '/api/v1/status-page', { name: 'Status', slug: unique('page') });
        const { id } = await done(make());
        for (let made = 1; made < 20; made++) await done(make());
        capture(await refused(make()));
        await done(world.api('DELETE', `/api/v1/status-page/${id}`));
        await done(make());
      },
    },
    'a test that has ended': {
      message: /wait until one has ended/,
      async prove(capture) {
        const tests = new ConcurrentTests();
        const ends: (() => void)[] = [];
        const run = () => tests.run('owner', () => new Promise<void>((resolve) => void ends.push(resolve)));
        const running = Array.from({ length: MAX_CONCURRENT_TESTS }, run);
        capture(await failed(run()));
        ends[0]!();
        await running[0];
        running.push(run());
        for (const end of ends) end();
        await Promise.all(running);
      },
    },
    'handing over before the Owner leaves': {
      message: /Transfer the ownership first, or delete the workspace/,
      async prove(capture, world) {
        const heir = await world.member('Admin');
        const path = `/api/v1/workspaces/${world.workspaceId}`;
        const leave = () => world.api('DELETE', `${path}/members/me`);
        capture(await refused(leave()));
        await done(world.api('POST', `${path}/transfer-ownership`, { memberId: heir.memberId }));
        await done(leave());
      },
    },
    'the budget of tomorrow': {
      message: /used up. It is renewed at midnight UTC/,
      async prove(capture) {
        const world = await makeWorld(app, 'Growth');
        const body = { name: 'Team', recipients: [address()] };
        const { id } = await create(world.api, '/api/v1/action-groups/email', body);
        const test = () => done(world.api('POST', `/api/v1/action-groups/${id}/test`));
        expect((await test()).delivered).to.equal(true);
        await app.sql(
          `UPDATE daily_budget SET spent = 2000 WHERE kind = 'mails' AND principal = (
             SELECT sha256(convert_to(json_build_array(issuer, subject)::text, 'UTF8')) FROM user_account WHERE id = $1)`,
          [world.owner.userId],
        );
        capture((await test()).deliveries[0].answer);
        await work();
        // The mail to the owner names another remedy: a plan with a larger budget.
        expect(await lastMail(world.owner.email)).to.include('a plan with a larger budget');
        await command(['--user', world.owner.email, '--plan', 'Pro']);
        expect((await test()).delivered).to.equal(true);
        await command(['--user', world.owner.email, '--plan', 'Growth']);
        app.clock.advance(DAY_MS);
        expect((await test()).delivered).to.equal(true);
      },
    },
    'signing in again after the session has ended': {
      message: /Your session has ended; sign in again/,
      prove: (capture) =>
        withApp(CONSOLE, async (own) => {
          const browser = new ConsoleBrowser(own.baseUrl);
          await browser.signIn(own, 'ann');
          await browser.rest('/api/v1/user/sessions', { method: 'DELETE' });
          const { status, text } = await browser.rest('/api/v1/user');
          expect(status).to.equal(401);
          capture(text);
          await browser.signIn(own, 'ann');
          expect((await browser.rest('/api/v1/user')).status).to.equal(200);
        }),
    },
    'signing in again after a sign-in that failed': {
      message:
        /not started in this browser\. .*answer of another provider\. .*has no code\. .*did not accept this sign-in\. .*is not right\. .*has expired/s,
      prove: (capture) =>
        withApp(CONSOLE, async (own) => {
          const browser = new ConsoleBrowser(own.baseUrl);
          own.issuer.person = { sub: 'ann' };
          const fail = async (callback: string | URL) => {
            const { status, text } = await browser.send(String(callback));
            expect([status, browser.session]).to.deep.equal([400, undefined]);
            expect(text).to.include('Sign in again.').and.include('/console/sign-in"');
            capture(text);
          };
          for (const [name, value] of [
            ['state', 'x'],
            ['iss', 'https://elsewhere.test'],
            ['code', ''],
            ['code', 'made-up'],
          ] as const) {
            const callback = new URL(await browser.begin());
            callback.searchParams.set(name, value);
            await fail(callback);
          }
          own.issuer.person = { sub: 'ann', idClaims: { nonce: 'another' } };
          await fail(await browser.begin());
          own.issuer.person = { sub: 'ann' };
          const callback = await browser.begin();
          own.clock.advance(HOUR_MS);
          await fail(callback);
          await browser.signIn(own, 'ann');
          expect((await browser.rest('/api/v1/user')).status).to.equal(200);
        }),
    },
    'a token for what no API key may do': {
      message: /No API key may do this, whatever its scopes: sign in and use that token/,
      async prove(capture) {
        const { owner } = await makeWorld(app);
        const key = { name: 'CI', scopes: ['account.write'] };
        const withKey = app.withToken((await create<{ key: string }>(owner.api, '/api/v1/api-keys', key)).key);
        const make = (api: Api) => api('POST', '/api/v1/workspaces', { name: 'Another' });
        capture(await refused(make(withKey)));
        await done(make(owner.api));
      },
    },
    'an API key less': {
      message: /You have 50 API keys in this workspace, the most there may be: revoke one first/,
      async prove(capture) {
        const { api } = await makeWorld(app);
        const make = () => api('POST', '/api/v1/api-keys', { name: 'CI', scopes: ['alert.read'] });
        const { id } = await done(make());
        for (let made = 1; made < 50; made++) await done(make());
        capture(await refused(make()));
        await done(api('DELETE', `/api/v1/api-keys/${id}`));
        await done(make());
      },
    },
    'a mail server': {
      message: /Mail is not sent: .* To send it, set SMTP_URL\./,
      async prove(capture) {
        capture(await troubles(await makeWorld(app)));
        await withApp({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'alerts@watch.example' }, async (own) => {
          expect(await troubles(await makeWorld(own))).not.to.match(/mail/i);
        });
      },
    },
  };

  for (const [name, { message, prove }] of Object.entries(REMEDIES))
    it(`works: ${name}`, async () => {
      const texts: string[] = [];
      await prove((text) => texts.push(text), await makeWorld(app));
      expect(texts.join(' '), 'the message that names the remedy').to.match(message);
    });

  describe('of a fault in the configuration', () => {
    const WRONG: readonly [Record<string, string>, Record<string, string>, RegExp][] = [
      [{ OIDC_ISSUER: 'https://id.example' }, { OIDC_AUDIENCE: 'watchpost' }, /set both, or neither/],
      [
        { OIDC_ISSUER: 'http://id.example', OIDC_AUDIENCE: 'watchpost' },
        { OIDC_ISSUER: 'https://id.example' },
        /use https:\/\//,
      ],
      [{ GRPC_TLS_CERT_FILE: 'a.pem' }, { GRPC_TLS_KEY_FILE: 'b.pem' }, /set both, or neither/],
      [
        { GRPC_TLS_CERT_FILE: 'a.pem', GRPC_TLS_KEY_FILE: 'b.pem', GRPC_TLS_HOSTS: 'watch.example' },
        { GRPC_TLS_HOSTS: '' },
        /set one of them/,
      ],
      [
        { TWILIO_ACCOUNT_SID: 'AC1' },
        { TWILIO_AUTH_TOKEN: 's3cr3t', TWILIO_FROM: '+15005550006' },
        /set all three, or none/,
      ],
      [
        { OIDC_CONSOLE_CLIENT_SECRET: 's3cr3t' },
        { OIDC_CONSOLE_CLIENT_ID: 'console', OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'watchpost' },
        /belong to OIDC_CONSOLE_CLIENT_ID: set that too/,
      ],
      [
        { SMTP_URL: 'smtp://mail.example' },
        { MAIL_FROM: 'Watchpost <alerts@example.com>' },
        /with SMTP_URL set one of them, like/,
      ],
      [{ HOST: '0.0.0.0' }, { HOST: '127.0.0.1' }, /set HOST=127\.0\.0\.1/],
      [
        { BASE_URL: 'https://watch.example' },
        { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'watchpost' },
        /set OIDC_ISSUER and OIDC_AUDIENCE/,
      ],
      [
        { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'watchpost' },
        { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') },
        /32 bytes as base64 or hex/,
      ],
      [{ RECIPIENT_VERIFICATION: 'never' }, { RECIPIENT_VERIFICATION: 'always' }, /it takes unpaid or always/],
    ];
    for (const [wrong, remedy, message] of WRONG)
      it(`works: ${Object.keys(wrong).join(', ')}`, () => {
        expect(() => readConfig(wrong))
          .to.throw(ConfigError)
          .with.property('message')
          .that.matches(message);
        expect(() => readConfig({ ...wrong, ...remedy })).not.to.throw();
      });
  });

  it('is followed in this test or in one that ELSEWHERE names', () => {
    const here = [...Object.values(REMEDIES).map(({ message }) => message), ...WRONG_MESSAGES, ...SAME];
    // Where the values of a channel are is known to its service.
    const helps = CHANNELS.flatMap(({ fields }) => fields.map(({ help }) => help));
    const unknown = remediesInSource().filter(
      (text) =>
        !helps.includes(text) &&
        ![...here, ...Object.keys(ELSEWHERE).map((one) => new RegExp(one))].some((one) => one.test(text)),
    );
    expect(unknown, 'add each to REMEDIES, or to ELSEWHERE with the test that follows it').to.deep.equal([]);
    for (const file of Object.values(ELSEWHERE))
      if (file !== PASSES && file !== OUTSIDE) expect(existsSync(new URL(file, ROOT)), file).to.equal(true);
  });
});

const ROOT = new URL('../../../', import.meta.url);
/** The remedy is to try again. */
const PASSES = 'passes by itself';
/** The remedy changes the machine or the calling program, not the product. */
const OUTSIDE = 'outside the product';

/** Sentences with the same remedy as one that is followed above. */
const SAME = [
  /This sign-in .* Sign in again/,
  /OpenID provider .* Sign in again/,
  /not confirmed yet and will receive no alerts\. Have the request sent again/,
  /Nobody would hear of an outage/,
  /API keys in this workspace, the most there may be: revoke one first/,
  /No recipient of the channel .* has confirmed yet/,
  /The recipient has not confirmed yet. Have the request sent again/,
  /The recipient refused alerts. Remove it from the group/,
  /Your membership of this workspace is suspended; ask one of its admins/,
  /ask an admin of the workspace for a new invitation/,
  /This invitation is .*: invite the address again/,
  /You invited often enough for now|This address was invited often enough for now/,
  /The channel .* is disabled. Enable it/,
  /No channel is attached to the monitor. Attach one/,
  /The monitor is paused or disabled/,
  /is routed to no team. Route it to one/,
  /has no lead who could be paged. Make a member its lead/,
  /Check which monitors fail so often/,
  /A team has at most .* (?:overrides|escalation policies)/,
  /accounts have the email/,
  /An account runs at most|Your account has as many tests running/,
  /An account has at most .* status pages/,
  /You have .* links to this calendar/,
  /A workspace sends at most .* tests/,
  /The owner of this workspace may send at most .* invitations a day/,
  /This recipient was asked/,
  /has other members: transfer its ownership/,
];
const WRONG_MESSAGES = [
  /set both, or neither/,
  /use https:\/\//,
  /set one of them/,
  /set all three, or none/,
  /belong to OIDC_CONSOLE_CLIENT_ID: set that too/,
  /set HOST=127\.0\.0\.1/,
  /set OIDC_ISSUER and OIDC_AUDIENCE/,
  /has no destination. Add one/,
  /has no SMS provider. Its operator must set TWILIO_ACCOUNT_SID/,
];

/** Sentences whose remedy another test follows. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'has an account already: sign in with its password': 'test/integration/identity/provider-sign-in.it.ts',
  'link was used already, or the shift has begun': 'test/integration/on-call/swaps.it.ts',
  'of this step has been deleted. Take it out of': 'test/integration/on-call/escalation-policies.it.ts',
  'maintenance windows; delete one first': 'test/integration/maintenance/windows.it.ts',
  'SET statement_timeout = 0; SET lock_timeout': 'test/integration/db/schema-version.it.ts',
  'still migrating the database: start this one again later': 'test/integration/db/schema-version.it.ts',
  'Start the version of Watchpost that upgraded|Start Watchpost .*, which upgraded the database':
    'test/integration/db/schema-version.it.ts',
  'a pooler that (?:drops the settings of|shares) connections': 'test/scenario/pgbouncer.long.ts',
  'There is an agent .*: take another name, or revoke that one': 'test/integration/fleet/agents-command.it.ts',
  'Agents named .*: name the region, or the agent by its id': 'test/integration/fleet/agents-command.it.ts',
  'This agent was revoked: make a new one': 'test/integration/fleet/enrolment.it.ts',
  'The token is not kept anywhere': 'test/integration/fleet/agents-command.it.ts',
  'call Enroll with its token': 'test/integration/fleet/enrolment.it.ts',
  'enrol again': 'test/integration/fleet/enrolment.it.ts',
  'renew it by Enroll': 'test/integration/agent/enrolment.it.ts',
  'Send a token, or renew over a connection': 'test/integration/agent/enrolment.it.ts',
  'this one: stop it, or start it again|set REDIS_URL to the same Redis|There can be one only without Redis':
    'test/integration/coordination/process-guard.it.ts',
  'The other processes on this database have another encryption key': 'test/integration/coordination/redis.it.ts',
  'The key that sealed this value is not among those': 'control-plane/src/platform/db/secret-box.test.ts',
  'No database runs under|set DATABASE_URL to a server of your own': 'test/integration/db/embedded-postgres.it.ts',
  'Start again on your device|Look at your device again': 'test/integration/identity/provider-devices.it.ts',
  'accept one of these|accept that': 'test/integration/mcp/protocol.it.ts',
  'Too many event streams are open; close one': 'test/integration/mcp/limits.it.ts',
  'marks, the most there may be': 'test/integration/marks/marks.it.ts',
  'This calendar link leads nowhere': 'test/integration/on-call/calendar-links.it.ts',
  'This link is not complete: take the whole of it': 'test/integration/status-pages/subscribers.it.ts',
  'can no longer be read; take a new one|is still running; ask again': 'test/integration/http/idempotency.it.ts',
  'owns at most .* workspaces; delete one': 'test/integration/accounts/workspaces.it.ts',
  '[Tt]ry again|connect again|wait a m(?:inute|oment)': PASSES,
  'Port .*: set .* to another one': OUTSIDE,
  'this number is in the preferences of no member': 'test/integration/channels/voice.it.ts',
  'make it a strictObject': OUTSIDE,
  'The bot may not write in the channel: add it': OUTSIDE,
  'name it when you ask for help': OUTSIDE,
};

const VERBS =
  'ask|try|choose|make|take|name|set|revoke|invite|sign in|change|get it|give|subscribe|acknowledge|have|wait|transfer|delete|close|connect|start|enable|attach|route|add|renew|enrol|move|look|accept|call';
/** A quoted sentence with an imperative behind a colon, a semicolon, a comma or a full stop. */
const SENTENCE = new RegExp(
  `(['\`])([A-Z$](?:(?!\\1)[^\\n\\\\]|\\\\.)*[:;,.] (?:or )?(?:${VERBS})\\b(?:(?!\\1)[^\\n\\\\]|\\\\.)*)\\1`,
  'gi',
);

/** Every sentence in the source that names a remedy, except in descriptions of an interface. */
function remediesInSource(): string[] {
  const folder = new URL('control-plane/src/', ROOT);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = new Set<string>();
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
    const shown = lines.filter((line) => !/^\s*(?:\*|\/[/*])|description|summary|describe\(|-tools\.ts/.test(line));
    if (/-tools\.ts$|metrics|cors|-routes\.ts$|-schemas\.ts$|describe-change/.test(file)) continue;
    for (const [, , text] of shown.join('\n').matchAll(SENTENCE))
      if (/^[A-Z$]/.test(text!) && !/\b(?:SELECT|INSERT|UPDATE|CREATE|ORDER BY) /.test(text!)) found.add(text!);
  }
  return [...found];
}
