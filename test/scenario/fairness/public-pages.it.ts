import { expect } from 'chai';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { startAttackedService, type AttackedService } from './attack-with-pages.js';

/** Times below this are accepted: nobody notices them, and a busy machine adds more than what is measured. */
const NOTHING_MS = 100;

describe('attack 4: visitors of many large public status pages', () => {
  let service: AttackedService;
  before(async function () {
    this.timeout(120_000);
    service = await startAttackedService({ owners: 3, plan: 'Starter', monitors: 50, regions: [] });
  });
  after(() => service?.stop());

  it('slow another account down to at most three times its usual time while 60 pages of 100 systems are built', async () => {
    await service.watch(1_000);
    const before = await service.watch(4_000);
    const visitors = service.sendVisitors();
    const during = await service.watch(8_000);
    const { answers } = await visitors.callBack();
    for (const [measure, key] of [
      ['REST p95, ms', 'restP95'],
      ['health p95, ms', 'healthP95'],
      ['own public page p95, ms', 'pageP95'],
    ] as const) {
      const isBuilt = key === 'pageP95';
      const limitMs = isBuilt ? 2_000 : Math.max(3 * before[key], NOTHING_MS);
      const limit = isBuilt ? 'under 2 s' : `under 3 × before, or ${NOTHING_MS} ms`;
      printFairnessFigure({ attack: 4, measure, before: before[key], during: during[key], limit });
      expect(during[key], measure).to.be.lessThan(limitMs);
    }
    expect(during.pageMost, 'the public status page of the victim, ms').to.be.lessThan(2_000);
    expect(answers[200], 'visitors are answered too').to.be.greaterThan(5);
    expect(Object.keys(answers).filter((status) => !['200', '503', 'none'].includes(status))).to.deep.equal([]);
  }).timeout(60_000);
});
