import { expect } from 'chai';
import { maskDestination } from './mask-destination.js';

describe('A destination on a timeline', () => {
  it('can be distinguished from others but not recognized', () => {
    expect(maskDestination('email', 'ann@example.test')).to.equal('a***@example.test');
    expect(maskDestination('sms', '+353871234567')).to.equal('+35***67');
    expect(maskDestination('webhook', 'https://hooks.example.test/in?key=secret')).to.equal(
      'https://hooks.example.test/***',
    );
    expect(maskDestination('webhook', 'nonsense')).to.equal('***');
    expect(maskDestination('slack', 'https://hooks.slack.com/***0001')).to.equal('https://hooks.slack.com/***0001');
  });
});
