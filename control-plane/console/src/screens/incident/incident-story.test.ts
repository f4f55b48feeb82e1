import { expect } from 'chai';
import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import { groupAlike } from './alike.js';
import { runningText } from './running-text.js';

type Evidence = Pick<IncidentEvidence, 'regions' | 'failures'>;

function evidenceOf(answers: Record<string, { message: string; responseTime: number }>, fine: string[]): Evidence {
  const regions = [...Object.keys(answers), ...fine].map((region) => ({
    region,
    verdict: fine.includes(region) ? 'fine' : 'failing',
    note: null,
  }));
  const failures = Object.entries(answers).map(([region, own]) => ({ region, summary: '', statusCode: 503, ...own }));
  return { regions, failures } as unknown as Evidence;
}

describe('the story of an incident', () => {
  it('has regions together that saw the same, whatever it took', () => {
    const evidence = evidenceOf(
      {
        eastus2: { message: 'Status 503', responseTime: 40 },
        northeurope: { message: 'No answer', responseTime: 30_000 },
        westus2: { message: 'Status 503', responseTime: 90 },
      },
      ['uksouth', 'japaneast'],
    );
    expect(
      groupAlike(evidence).map(({ names, failures }) => [names, failures.map(({ region }) => region)]),
    ).to.deep.equal([
      [['eastus2', 'westus2'], ['eastus2']],
      [['northeurope'], ['northeurope']],
      [['uksouth', 'japaneast'], []],
    ]);
  });

  it('has a clock that runs', () => {
    expect([0, 67_900, 3_847_000, 176_647_000, -5].map(runningText)).to.deep.equal([
      '0:00',
      '1:07',
      '1:04:07',
      '2 d 1:04:07',
      '0:00',
    ]);
  });
});
