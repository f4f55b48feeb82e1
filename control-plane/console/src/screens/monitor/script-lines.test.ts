import { expect } from 'chai';
import { lineOfStep, stepOfLine } from './script-lines.js';

describe('the lines of a script', () => {
  it('are read as the steps that they were written for', () => {
    for (const [step, line] of [
      [{ expect: '(?m)^220 \\w+' }, 'expect (?m)^220 \\w+'],
      [{ expectHex: '00 ff' }, 'expectHex 00 ff'],
      [{ send: 'EHLO "a" \\ b\r\n' }, 'send EHLO "a" \\\\ b\\r\\n'],
      [{ send: 'hex:00 ff' }, 'send hex:00 ff'],
      [{ startTls: true }, 'startTls'],
    ] as const) {
      expect(lineOfStep(step)).to.equal(line);
      expect(stepOfLine(line)).to.deep.equal(step);
    }
  });

  it('are refused by the server where they are no step', () => {
    for (const line of ['', 'expect', 'starttls', 'write hello']) expect(stepOfLine(line)).to.equal(line);
  });
});
