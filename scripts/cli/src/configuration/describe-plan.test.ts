import { expect } from 'chai';
import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import { describePlan, hasDifferences } from './describe-plan.js';

describe('describePlan', () => {
  const change = (action: ConfigPlan['changes'][number]['action'], key: string, fields = {}) => ({
    action,
    kind: 'monitors' as const,
    key,
    id: null,
    fields,
  });
  const plan: ConfigPlan = {
    project: 'shop',
    version: 'v',
    changes: [
      change('create', 'a', { url: { from: null, to: 'https://a.example/' } }),
      change('update', 'b', {
        checkInterval: { from: 'PT1M', to: 'PT5M' },
        'http.headers': { from: '***', to: '***' },
      }),
      change('delete', 'c'),
      change('orphan', 'd'),
      change('unchanged', 'e'),
    ],
    summary: { create: 1, update: 1, delete: 1, orphan: 1, unchanged: 1 },
    warnings: ['Look out.'],
  };

  it('prints each difference in a line, and changed fields below it', () => {
    expect(describePlan(plan, (_, text) => text)).to.deep.equal([
      '+ monitors.a',
      '~ monitors.b',
      '    checkInterval: "PT1M" → "PT5M"',
      '    http.headers: "***" → "***"',
      '- monitors.c',
      '? monitors.d is no longer in the document and stays; `--prune` deletes it',
      'warning: Look out.',
      'shop: 1 to create, 1 to update, 1 to delete, 1 orphan, 1 unchanged.',
    ]);
  });

  it('counts orphans alone as no difference', () => {
    const summary = { create: 0, update: 0, delete: 0, orphan: 3, unchanged: 2 };
    expect(hasDifferences({ ...plan, summary })).to.equal(false);
    for (const action of ['create', 'update', 'delete'] as const)
      expect(hasDifferences({ ...plan, summary: { ...summary, [action]: 1 } }), action).to.equal(true);
  });
});
