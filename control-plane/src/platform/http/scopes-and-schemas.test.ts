import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { formatDuration } from '@watchpost/shared/duration';
import { linkHeader } from './answering/link-header.js';
import { bySpecificity } from './serving/mount-routes.js';
import { rateLimitHeaders } from './rate-limiter.js';
import { booleanParam, durationSchema, instant, pageQuery, placeFilter, uuid } from './schemas.js';
import { scopesAllow, SCOPES } from './scopes.js';

describe('scopes', () => {
  const allows = (held: string[], accepted: string[]) => scopesAllow(new Set(held), accepted);

  it('are satisfied by any one that the route takes, or by a stronger one of the domain', () => {
    expect(allows(['incident.read'], ['monitor.admin', 'incident.read'])).to.equal(true);
    expect(allows(['incident.write'], ['incident.read'])).to.equal(true);
    expect(allows(['monitor.admin'], ['monitor.read'])).to.equal(true);
    expect(allows(['monitor.admin'], ['monitor.write'])).to.equal(true);
  });

  it('are never satisfied by a weaker one, or by another domain', () => {
    expect(allows(['monitor.read'], ['monitor.write'])).to.equal(false);
    expect(allows(['monitor.write'], ['monitor.admin'])).to.equal(false);
    expect(allows(['monitor.admin'], ['account.read'])).to.equal(false);
    expect(allows([], Object.keys(SCOPES))).to.equal(false);
    expect(allows(['user.read'], ['user.create', 'edit:user'])).to.equal(false);
  });
});

describe('shared schemas', () => {
  it('read pages within their bounds', () => {
    expect(pageQuery.parse({})).to.deep.equal({ page: 1, pageSize: 50 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (size) => {
        expect(pageQuery.parse({ pageSize: String(size) }).pageSize).to.equal(Math.min(size, 200));
      }),
    );
    for (const page of ['0', '-1', '', ' 1', '1.0', '0x1', '1000001', 'NaN'])
      expect(pageQuery.safeParse({ page }).success).to.equal(false);
  });

  it('read durations in any spelling, and only within the bounds', () => {
    const schema = durationSchema({ minMs: 60_000, maxMs: 3_600_000 });
    for (const text of ['PT1M', 'PT60S', 'PT0H1M']) expect(schema.parse(text)).to.equal(60_000);
    for (const text of ['PT59S', 'PT61M', '60', 'P1M', '']) expect(schema.safeParse(text).success).to.equal(false);
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 3_600 }), (seconds) => {
        expect(schema.parse(formatDuration(seconds * 1000))).to.equal(seconds * 1000);
      }),
    );
  });

  it('read moments with a zone, as ms', () => {
    expect(instant.parse('2026-11-21T10:30:00+02:00')).to.equal(Date.UTC(2026, 10, 21, 8, 30));
    for (const text of [
      '2026-11-21T10:30:00',
      '2026-11-21',
      '1969-12-31T23:59:59Z',
      '9999-12-31T23:59:59-01:00',
      '2026-02-30T00:00:00Z',
    ]) {
      expect([text, instant.safeParse(text).success]).to.deep.equal([text, false]);
    }
  });

  it('read ids, flags and regions', () => {
    const id = '019AA5C2-0000-7000-8000-0000000000A1';
    expect(uuid.parse(id)).to.equal(id.toLowerCase());
    expect(z.array(placeFilter).parse(['EastUS2'])).to.deep.equal(['eastus2']);
    expect([booleanParam.parse('false'), booleanParam.safeParse('0').success]).to.deep.equal([false, false]);
  });
});

describe('headers and paths', () => {
  it('put literal segments before parameters', () => {
    const paths = ['/w/{id}/members/{m}', '/w', '/w/{id}/members/me', '/w/{id}', '/w/mine'];
    expect(paths.toSorted(bySpecificity).filter((path) => /members|mine|\{id\}$/.test(path))).to.deep.equal([
      '/w/mine',
      '/w/{id}',
      '/w/{id}/members/me',
      '/w/{id}/members/{m}',
    ]);
  });

  it('link pages that exist', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 10_000 }),
        (page, pageSize, total) => {
          const header = linkHeader({
            baseUrl: 'https://x',
            path: '/y',
            querystring: `a=b%20c&page=${page}`,
            page,
            pageSize,
            total,
          });
          const last = Math.max(1, Math.ceil(total / pageSize));
          const target = (rel: string) => new RegExp(`page=(\\d+)>; rel="${rel}"`).exec(header)?.[1];
          expect([target('first'), target('last')]).to.deep.equal(['1', String(last)]);
          expect(target('next')).to.equal(page < last ? String(page + 1) : undefined);
          expect(target('prev')).to.equal(page > 1 ? String(Math.min(page - 1, last)) : undefined);
          expect(header).to.include('a=b+c');
        },
      ),
    );
  });

  it('spell the rate limit as structured fields', () => {
    expect(
      rateLimitHeaders('default', { allowed: true, limit: 600, windowSeconds: 60, remaining: 7, resetSeconds: 12 }),
    ).to.deep.equal({
      'RateLimit-Policy': '"default";q=600;w=60',
      RateLimit: '"default";r=7;t=12',
    });
  });
});
