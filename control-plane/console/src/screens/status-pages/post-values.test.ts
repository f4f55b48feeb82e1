import { expect } from 'chai';
import type { PostView } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
import { localText } from '../../parts/format.js';
import { bodyOfPost, NEW_POST, statusesOf, valuesOfPost } from './post-values.js';

const POST: PostView = {
  id: 'p',
  title: 'Moving',
  body: 'We move.',
  kind: 'maintenance',
  status: 'scheduled',
  systemIds: ['s'],
  scheduledStart: '2026-11-22T08:00:00.000Z',
  scheduledEnd: null,
  updates: [],
  moreUpdates: false,
  createdBy: 'u',
  created: '2026-11-21T08:00:00.000Z',
  lastModified: '2026-11-21T08:00:00.000Z',
};

const MOMENT_MS = Date.parse(POST.scheduledStart!);

describe('A post of a status page', () => {
  it('is scheduled only where it is maintenance', () => {
    expect(statusesOf('incident')).to.deep.equal(['investigating', 'identified', 'monitoring', 'resolved']);
    expect(statusesOf('maintenance')[0]).to.equal('scheduled');
    expect(bodyOfPost({ ...NEW_POST, scheduledStart: '2026-11-22T08:00' }, undefined)).not.to.have.property(
      'scheduledStart',
    );
  });

  it('sends of a new post all values, with its moments in ISO 8601', () => {
    const values = { ...NEW_POST, kind: 'maintenance', scheduledStart: localText(MOMENT_MS) } as const;
    expect(bodyOfPost(values, undefined)).to.deep.equal({
      ...values,
      scheduledStart: '2026-11-22T08:00:00.000Z',
      scheduledEnd: null,
    });
  });

  it('sends of a change only what differs, so that moments with seconds and systems that are gone stay', () => {
    const values = valuesOfPost({ ...POST, scheduledStart: '2026-11-22T08:00:20.000Z' });
    expect(bodyOfPost(values, values)).to.equal(undefined);
    expect(bodyOfPost({ ...values, body: ' Done. ', status: 'resolved' }, values)).to.deep.equal({
      body: 'Done.',
      status: 'resolved',
    });
    expect(bodyOfPost({ ...values, body: ' ', scheduledEnd: localText(MOMENT_MS) }, values)).to.deep.equal({
      scheduledEnd: '2026-11-22T08:00:00.000Z',
    });
  });
});
