import { expect } from 'chai';
import { auditSentence } from './audit-sentence.js';
import type { AuditEntry } from './views.js';

function entry(action: AuditEntry['action'], rest: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 'a',
    at: '2026-11-21T12:00:00.000Z',
    action,
    actor: { type: 'user', id: 'u', name: 'Ann' },
    via: 'console',
    assistant: null,
    target: { type: action.split('.')[0] as AuditEntry['target']['type'], id: 't', name: 'Shop' },
    changes: {},
    requestId: null,
    remoteAddress: null,
    ...rest,
  };
}

describe('An entry of the audit log', () => {
  const textOf = (one: AuditEntry) => Object.values(auditSentence(one)).join(' ').trim();

  it('is a sentence that names who changed what', () => {
    expect(textOf(entry('monitor.updated'))).to.equal('Ann changed the monitor Shop');
    expect(textOf(entry('service_group.restored'))).to.equal('Ann restored the service group Shop');
    expect(textOf(entry('member.role_changed'))).to.equal('Ann changed the role of the member Shop');
    expect(textOf(entry('invitation.created'))).to.equal('Ann invited Shop');
    expect(textOf(entry('member.joined'))).to.equal('Ann joined the workspace');
  });

  it('names a key, the operator and deleted users as what they are', () => {
    const by = (type: AuditEntry['actor']['type'], name: string | null) =>
      textOf(entry('monitor.created', { actor: { type, id: null, name } }));
    expect(by('apiKey', 'CI')).to.equal('The API key CI created the monitor Shop');
    expect(by('operator', null)).to.equal('The operator created the monitor Shop');
    expect(by('user', null)).to.equal('A deleted user created the monitor Shop');
  });
});
