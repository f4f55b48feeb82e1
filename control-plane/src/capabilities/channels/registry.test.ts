import { expect } from 'chai';
import { destinationFields } from './channel.js';
import { CHANNELS, channelOf } from './registry.js';

const maskDestination = (channel: string, address: string) => channelOf(channel).mask(address);

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

describe('The registry of channels', () => {
  it('has one channel of each type, whose destination is one of its fields', () => {
    expect(new Set(CHANNELS.map(({ type }) => type)).size).to.equal(CHANNELS.length);
    for (const channel of CHANNELS)
      expect(
        channel.fields.map(({ name }) => name),
        channel.type,
      ).to.include.members(destinationFields(channel));
  });

  it('lets no field be named like one that every group has', () => {
    const taken = ['id', 'type', 'name', 'isEnabled', 'monitorCount', 'managedBy', 'created', 'lastModified', 'secret'];
    for (const { fields } of CHANNELS) for (const { name } of fields) expect(taken).to.not.include(name);
  });
});
