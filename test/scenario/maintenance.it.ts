import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { BROKEN, UP } from '../integration/results/seed.js';
import { create, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { breakDown, type Person, repair, type Site, startStage } from './stage.js';

describe('planned maintenance and the people on call', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  let site: Site;
  let ann: Person;
  let lead: Person;

  beforeEach(async () => {
    world = await stage.newWorld();
    ann = await stage.join(world, 'ann', { hasPhone: true });
    lead = await stage.join(world, 'lead');
    site = await stage.watch(world);
    await stage.routeTo(world, site, { turns: [ann], leads: [lead] });
    await stage.pass(2 * MINUTE_MS, site);
  });

  const heard = () => [ann, lead].map((person) => stage.heard(person));
  const sent = () => stage.mails().length + stage.texts().length;
  const plan = (body: object = {}) =>
    create(world.api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      startsAt: 'now',
      duration: 'PT30M',
      scope: { monitorIds: [site.id] },
      ...body,
    });

  it('an outage that begins and ends in the window is heard by nobody, and one that remains is heard at its end', async () => {
    await plan();
    site.answers = BROKEN;
    await stage.pass(10 * MINUTE_MS, site);
    site.answers = UP;
    await stage.pass(5 * MINUTE_MS, site);
    site.answers = BROKEN;
    await stage.pass(15 * MINUTE_MS - SECOND_MS, site);
    expect(sent(), 'mails and texts to anybody').to.equal(0);
    await stage.pass(2 * SECOND_MS, site);
    await stage.app.plane.periodicTasks.find(({ name }) => name === 'sweep_silence')!.run();
    await stage.work();
    expect(heard()).to.deep.equal([2, 0]);
    await stage.pass(10 * MINUTE_MS, site);
    expect(heard(), 'and the ladder goes on as always').to.deep.equal([4, 0]);
  });

  it('repeated pages and the escalation of an older outage wait, and go on with the time that was left', async () => {
    await breakDown(stage, world, site);
    await stage.pass(4 * MINUTE_MS, site);
    expect(heard()).to.deep.equal([2, 0]);
    await plan();
    await stage.pass(30 * MINUTE_MS, site);
    expect(heard(), 'in the window').to.deep.equal([2, 0]);
    await stage.pass(6 * MINUTE_MS - 2 * SECOND_MS, site);
    expect(heard(), 'ten minutes without the window have not passed').to.deep.equal([2, 0]);
    await stage.pass(2 * SECOND_MS, site);
    expect(heard(), 'the repeated page').to.deep.equal([4, 0]);
    await stage.pass(10 * MINUTE_MS, site);
    expect(heard(), 'the lead').to.deep.equal([4, 1]);
  });

  it('an older outage that is over in the window closes without a message, then and later', async () => {
    await breakDown(stage, world, site);
    const before = sent();
    await plan();
    await repair(stage, site);
    const { body } = await world.api('GET', `/api/v1/incident?monitorId=${site.id}&isClosed=false`);
    expect(body).to.deep.equal([]);
    await stage.pass(60 * MINUTE_MS, site);
    expect(sent()).to.equal(before);
  });
});
