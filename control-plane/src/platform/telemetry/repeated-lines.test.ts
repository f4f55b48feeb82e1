import { mock } from 'node:test';
import { expect } from 'chai';
import { createLogger } from './logger.js';

describe('A log in which a line repeats', () => {
  let lines: { msg: string; err?: unknown; repeated?: number; region?: string }[];
  const write = (line: string) => void lines.push(JSON.parse(line));
  beforeEach(() => {
    lines = [];
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

  it('has the first ones and how many more there were in the minute, then begins anew', () => {
    const logger = createLogger('info', 'test', { write });
    for (let turn = 0; turn < 500; turn++) logger.child({ region: `r${turn}` }).warn({ err: refused() }, 'not stored');
    expect(lines.map(({ region }) => region)).to.deep.equal(['r0', 'r1', 'r2']);
    mock.timers.tick(60_000);
    expect(lines).to.have.length(4);
    expect(lines[3]).to.include({ msg: 'not stored', repeated: 497, err: 'ECONNREFUSED' });
    logger.warn({ err: refused() }, 'not stored');
    mock.timers.tick(60_000);
    expect(lines).to.have.length(5);
  });

  it('has all lines with another text or error, and everything that is no warning', () => {
    const logger = createLogger('info', 'test', { write });
    for (let turn = 0; turn < 20; turn++) {
      logger.error({ err: new Error(`fault ${turn}`) }, 'a request failed');
      logger.warn(`text ${turn}`);
      logger.info('request');
    }
    mock.timers.tick(60_000);
    expect(lines).to.have.length(60);
  });

  it('counts a bounded number of texts, and writes the others', () => {
    const logger = createLogger('info', 'test', { write });
    for (let turn = 0; turn < 3_000; turn++) logger.warn(`text ${turn}`);
    expect(lines).to.have.length(3_000);
  });
});
