import { expect } from 'chai';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { settleSwaps } from '@watchpost/control-plane/capabilities/on-call/follow-swaps';
import type { Json } from '../../support/product.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { seedRotation, type SeededTeam } from './world.js';

// Noon in UTC on Saturday 2026-11-21: Cyd's shift. Ann's next shift begins on Sunday at eight in UTC.
const SHIFT = { shiftStart: '2026-11-22T08:00:00.000Z', shiftEnd: '2026-11-23T08:00:00.000Z' };

describe('a swap of shifts', () => {
  const app = appForSuite();
  let world: World;
  let team: SeededTeam;
  let path: string;
  let cyd: World;
  beforeEach(async () => {
    app.clock.set(Date.parse('2026-11-21T12:00:00Z'));
    world = await makeWorld(app);
    team = await seedRotation(world);
    const [{ id }] = (await world.api('GET', `${team.path}/schedules`)).body;
    path = `${team.path}/schedules/${id}`;
    cyd = { ...world, api: (await world.member('Responder')).api };
  });

  const ann = async () => (await world.member('Admin')).api;
  const bob = async () => (await world.member('Editor')).api;
  const ask = async (more: object = {}): Promise<Json> =>
    create<Json>(await ann(), `${path}/swaps`, { ...SHIFT, ...more });
  const who = async (at: string) => (await world.api('GET', `${path}/oncall?at=${at}`)).body.user?.userId ?? null;
  const stateOf = async ({ id }: Json) => (await world.api('GET', `${path}/swaps/${id}`)).body.state;
  const deps = () => ({
    db: app.db,
    clock: app.clock,
    baseUrl: 'https://watchpost.example',
    sendMail: async () => {},
    reachOf: async () => [],
    hearingGroups: async () => new Set<string>(),
  });
  /** The link of a person who was asked, as a path. */
  const linkOf = async (email: string | null) => {
    const rows = await app.sql<{ text: string }>(
      `SELECT content ->> 'text' AS text FROM outgoing_mail WHERE workspace_id = $1 AND recipient = $2 ORDER BY id DESC`,
      [world.workspaceId, email],
    );
    return rows.flatMap(({ text }) => /\/swap\/[\w-]+/.exec(text) ?? [])[0]!;
  };
  const follow = (path: string, method: 'GET' | 'POST' = 'GET', page = false) =>
    fetch(`${app.baseUrl}${path}`, { method, headers: page ? { accept: 'text/html' } : {} });
  const mails = async () =>
    (
      await app.sql<{ to: string; text: string }>(
        `SELECT recipient AS to, content->>'text' AS text FROM outgoing_mail WHERE workspace_id = $1 ORDER BY id`,
        [world.workspaceId],
      )
    ).map(({ to, text }) => [to, text.split('\n', 1)[0]]);

  it('is offered by mail, taken by another person of the team, and on the calendar like an override', async () => {
    const swap = await ask();
    expect(swap).to.deep.include({ ...SHIFT, state: 'open', userId: team.ann.userId, withUserId: null, takenBy: null });
    expect((await mails()).map(([to]) => to)).to.have.members([team.bob.email, team.cyd.email]);
    const taken = await cyd.api('POST', `${path}/swaps/${swap.id}/accept`);
    expect([taken.status, taken.body.state, taken.body.takenBy]).to.deep.equal([200, 'taken', team.cyd.userId]);
    expect(await who('2026-11-22T12:00:00Z')).to.equal(team.cyd.userId);
    expect(await mails()).to.deep.include([team.ann.email, `The ${team.cyd.sub} takes the shift.`]);
    const again = await (await bob())('POST', `${path}/swaps/${swap.id}/accept`);
    expect([again.status, again.body.error]).to.deep.equal([409, 'swap_conflict']);
    const overlapping = await (await ann())('POST', `${path}/swaps`, SHIFT);
    expect(overlapping.status, 'the shift is no longer hers').to.equal(400);
  });

  it('follows its shift where the schedule changes', async () => {
    const swap = await ask();
    await cyd.api('POST', `${path}/swaps/${swap.id}/accept`);
    expect((await world.api('PUT', `${team.path}/schedule`, { handoffTime: '11:30' })).status).to.equal(200);
    const { body } = await world.api('GET', `${path}/swaps/${swap.id}`);
    const [start, end] = ['2026-11-22T10:30:00.000Z', '2026-11-23T10:30:00.000Z'];
    expect(body).to.deep.include({ state: 'taken', shiftStart: start, shiftEnd: end });
    expect(await who(start)).to.equal(team.cyd.userId);
    expect(await who('2026-11-23T10:29:00Z'), 'no hour of it is left to Ann').to.equal(team.cyd.userId);
    expect(await who(end)).to.equal(team.bob.userId);
  });

  it('becomes void where no such shift is left, and both hear of it', async () => {
    const swap = await ask();
    await cyd.api('POST', `${path}/swaps/${swap.id}/accept`);
    await world.api('PUT', `${team.path}/schedule`, { participants: [team.bob.userId, team.cyd.userId] });
    expect(await stateOf(swap)).to.equal('void');
    const ended = (await mails()).filter(([, text]) => text!.includes('void'));
    expect(ended.map(([to]) => to)).to.have.members([team.ann.email, team.cyd.email]);
    const { overrides } = (await world.api('GET', path)).body;
    expect(overrides).to.deep.equal([]);
  });

  it('becomes void where one of its people leaves the team or the workspace', async () => {
    const first = await ask();
    await cyd.api('POST', `${path}/swaps/${first.id}/accept`);
    expect((await world.api('DELETE', `${team.path}/members/${team.cyd.userId}`)).status).to.equal(204);
    expect([await stateOf(first), await who(SHIFT.shiftStart)]).to.deep.equal(['void', team.ann.userId]);
    const second = await ask();
    const { memberId } = await world.member('Admin');
    await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${memberId}`);
    await settleSwaps(deps());
    expect(await stateOf(second)).to.equal('void');
  });

  it('expires when the shift begins, and is gone 90 days after it', async () => {
    const swap = await ask();
    app.clock.set(Date.parse(SHIFT.shiftStart) + MINUTE_MS);
    const late = await cyd.api('POST', `${path}/swaps/${swap.id}/accept`);
    expect(late.body.error).to.equal('swap_conflict');
    await settleSwaps(deps());
    expect(await stateOf(swap)).to.equal('expired');
    app.clock.set(Date.parse(SHIFT.shiftEnd) + 90 * 24 * HOUR_MS + MINUTE_MS);
    await settleSwaps(deps());
    expect((await world.api('GET', `${path}/swaps`)).body).to.deep.equal([]);
  });

  it('is declined by the one who is asked, and withdrawn by the one who asks', async () => {
    const swap = await ask({ withUserId: team.bob.userId });
    expect((await mails()).map(([to]) => to)).to.deep.equal([team.bob.email]);
    const other = await cyd.api('POST', `${path}/swaps/${swap.id}/accept`);
    expect(other.body.error).to.equal('swap_conflict');
    expect((await (await bob())('POST', `${path}/swaps/${swap.id}/decline`)).body.state).to.equal('declined');
    const second = await ask();
    expect((await (await bob())('POST', `${path}/swaps/${second.id}/withdraw`)).body.error).to.equal('swap_conflict');
    expect((await (await ann())('POST', `${path}/swaps/${second.id}/withdraw`)).body.state).to.equal('withdrawn');
    const { body } = await world.api('GET', `${path}/swaps`);
    expect(body.map(({ state }: Json) => state)).to.have.members(['withdrawn', 'declined']);
  });

  it('is refused for the shift of somebody else, a part of one, a past one, and a second time', async () => {
    const refused = async (body: object) => {
      const answer = await (await ann())('POST', `${path}/swaps`, body);
      return [answer.status, answer.body.details[0]?.path];
    };
    const other = { shiftStart: '2026-11-23T08:00:00Z', shiftEnd: '2026-11-24T08:00:00Z' };
    expect(await refused(other)).to.deep.equal([400, 'shiftStart']);
    expect(await refused({ ...SHIFT, shiftEnd: '2026-11-22T20:00:00Z' })).to.deep.equal([400, 'shiftStart']);
    const past = { shiftStart: '2026-11-19T08:00:00Z', shiftEnd: '2026-11-20T08:00:00Z' };
    expect(await refused(past)).to.deep.equal([400, 'shiftStart']);
    expect(await refused({ ...SHIFT, withUserId: team.ann.userId })).to.deep.equal([400, 'withUserId']);
    await ask();
    const again = await (await ann())('POST', `${path}/swaps`, SHIFT);
    expect([again.status, again.body.error]).to.deep.equal([409, 'swap_conflict']);
  });

  it('takes no shift for which somebody else has been put on call since', async () => {
    const swap = await ask();
    const span = { start: '2026-11-22T20:00:00Z', end: '2026-11-22T21:00:00Z' };
    const override = { userId: team.bob.userId, ...span };
    const { id } = await create<Json>(world.api, `${path}/overrides`, override);
    const refused = await cyd.api('POST', `${path}/swaps/${swap.id}/accept`);
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'swap_conflict']);
    expect(await who(span.start)).to.equal(team.bob.userId);
    await world.api('DELETE', `${path}/overrides/${id}`);
    expect((await cyd.api('POST', `${path}/swaps/${swap.id}/accept`)).status).to.equal(200);
  });

  it('becomes void with its override, and both hear of it: the shift can be offered again', async () => {
    const swap = await ask();
    await cyd.api('POST', `${path}/swaps/${swap.id}/accept`);
    const [override] = (await world.api('GET', path)).body.overrides;
    expect((await world.api('DELETE', `${path}/overrides/${override.id}`)).status).to.equal(204);
    expect([await stateOf(swap), await who(SHIFT.shiftStart)]).to.deep.equal(['void', team.ann.userId]);
    const ended = (await mails()).filter(([, text]) => text!.includes('void'));
    expect(ended.map(([to]) => to)).to.have.members([team.ann.email, team.cyd.email]);
    expect((await ask()).state).to.equal('open');
  });

  it('becomes void where its shift is a part of that of another swap after a change', async () => {
    const first = await ask();
    await cyd.api('POST', `${path}/swaps/${first.id}/accept`);
    const next = { shiftStart: '2026-11-25T08:00:00.000Z', shiftEnd: '2026-11-26T08:00:00.000Z' };
    const second = await ask(next);
    const weekly = { rotation: 'weekly', handoffDay: 'saturday', startDate: '2026-11-21' };
    expect((await world.api('PUT', `${team.path}/schedule`, weekly)).status).to.equal(200);
    expect([await stateOf(first), await stateOf(second)]).to.deep.equal(['taken', 'void']);
  });

  it('is answered by the link in the mail, once, without signing in; reading it changes nothing', async () => {
    const swap = await ask();
    const [link, other] = [await linkOf(team.cyd.email), await linkOf(team.bob.email)];
    const page = await (await follow(link, 'GET', true)).text();
    expect(page).to.include('asks you to take this shift').and.include(`action="${link}/accept"`);
    expect(page, 'offered to everybody').to.not.include('/decline');
    expect(await stateOf(swap)).to.equal('open');
    expect((await follow(`${link}/decline`, 'POST')).status).to.equal(409);
    const taken = await follow(`${link}/accept`, 'POST');
    expect(await taken.json()).to.deep.include({ message: 'The shift is taken.' });
    expect(await who('2026-11-22T12:00:00Z')).to.equal(team.cyd.userId);
    for (const again of [await follow(link), await follow(`${link}/accept`, 'POST')])
      expect(again.status, 'replayed').to.equal(404);
    expect(((await (await follow(other)).json()) as Json).swap.state, 'of another person').to.equal('taken');
    expect((await follow(`${other}/accept`, 'POST')).status).to.equal(409);
    const { body: audited } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?action=swap.accepted`,
    );
    expect(audited.map(({ actor, via }: Json) => [actor.id, via])).to.deep.equal([[team.cyd.userId, 'link']]);
  });

  it('is declined by the link of the one person who is asked, and by no link once the shift has begun', async () => {
    const swap = await ask({ withUserId: team.bob.userId });
    const link = await linkOf(team.bob.email);
    expect(await (await follow(link, 'GET', true)).text()).to.include(`action="${link}/decline"`);
    expect((await follow(`${link}/decline`, 'POST')).status).to.equal(200);
    expect(await stateOf(swap)).to.equal('declined');
    // Mails of one moment are in no order.
    app.clock.advance(1_000);
    await ask({ withUserId: team.bob.userId });
    const later = await linkOf(team.bob.email);
    await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE workspace_id = $1 AND user_id = $2`, [
      world.workspaceId,
      team.bob.userId,
    ]);
    expect((await follow(`${later}/accept`, 'POST')).status, 'suspended').to.equal(403);
    await app.sql(`UPDATE workspace_member SET status = 'active' WHERE workspace_id = $1`, [world.workspaceId]);
    app.clock.set(Date.parse(SHIFT.shiftStart));
    expect((await follow(later)).status, 'expired').to.equal(404);
    expect((await follow(`${later}x`)).status).to.equal(404);
  });
});
