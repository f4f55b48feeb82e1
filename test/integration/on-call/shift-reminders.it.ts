import { expect } from 'chai';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { remindOfShifts } from '@watchpost/control-plane/capabilities/on-call/shift-reminders';
import { create, makeWorld, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { rotationOf, seedRotation, type SeededTeam } from './world.js';

const START = Date.parse('2026-11-21T12:00:00Z');
const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

describe('People are reminded of their shifts', () => {
  const app = appForSuite();
  let world: World;
  let team: SeededTeam;
  let sent: string[];
  beforeEach(async () => {
    app.clock.set(START);
    world = await makeWorld(app, 'Pro');
    team = await seedRotation(world);
    sent = [];
  });

  const names = () =>
    new Map([
      ['Ann', team.ann.email],
      ['Bob', team.bob.email],
      ['Cyd', team.cyd.email],
    ]);
  const run = (broken = false) =>
    remindOfShifts({
      db: app.db,
      clock: app.clock,
      baseUrl: 'https://watchpost.example',
      reachOf: () => Promise.resolve([]),
      hearingGroups: async () => new Set<string>(),
      sendMail(_tx, workspaceId, { to, subject }) {
        if (broken) throw new Error('no mail');
        const [name] = [...names()].find(([, email]) => email === to) ?? [to];
        if (workspaceId === world.workspaceId)
          sent.push(`${name} ${subject.replace('Your shift for Night watch ', '')}`);
        return Promise.resolve();
      },
    });
  /** Runs the job at a time, twice. @returns what was sent since the last time */
  const sentAt = async (ms: number) => {
    app.clock.set(ms);
    await run();
    await run();
    return sent.splice(0);
  };

  it('24 hours before and at the beginning, once each, whatever the schedule becomes in between', async () => {
    expect(await sentAt(START), 'Ann is next, in 20 hours; Cyd began at 08:00').to.deep.equal([
      'Cyd has begun',
      'Ann begins',
    ]);
    expect(await sentAt(at('22T07:59'))).to.deep.equal([]);
    expect(await sentAt(at('22T08:00'))).to.deep.equal(['Ann has begun', 'Bob begins']);
    const handoff = { ...rotationOf(team), handoffTime: '10:00' };
    await create(world.api, `${team.path}/schedule`, handoff, 'PUT');
    expect(await sentAt(at('22T08:01')), 'nothing of Bob changes, whose shift begins as planned').to.deep.equal([]);
    // Cyd takes the shift of Bob.
    const swap = { userId: team.cyd.userId, start: '2026-11-23T08:00:00Z', end: '2026-11-23T20:00:00Z' };
    await create(world.api, `${team.path}/schedule/overrides`, swap);
    expect(await sentAt(at('22T08:02'))).to.deep.equal(['Cyd begins']);
    expect(await sentAt(at('23T08:00')), 'and Bob the rest').to.deep.equal(['Cyd has begun', 'Bob begins']);
  });

  it('unless they switch it off, after their quiet hours, and after an interruption', async () => {
    await sentAt(START);
    const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
    const ofRole = async (role: 'Admin' | 'Editor') => (await world.member(role)).api;
    const prefer = async (role: 'Admin' | 'Editor', notificationPreferences: object) =>
      create(await ofRole(role), me, { notificationPreferences }, 'PATCH');
    await prefer('Admin', { quietHours: { start: '07:00', end: '09:30', timezone: 'UTC' } });
    await prefer('Editor', { shiftReminders: false });
    expect(await sentAt(at('22T08:00'))).to.deep.equal([]);
    expect(await sentAt(at('22T09:30'))).to.deep.equal(['Ann has begun']);
    expect(await sentAt(at('23T08:00')), 'Bob wants none').to.deep.equal(['Cyd begins']);
    app.clock.set(at('24T08:00'));
    expect(
      await run(true).then(
        () => 'fine',
        (error: Error) => error.message,
      ),
    ).to.equal('no mail');
    expect(await sentAt(at('24T08:00') + 3 * HOUR_MS + MINUTE_MS), 'what failed is sent').to.deep.equal([
      'Cyd has begun',
      'Ann begins',
    ]);
  });
});
