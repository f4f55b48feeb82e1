import { expect } from 'chai';
import { QueryFailedError } from 'typeorm';
import { createLogger } from './logger.js';

describe('the log', () => {
  const logged = (error: Error): string => {
    let text = '';
    createLogger('info', 'test', { write: (line) => void (text += line) }).error({ err: error }, 'it failed');
    return text;
  };
  const refused = () =>
    Object.assign(new Error('null value in column "kind"'), {
      code: '23502',
      table: 'provider_entity',
      detail: 'Failing row contains (refresh-token-1, ann@example.com).',
      where: 'COPY provider_entity, line 1: "refresh-token-1"',
    });
  const failed = () => new QueryFailedError('INSERT INTO provider_entity VALUES ($1)', ['refresh-token-1'], refused());

  it('an error names the statement that failed and why, never its parameters', () => {
    for (const error of [failed(), refused(), new AggregateError([failed()], 'several failed')]) {
      const text = logged(error);
      expect(text).to.contain('23502').and.to.contain('null value in column').and.to.contain('logger.test');
      expect(text).not.to.contain('refresh-token-1');
      expect(text).not.to.contain('ann@example.com');
    }
    expect(logged(failed())).to.contain('INSERT INTO provider_entity');
  });

  it('a lost connection is an error without the state of the connection', () => {
    const client = { host: 'db.internal', user: 'watchpost', connectionParameters: { database: 'watchpost' } };
    const text = logged(Object.assign(new Error('terminating connection'), { code: '57P01', client }));
    expect(text).to.contain('57P01').and.to.not.contain('db.internal').and.to.not.contain('connectionParameters');
  });
});
