import { expect } from 'chai';
import { makeWorld } from '../support/seed.js';
import { countCases, expectStatus } from './case-count.js';
import { app, callerOf, send, seedOf, SUBJECTS, successOf } from './subject.js';

interface Entry {
  workspaceId: string;
  action: string;
  actorType: string;
  via: string;
  changes: Record<string, { from: unknown; to: unknown }>;
  requestId: string;
  remoteAddress: string;
}

const CHANGING = SUBJECTS.filter(({ route }) => route.method !== 'get');

async function entriesOf(requestId: string): Promise<Entry[]> {
  return app.sql<Entry & Record<string, unknown>>(
    `SELECT workspace_id AS "workspaceId", action, actor_type AS "actorType", via, changes, request_id AS "requestId",
       remote_address AS "remoteAddress"
     FROM audit_entry WHERE request_id = $1 ORDER BY action`,
    [requestId],
  );
}

async function countEntries(): Promise<number> {
  return app.value<number>('SELECT count(*) AS count FROM audit_entry');
}

describe('the audit log of every operation', () => {
  for (const subject of CHANGING) {
    const { title, route, example } = subject;
    const audits = route.audits ?? { none: 'unknown' };
    const actions = 'none' in audits ? [] : [...(example.entries ?? audits)];

    it(`${title} adds ${'none' in audits ? `nothing: ${audits.none}` : actions.join(' and ')}`, async () => {
      const world = await makeWorld(app);
      const call = await seedOf(subject, world);
      const api = await callerOf(subject, world, call);
      const before = await countEntries();
      const isRepeatable = route.method === 'post' && route.scopes !== 'anonymous' && !example.notReplayed;
      const headers = {
        'x-request-id': `audited-${route.operationId}`,
        ...(isRepeatable ? { 'idempotency-key': 'once' } : {}),
      };
      expectStatus(title, await send(subject, world, call, { api, headers }), successOf(subject));
      const made = await entriesOf(headers['x-request-id']);
      expect(made.map(({ action }) => action)).to.deep.equal(actions);
      expect(await countEntries(), 'the entries of this request').to.equal(before + actions.length);
      for (const entry of made) {
        if (!example.entries) expect(audits).to.include(entry.action);
        expect(entry.remoteAddress).to.equal('127.0.0.1');
        expect([entry.actorType, entry.via]).to.deep.equal(
          example.author ?? (route.scopes === 'anonymous' ? ['link', 'link'] : ['user', 'rest']),
        );
        expect(entry.changes).not.to.deep.equal({});
      }
      const isIdempotent = ['put', 'patch'].includes(route.method) && route.operationId !== 'updateStatusPagePost';
      if (!isRepeatable && !isIdempotent) return;
      await send(subject, world, call, { api, headers });
      expect(await countEntries(), 'a repeated request adds no entry').to.equal(before + actions.length);
      countCases();
    });
  }
});
