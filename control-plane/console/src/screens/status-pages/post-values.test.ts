import { expect } from 'chai';
import type { PostView } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
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

describe('A post of a status page', () => {
  it('is scheduled only where it is maintenance', () => {
    expect(statusesOf('incident')).to.deep.equal(['investigating', 'identified', 'monitoring', 'resolved']);
    expect(statusesOf('maintenance')[0]).to.equal('scheduled');
    expect(bodyOfPost({ ...NEW_POST, scheduledStart: '2026-11-22T08:00' }, undefined)).not.to.have.property(
      'scheduledStart',
    );
  });

  it('keeps its moments through the zone of the viewer', () => {
    expect(bodyOfPost(valuesOfPost(POST), POST)).to.deep.equal({
      title: 'Moving',
      systemIds: ['s'],
      scheduledStart: '2026-11-22T08:00:00.000Z',
      scheduledEnd: null,
    });
  });

  it('gets an entry in its thread only by a text or another state', () => {
    const values = { ...valuesOfPost(POST), status: 'resolved' as const, body: 'Done.' };
    expect(bodyOfPost(values, POST)).to.include({ status: 'resolved', body: 'Done.' });
  });
});
