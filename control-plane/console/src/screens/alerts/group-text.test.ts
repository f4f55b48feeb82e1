import { expect } from 'chai';
import type { ChannelFieldView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { bodyOf, eventText, headersOf, headersText, listOf, NEW_GROUP, valuesOf } from './group-text.js';

const SHOWN = {
  id: '1',
  name: 'Chat',
  isEnabled: true,
  managedBy: null,
  attachTo: { tags: [], all: false },
  monitorCount: 0,
  created: '2026-11-22T10:00:00Z',
  lastModified: '2026-11-22T10:00:00Z',
};

const field = (name: string, kind: ChannelFieldView['kind']): ChannelFieldView => ({
  name,
  kind,
  title: name,
  required: true,
  secret: kind === 'secretUrl',
  example: '',
  help: '',
});

describe('the form of an action group', () => {
  it('reads addresses and numbers as people write them', () => {
    expect(listOf('a@x.example, b@x.example;\n c@x.example', 'emails')).to.deep.equal([
      'a@x.example',
      'b@x.example',
      'c@x.example',
    ]);
    expect(listOf('+353 87 123-4567\n(+49) 170 1234567', 'phones')).to.deep.equal(['+353871234567', '+491701234567']);
  });

  it('brings headers through the form unchanged, masked ones too', () => {
    const headers = { Authorization: '***', 'X-Team': 'web: 2' };
    expect(headersOf(headersText(headers))).to.deep.equal(headers);
    expect(headersOf('no colon')).to.deep.equal({ 'no colon': '' });
  });

  it('sends the fields of its type, and the secret of a chat only if it was entered', () => {
    const fields = [field('webhookUrl', 'secretUrl')];
    const slack = valuesOf({ ...SHOWN, type: 'slack', webhookUrl: 'https://hooks.slack.com/***XXXX' }, fields);
    expect(bodyOf(slack, fields)).to.deep.equal({ name: 'Chat', isEnabled: true });
    expect(bodyOf({ ...slack, webhookUrl: ' https://hooks.slack.com/new ' }, fields)).to.include({
      webhookUrl: 'https://hooks.slack.com/new',
    });
    expect(
      bodyOf({ ...NEW_GROUP, name: 'Ops', recipients: 'a@x.example' }, [field('recipients', 'emails')]),
    ).to.deep.equal({
      name: 'Ops',
      isEnabled: true,
      recipients: ['a@x.example'],
    });
  });

  it('has words for events that it does not know', () => {
    expect(eventText('incident.opened')).to.equal('Incident opened');
    expect(eventText('certificate.renewed_early')).to.equal('Certificate renewed early');
  });
});
