import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { FAULTS, type FaultKey } from './fault-sentences.js';
import { ProbeFault } from './probe-fault.js';

const KEYS = Object.keys(FAULTS) as FaultKey[];

describe('the sentences of check faults', () => {
  it('are complete sentences without codes', () => {
    for (const key of KEYS) {
      const { sentence } = FAULTS[key];
      expect(sentence, key).to.match(/^(The|An?|No|Checks|Connecting|\{first\}) .*[.]$/);
      expect(sentence.replaceAll(/\{\w+\}/g, ''), key).not.to.match(/[_{}]|undefined|ERR/);
    }
    expect(new Set(KEYS.map((key) => FAULTS[key].sentence)).size).to.equal(KEYS.length);
  });

  it('have their placeholders filled in', () => {
    expect(new ProbeFault('connection_refused', { address: '203.0.113.7:443' }).toOutcome()).to.deep.equal({
      kind: 'down',
      phase: 'connect',
      reason: 'connection_refused',
      message: 'The server at 203.0.113.7:443 refused the connection.',
    });
    expect(new ProbeFault('agent_late', { lateMs: 1_200 }).toOutcome()).to.deep.equal({
      kind: 'inconclusive',
      reason: 'agent_late',
      message: 'The agent stood still for 1200 ms while the check ran.',
    });
  });

  it('are listed in the guide with phase and reason', async () => {
    const guide = await readFile(new URL('../../../docs/guides/check-faults.md', import.meta.url), 'utf8');
    const rows = guide
      .split('\n')
      .filter((line) => /^\| (?!sentence|-)/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '').replaceAll('\\_', '_')));
    const listed = new Map(rows.map(([, sentence, phase, reason]) => [sentence, `${phase} ${reason}`]));
    for (const key of KEYS) {
      const fault = FAULTS[key];
      expect(listed.get(fault.sentence), fault.sentence).to.equal(
        fault.kind === 'down' ? `${fault.phase} ${fault.reason}` : `– ${fault.reason}`,
      );
    }
    expect(listed.size, 'no row without a fault').to.equal(KEYS.length);
  });
});
