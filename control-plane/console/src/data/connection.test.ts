import { expect } from 'chai';
import { loadInPage } from './load-in-page.js';

const load = () => loadInPage(() => import('./connection.js'));

describe('The connection', () => {
  let connection: Awaited<ReturnType<typeof load>>;
  before(async () => {
    connection = await load();
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
