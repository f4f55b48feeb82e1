import { expect } from 'chai';
import { hideFields } from './hide-fields.js';
import { resolveEnvironment } from './resolve-environment.js';

describe('The changed fields of an object', () => {
  const value = {
    defaults: { tags: [{ env: 'TEAM' }, 'web'], http: { headers: { 'X.Team': { env: 'TEAM' }, env: 'literal' } } },
    monitors: { site: { url: { env: 'URL' }, http: { method: 'POST' } }, blog: { tags: [] } },
    teams: { web: { members: [{ email: { env: 'LEAD' } }] } },
  };
  const resolved = resolveEnvironment({ value, places: new Map() }, () => 'x');
  const hidden = (kind: 'monitors' | 'teams', key: string, fields: Record<string, { from: unknown; to: unknown }>) =>
    hideFields('named' in resolved ? resolved.named : undefined, { action: 'update', kind, key, id: null, fields });

  it('are named by the variables that give them, whatever their values are, and former values are not shown', () => {
    expect(
      hidden('monitors', 'site', {
        url: { from: 'y', to: 'x' },
        tags: { from: ['web', 'y'], to: ['web', 'x'] },
        'http.headers.X.Team': { from: null, to: 'x' },
        http: { from: null, to: { method: 'POST', headers: { 'X.Team': 'x', env: 'literal' } } },
      }),
    ).to.deep.equal({
      url: { from: '***', to: '$URL' },
      tags: { from: '***', to: ['$TEAM', 'web'] },
      'http.headers.X.Team': { from: null, to: '$TEAM' },
      http: { from: null, to: { method: 'POST', headers: { 'X.Team': '$TEAM', env: 'literal' } } },
    });
    expect(hidden('teams', 'web', { members: { from: [], to: [{ email: 'x', teamRole: 'lead' }] } })).to.deep.equal({
      members: { from: '***', to: [{ email: '$LEAD' }] },
    });
  });

  it('are shown where no variable gives them', () => {
    const fields = {
      tags: { from: ['x'], to: [] },
      'http.method': { from: 'GET', to: 'POST' },
      name: { from: 1, to: 2 },
    };
    expect(hidden('monitors', 'blog', fields)).to.deep.equal(fields);
    expect(hidden('monitors', 'site', { 'http.method': fields['http.method'] })).to.deep.equal({
      'http.method': fields['http.method'],
    });
    expect(hidden('monitors', 'gone', { name: fields.name })).to.deep.equal({ name: fields.name });
  });
});
