import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { killAtEachMoment } from '../support/kill-at-each-moment.js';
import { create, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { breakDown, type Person, type Site, startStage } from './stage.js';

const KEY = randomBytes(32);
/** The first person's shift of the day after noon of the stage, in Berlin. */
const SHIFT = { shiftStart: '2026-11-22T08:00:00.000Z', shiftEnd: '2026-11-23T08:00:00.000Z' };

interface Asked {
  world: World;
  first: Person;
  second: Person;
  site: Site;
  team: string;
  schedule: string;
  swap: { id: string };
}

const STEPS: Record<
  string,
  { by: 'first' | 'second' | 'owner'; request: (of: Asked) => { path: string; body?: object }; covers: boolean }
> = {
  'a swap that is accepted': {
    by: 'second',
    request: ({ schedule, swap }) => ({ path: `${schedule}/swaps/${swap.id}/accept` }),
    covers: true,
  },
  'a swap that is declined': {
    by: 'second',
    request: ({ schedule, swap }) => ({ path: `${schedule}/swaps/${swap.id}/decline` }),
    covers: false,
  },
  'an override': {
    by: 'owner',
    request: ({ team, second }) => ({
      path: `${team}/schedule/overrides`,
      body: { userId: second.userId, start: SHIFT.shiftStart, end: SHIFT.shiftEnd, reason: 'Fair' },
    }),
    covers: true,
  },
};

describe('a shift that is given to another person by a control plane that is killed between any two writes', function () {
  this.timeout(10 * MINUTE_MS);
  const stage = startedForSuite(() => startStage({ secretBox: createSecretBox(KEY) }));

  /** A team of two, of whom the first asks the second to take a shift. */
  async function askForSwap(): Promise<Asked> {
    const world = await stage.newWorld();
    const [first, second] = [await stage.join(world, 'first'), await stage.join(world, 'second')];
    const site = await stage.watch(world);
    const team = await stage.routeTo(world, site, { turns: [first, second] });
    const [{ id }] = (await world.api('GET', `${team}/schedules`)).body;
    const schedule = `${team}/schedules/${id}`;
    const swap = await create(first.api, `${schedule}/swaps`, { ...SHIFT, withUserId: second.userId });
    return { world, first, second, site, team, schedule, swap };
  }

  /** All that is stored of overrides and swaps, with their mails and audit entries. */
  async function stored({ world }: Asked): Promise<string> {
    const rows = await stage.app.sql(
      `SELECT (SELECT array_agg(state) FROM on_call_swap WHERE workspace_id = $1) AS swaps,
         (SELECT count(*)::integer FROM on_call_override WHERE workspace_id = $1) AS overrides,
         (SELECT count(*)::integer FROM outgoing_mail WHERE workspace_id = $1) AS mails,
         (SELECT count(*)::integer FROM audit_entry WHERE workspace_id = $1) AS audits`,
      [world.workspaceId],
    );
    return JSON.stringify(rows[0]);
  }

  for (const [name, { by, request, covers }] of Object.entries(STEPS))
    it(`takes ${name} wholly or not at all, and pages whom the calendar has`, async () => {
      let untouched: string | undefined;
      const done = new Set<string>();
      const moments = await killAtEachMoment(
        { app: stage.app, env: stage.env, key: KEY.toString('hex') },
        async (work, killAt) => {
          const asked = await askForSwap();
          const { world, schedule, site, first, second } = asked;
          const at = `killed at moment ${killAt}`;
          untouched ??= await stored(asked);
          expect(await stored(asked), at).to.equal(untouched);
          const headers = await stage.headersOf(by === 'owner' ? world.owner : asked[by], world);
          const killed = await work({ request: { method: 'POST', headers, ...request(asked) } });
          const left = await stored(asked);
          const isDone = left !== untouched;
          if (!killed) expect(isDone, at).to.equal(true);
          if (isDone) done.add(left);
          const person = isDone && covers ? second : first;
          const during = new Date(Date.parse(SHIFT.shiftStart) + MINUTE_MS);
          const { user } = (await world.api('GET', `${schedule}/oncall?at=${during.toISOString()}`)).body;
          expect(user.userId, at).to.equal(person.userId);
          stage.app.clock.set(during.getTime());
          // The mails about the swap come first.
          await stage.work();
          const before = [stage.heard(first), stage.heard(second)];
          await breakDown(stage, world, site);
          const heard = [stage.heard(first) - before[0]!, stage.heard(second) - before[1]!];
          expect(heard, at).to.deep.equal(person === first ? [1, 0] : [0, 1]);
        },
      );
      expect([...done], 'all of it, wherever it was killed').to.have.length(1);
      expect(moments).to.be.above(1);
    });
});
