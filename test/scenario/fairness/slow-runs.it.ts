import { expect } from 'chai';
import { OutcomeKind, RunPurpose, type CheckSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { AgentHome } from '../../support/agent-process.js';
import { eventually } from '../../support/eventually.js';
import { httpCheck, ScriptedControlPlane } from '../../support/scripted-control-plane.js';
import { startSilentServer, type SilentServer } from '../../support/silent-server.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { HELD_MS, nextOfVictim, victimChecks } from './victim-checks.js';

const OWNERS = 3;
const MONITORS_OF_AN_OWNER = 300;
const STEPS = 9;

describe('owners with runs of ten requests that are never answered', function () {
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

  it('delay no check and no second opinion of another owner, although each run holds its place for 10 s after its timeout', async () => {
    plane.checks = [
      ...victimChecks(target.url),
      ...Array.from({ length: OWNERS }, (_, owner) => slowRuns(owner + 1)).flat(),
    ];
    const agent = home.start({ CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}`, LOG_LEVEL: 'info' });
    const running = async (): Promise<number> => {
      const metrics = await (await home.ask(agent, '/metrics')).text();
      return Number(/^watchpost_checks_running (\d+)$/m.exec(metrics)![1]);
    };
    await eventually('the agent connects', () => plane.connected || undefined, 60_000, 20);
    await eventually(
      'the slow runs use their whole share',
      async () => (await running()) >= 740 || undefined,
      90_000,
      100,
    );
    const [check] = victimChecks(target.url);
    for (const slow of slowRuns(1).slice(0, 80))
      plane.runNow({
        requestId: `slow ${slow.key!.monitorKey}`,
        check: slow,
        purpose: RunPurpose.RUN_PURPOSE_SECOND_OPINION,
      });
    plane.runNow({ requestId: 'victim', check, purpose: RunPurpose.RUN_PURPOSE_SECOND_OPINION });
    const { result } = await eventually(
      'the second opinion is there',
      () => plane.runResults.find(({ requestId }) => requestId === 'victim'),
      60_000,
      1,
    );
    expect(result?.outcome).to.equal(OutcomeKind.OUTCOME_KIND_UP);

    const during = await nextOfVictim(plane);
    expect(during.notUp).to.deep.equal([]);
  });

  const slowRuns = (owner: number): CheckSpec[] =>
    Array.from({ length: MONITORS_OF_AN_OWNER }, (_, index) => {
      const url = `http://127.0.0.1:${silent.port}/`;
      const steps = Array.from({ length: STEPS }, (__, step) => ({ name: `step ${step}`, url, always: step > 4 }));
      return httpCheck(owner * 1_000 + index, url, {
        target: JSON.stringify({ url, steps }),
        intervalMs: HELD_MS + 1_000,
        timeoutMs: HELD_MS,
        changedAtMs: BigInt(Date.now()),
        ownerKey: `slow ${owner}`,
        siteKey: `silent ${owner}/${index}`,
      });
    });
});
