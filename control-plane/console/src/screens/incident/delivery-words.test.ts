import { expect } from 'chai';
import { deliveryWords } from './delivery-words.js';

describe('The words for a message', () => {
  it('name what it is about', () => {
    expect(deliveryWords('incident.opened', 'group')).to.equal('Opened');
    expect(deliveryWords('incident.note_added', 'group')).to.equal('Note added');
    expect(deliveryWords('incident.opened', 'page:0:1')).to.equal('Page');
    expect(deliveryWords('incident.closed', 'paged')).to.equal('Page is over');
  });
});
