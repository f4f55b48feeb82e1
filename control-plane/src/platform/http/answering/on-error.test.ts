import { expect } from 'chai';
import { QueryFailedError } from 'typeorm';
import { z } from 'zod';
import { Fault, FAULT_CODES } from '@watchpost/shared/fault';
import { describeIssues, issueSentence } from '../reading/describe-issues.js';
import { answerFault, faultOf } from './on-error.js';

const context = { requestId: 'r1', baseUrl: 'https://watch.example', scopes: ['monitor.read', 'incident.read'] };

describe('errors as answers', () => {
  it('have a body of one shape for every code', () => {
    for (const code of FAULT_CODES) {
      const answer = answerFault(new Fault(code, 'Do this.'), context);
      expect(answer.status).to.be.within(400, 599);
      expect(JSON.parse(answer.body as string)).to.deep.equal({ error: code, message: 'Do this.', requestId: 'r1' });
      expect(answer.headers['WWW-Authenticate'] !== undefined).to.equal(
        answer.status === 401 || code === 'insufficient_scope',
      );
    }
  });

  it('cannot smuggle anything into a challenge', () => {
    const { headers } = answerFault(new Fault('invalid_token', 'a "b"\r\nSet-Cookie: c\\'), context);
    expect(headers['WWW-Authenticate']).to.match(
      /^Bearer error="invalid_token", error_description="[^"\\\r\n]*", resource_metadata="[^"]+"$/,
    );
  });

  it('distinguish a lost database from an internal error', () => {
    const lost = [
      Object.assign(new Error('x'), { code: '57P01' }),
      new QueryFailedError('SELECT 1', [], Object.assign(new Error('y'), { code: 'ECONNREFUSED' })),
      new QueryFailedError('SELECT 1', [], new Error('Connection terminated unexpectedly')),
      new Error('Connection terminated unexpectedly'),
      new AggregateError([Object.assign(new Error('z'), { code: 'ECONNREFUSED' })]),
      new Error('outer', { cause: Object.assign(new Error('x'), { code: '53300' }) }),
    ];
    for (const error of lost) expect(faultOf(error).code).to.equal('unavailable');
    for (const error of [Object.assign(new Error('x'), { code: '42703' }), new TypeError('x'), 'text', undefined]) {
      expect(faultOf(error).code).to.equal('internal_error');
    }
  });

  it('word every fault of a schema for people, with its dotted path', () => {
    const schema = z.strictObject({
      name: z.string().min(1),
      count: z.number().int().min(3),
      kind: z.enum(['a', 'b']),
      http: z.strictObject({ headers: z.array(z.string()) }).optional(),
      either: z.union([z.string(), z.strictObject({ min: z.number() })]).optional(),
      at: z.iso.datetime({ error: 'must be a time' }).optional(),
    });
    const { error } = schema.safeParse(
      { name: '', count: 1.5, http: { headers: ['x', 1] }, either: { min: 'x' }, at: 'now', extra: 1 },
      { error: issueSentence, reportInput: true },
    );
    expect(describeIssues(error!.issues)).to.have.deep.members([
      { path: 'name', message: 'must not be empty' },
      { path: 'count', message: 'must be a whole number' },
      { path: 'kind', message: 'must be one of a, b' },
      { path: 'http.headers.1', message: 'must be a string' },
      { path: 'either.min', message: 'must be a number' },
      { path: 'at', message: 'must be a time' },
      { path: 'extra', message: 'is not a field of this request' },
    ]);
  });

  it('name at most 100 faults', () => {
    const { error } = z.array(z.string()).safeParse(Array.from({ length: 5_000 }, () => 1));
    expect(describeIssues(error!.issues)).to.have.length(100);
  });
});
