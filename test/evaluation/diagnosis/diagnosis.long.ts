import { expect } from 'chai';
import { ANSWERS } from './cases/answers.js';
import { AROUND } from './cases/around.js';
import type { Case } from './cases/case.js';
import { CONNECTIONS } from './cases/connections.js';
import { HELD_OUT } from './cases/held-out.js';
import { findCause, type Finding } from './reader.js';
import { startTestBed } from './test-bed.js';
import { startedForSuite } from '../../support/suite.js';

const CASES: readonly Case[] = [...CONNECTIONS, ...ANSWERS, ...AROUND, ...HELD_OUT];
/** Of ten causes, so many are found. */
const FOUND_OF_TEN = 9;

interface Row extends Pick<Finding, 'confidence' | 'calls'> {
  case: string;
  cause: string;
  found: string;
}

describe('A reader that follows diagnoses by rules', function () {
  this.timeout(900_000);
  const bed = startedForSuite(() => startTestBed());
  const rows: Row[] = [];

  for (const one of CASES) it(`is given a case where ${one.name}`, async () => rows.push(await evaluate(one)));

  it(`finds ${FOUND_OF_TEN} of 10 causes with at most two calls, and is never wrong where the answer is sure`, () => {
    printTable(rows);
    expect(rows.length, 'cases that could be made').to.equal(CASES.length);
    const right = rows.filter(({ cause, found }) => cause === found);
    expect(right.length).to.be.at.least(Math.ceil((rows.length * FOUND_OF_TEN) / 10));
    expect(Math.max(...rows.map(({ calls }) => calls))).to.be.at.most(2);
    expect(rows.filter(({ cause, found, confidence }) => cause !== found && confidence === 'high')).to.deep.equal([]);
  });

  async function evaluate(one: Case): Promise<Row> {
    const scene = await bed.scene();
    try {
      const { monitor, root } = await one.run(scene, bed);
      const incidentId = await scene.incidentOf(monitor);
      const rootId = root ? await scene.incidentOf(root) : incidentId;
      const found = await findCause(await scene.caller(), incidentId, monitor.id);
      const isThere = found.incidentId === rootId;
      return {
        case: one.name,
        cause: one.cause,
        found: isThere ? found.cause : `${found.cause} of another monitor`,
        confidence: found.confidence,
        calls: found.calls,
      };
    } finally {
      await scene.end();
    }
  }
});

function printTable(rows: readonly Row[]): void {
  const columns = ['case', 'cause', 'found', 'confidence', 'calls'] as const;
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells: readonly unknown[]) =>
    cells.map((cell, index) => String(cell).padEnd(widths[index]!)).join('  ');
  const right = rows.filter(({ cause, found }) => cause === found).length;
  const lines = [line(columns), ...rows.map((row) => line(columns.map((column) => row[column])))];
  process.stdout.write(`${lines.join('\n')}\n${right} of ${rows.length} causes were found.\n`);
}
