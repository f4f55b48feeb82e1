import { expect } from 'chai';
import { OutcomeKind, RunPurpose, type CheckSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { AgentHome } from '../../support/agent-process.js';
import { eventually } from '../../support/eventually.js';
import { percentile, printFairnessFigure } from '../../support/fairness-figure.js';
import { httpCheck, ScriptedControlPlane } from '../../support/scripted-control-plane.js';
import { startSilentServer, type SilentServer } from '../../support/silent-server.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { HELD_MS, nextOfVictim, UNHINDERED_MS, victimChecks } from './victim-checks.js';

const HOSTILE_OWNERS = 3;
const MONITORS_OF_AN_OWNER = 500;
/** Of an owner, as tests and as second opinions. */
const SILENT_RUNS = 80;
const OPINIONS = 10;

describe('an owner with sites that never answer', function () {
  const plane = new ScriptedControlPlane();
  const home = new AgentHome({});
  let target: Target;
  let silent: SilentServer;
  before(async () => {
    [target, silent] = await Promise.all([startTarget({ behaviour: answer() }), startSilentServer()]);
    await plane.start();
  });
  after(async () => {
    await home.dispose();
    plane.stop();
    await Promise.all([target.close(), silent.close()]);
  });

  /** Requests second opinions on a site that answers, after more on silent ones than there are places. @returns ms until each answer */
  const opinionsOfVictim = async (): Promise<number[]> => {
    for (let owner = 1; owner <= HOSTILE_OWNERS; owner++)
      for (const [index, check] of hostileChecks(owner, silent.port).slice(0, SILENT_RUNS).entries())
        for (const purpose of [RunPurpose.RUN_PURPOSE_TEST, RunPurpose.RUN_PURPOSE_SECOND_OPINION])
          plane.runNow({ requestId: `silent ${owner} ${index} ${purpose}`, check, purpose });
    const [check] = victimChecks(target.url);
    const tookMs: number[] = [];
    for (let index = 0; index < OPINIONS; index++) {
      const requestId = `victim ${index}`;
      const startedAt = performance.now();
      plane.runNow({ requestId, check, purpose: RunPurpose.RUN_PURPOSE_SECOND_OPINION });
      const { result, refusal } = await eventually(
        'the second opinion is there',
        () => plane.runResults.find((one) => one.requestId === requestId),
        60_000,
        1,
      );
      tookMs.push(performance.now() - startedAt);
      expect([result?.outcome, refusal]).to.deep.equal([OutcomeKind.OUTCOME_KIND_UP, '']);
    }
    printFairnessFigure({
      attack: 2,
      measure: `answer to a second opinion beside ${HOSTILE_OWNERS * MONITORS_OF_AN_OWNER} silent sites, median of ${OPINIONS}, ms`,
      before: '-',
      during: Math.round(percentile(tookMs, 0.5)),
      limit: `${UNHINDERED_MS} ms`,
    });
    return tookMs;
  };

  it('delays no check and no second opinion of another owner on the same agent, and gets the reason that its own share is used up', async () => {
    plane.checks = victimChecks(target.url);
    const agent = home.start({ CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}`, LOG_LEVEL: 'info' });
    await eventually('the agent connects', () => plane.connected || undefined, 60_000, 20);
    const before = await nextOfVictim(plane);

    for (let owner = 1; owner <= HOSTILE_OWNERS; owner++) plane.change(hostileChecks(owner, silent.port));
    const running = async (): Promise<number> => {
      const metrics = await (await home.ask(agent, '/metrics')).text();
      return Number(/^watchpost_checks_running (\d+)$/m.exec(metrics)![1]);
    };
    await eventually(
      'the hostile checks use their whole share',
      async () => (await running()) >= 740 || undefined,
      90_000,
      100,
    );
    const during = await nextOfVictim(plane);
    const opinionsMs = await opinionsOfVictim();
    expect(
      percentile(opinionsMs, 0.5),
      'second opinions beside as many of silent sites as the agent takes',
    ).to.be.below(UNHINDERED_MS);

    expect(during.notUp).to.deep.equal([]);
    const figure = ({ lagMs }: typeof during) => percentile(lagMs, 0.5);
    const measure = 'start of a check after its scheduled time, median, ms';
    const limit = 'none inconclusive';
    printFairnessFigure({ attack: 2, measure, before: figure(before), during: figure(during), limit });

    const refused = await eventually(
      'a hostile check does not start because its share is used up',
      () => plane.received.find(({ result }) => result.message.includes('used up its share')),
      90_000,
      50,
    );
    expect(refused.result).to.deep.include({
      outcome: OutcomeKind.OUTCOME_KIND_INCONCLUSIVE,
      message:
        'The check did not start because other checks of this account used up its share of the agent. Pause monitors of sites that never answer, or shorten their timeouts.',
    });
    expect(Number(refused.result.key!.monitorKey)).to.be.at.least(1_000);
    const metrics = await (await home.ask(agent, '/metrics')).text();
    expect(metrics).to.match(/^watchpost_checks_not_started_total\{cause="ownShare"\} [1-9]/m);
  });
});

function hostileChecks(owner: number, port: number): CheckSpec[] {
  return Array.from({ length: MONITORS_OF_AN_OWNER }, (_, index) =>
    httpCheck(owner * 1_000 + index, `http://127.0.0.1:${port}/`, {
      intervalMs: HELD_MS + 1_000,
      timeoutMs: HELD_MS,
      changedAtMs: BigInt(Date.now()),
      ownerKey: `hostile ${owner}`,
      siteKey: `silent ${owner}/${index}`,
    }),
  );
}
