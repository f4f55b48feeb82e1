import { expect } from 'chai';
import { loadInPage } from './load-in-page.js';

describe('The connection', () => {
  let connection: typeof import('./connection.js');
  before(async () => {
    connection = await loadInPage(() => import('./connection.js'));
    connection.eventStream.value = 'live';
  });
  beforeEach(() => connection.noteHeard('requests'));

  it('is lost while no request is answered, although the stream of events is alive', () => {
    const { connectionState, noteHeard, noteLost } = connection;
    noteLost('requests');
    noteHeard('events');
    expect(connectionState.value).to.equal('lost');
    noteLost('events');
    noteHeard('events');
    expect(connectionState.value).to.equal('lost');
    noteHeard('requests');
    expect(connectionState.value).to.equal('live');
  });

  it('is there again where the stream is, or a request is answered, if the stream alone was lost', () => {
    const { connectionState, noteHeard, noteLost } = connection;
    for (const way of ['requests', 'events'] as const) {
      noteLost('events');
      expect(connectionState.value).to.equal('lost');
      noteHeard(way);
      expect(connectionState.value).to.equal('live');
    }
  });
});
