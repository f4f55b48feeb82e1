import { expect } from 'chai';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { startAttackedService, type AttackedService } from './attack-with-pages.js';

const NOTHING_MS = 100;

describe('attack 4: visitors of the largest status pages of a trial', () => {
  let service: AttackedService;
  before(async function () {
    this.timeout(280_000);
    service = await startAttackedService({
      owners: 3,
      plan: 'Pro',
      monitors: 100,
      regions: ['eastus2', 'japaneast'],
    });
  });
  after(() => service?.stop());

  it('slow another account down to at most three times its usual time while 300 monitors flap in three regions', async () => {
    await service.watch(1_000);
    const before = await service.watch(10_000);
    const visitors = service.sendVisitors();
    const during = await service.watch(60_000);
    const { answers } = await visitors.callBack();
    for (const [measure, key] of [
      ['REST p95 with 900 flapping series, ms', 'restP95'],
      ['health p95 with 900 flapping series, ms', 'healthP95'],
    ] as const) {
      const limitMs = Math.max(3 * before[key], NOTHING_MS);
      const limit = `under 3 × before, or ${NOTHING_MS} ms`;
      printFairnessFigure({ attack: 4, measure, before: before[key], during: during[key], limit });
      expect(during[key], measure).to.be.lessThan(limitMs);
    }
    expect(during.pageMost, 'the public status page of the victim, ms').to.be.lessThan(2_000);
    expect(answers[200]).to.be.greaterThan(20);
  }).timeout(200_000);
});
