import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { OutcomeKind } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { AgentHome } from '../../support/agent-process.js';
import { eventually } from '../../support/eventually.js';
import { percentile, printFairnessFigure } from '../../support/fairness-figure.js';
import { startNameServer, type NameServer } from '../../support/name-server.js';
import { httpCheck, ScriptedControlPlane } from '../../support/scripted-control-plane.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { nextOfVictim, victimChecks } from './victim-checks.js';

const HOSTILE_MONITORS = 200;
/** So long do their checks wait for a name; those that wait for their turn until then are given up. */
const HELD_MS = 8_000;

describe('an owner with host names that never resolve', function () {
  const plane = new ScriptedControlPlane();
  let folder: string;
  let home: AgentHome;
  let target: Target;
  let names: NameServer;
  let victimUrl: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'watchpost-fairness-'));
    target = await startTarget({ behaviour: answer() });
    names = await startNameServer({
      behaviour: ({ question }) => {
        if (question.name.endsWith('.slow.test')) return null;
        return question.type === 'A'
          ? { answers: [{ type: 'A', name: question.name, ttl: 1, data: '127.0.0.1' }] }
          : {};
      },
    });
    writeFileSync(join(folder, 'resolv.conf'), `nameserver [${names.host}]:${names.port}\n`);
    await plane.start();
    home = new AgentHome({
      CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}`,
      RESOLV_CONF: join(folder, 'resolv.conf'),
      LOG_LEVEL: 'info',
    });
    victimUrl = `http://shop.victim.test:${new URL(target.url).port}/`;
  });
  after(async () => {
    await home.dispose();
    plane.stop();
    await Promise.all([target.close(), names.close()]);
    rmSync(folder, { recursive: true });
  });

  it('delays no check, no new monitor and no one-off test of another owner', async () => {
    plane.checks = victimChecks(victimUrl);
    const agent = home.start();
    await eventually('the agent connects', () => plane.connected || undefined, 60_000, 20);
    const before = await nextOfVictim(plane);

    plane.change(
      Array.from({ length: HOSTILE_MONITORS }, (_, index) =>
        httpCheck(1_000 + index, `http://name-${index}.slow.test/`, {
          intervalMs: HELD_MS + 1_000,
          timeoutMs: HELD_MS,
          phaseMs: index * 25,
          changedAtMs: BigInt(Date.now()),
          ownerKey: 'hostile',
          siteKey: `slow ${index}`,
        }),
      ),
    );
    const metric = async (name: string): Promise<number> => {
      const metrics = await (await home.ask(agent, '/metrics')).text();
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
    };
    const isFull = async () => (await metric('watchpost_names_waiting')) > 50 || undefined;
    await eventually('hostile names wait', isFull, 60_000, 50);
    const during = await nextOfVictim(plane);
    expect(during.notUp).to.deep.equal([]);
    const figure = ({ lagMs, totalMs }: typeof during) => percentile(lagMs, 0.5) + percentile(totalMs, 0.5);

    const own = { ownerKey: 'victim', siteKey: 'shop' };
    plane.runNow({ requestId: 'test', check: httpCheck(0, victimUrl, own) });
    plane.change([
      httpCheck(500, victimUrl, { ...own, intervalMs: 60_000, phaseMs: 0, changedAtMs: BigInt(Date.now()) }),
    ]);
    const [test, first] = await eventually(
      'the one-off test and the new monitor have results',
      () => {
        const run = plane.runResults.find(({ requestId }) => requestId === 'test');
        const result = plane.received.find(({ result: { key } }) => Number(key!.monitorKey) === 500)?.result;
        return run && result ? [run, result] : undefined;
      },
      60_000,
      5,
    );
    expect([test.result?.outcome, first.outcome]).to.deep.equal(Array(2).fill(OutcomeKind.OUTCOME_KIND_UP));
    await eventually('hostile names wait still', isFull, 60_000, 50);

    expect(figure(during), 'median, ms').to.be.below(HELD_MS / 2);
    const limit = `${HELD_MS / 2} ms, none missed; new monitors checked, one-off tests answered`;
    const measure = 'a check with its name after its scheduled time, median, ms';
    printFairnessFigure({ attack: 3, measure, before: figure(before), during: figure(during), limit });

    const isGivenUp = async () => (await metric('watchpost_names_not_looked_up_total\\{cause="ownShare"\\}')) > 0;
    await eventually('hostile names are given up', async () => (await isGivenUp()) || undefined, 90_000, 100);
    expect(await metric('watchpost_names_not_looked_up_total\\{cause="agentBusy"\\}')).to.equal(0);
  });
});
