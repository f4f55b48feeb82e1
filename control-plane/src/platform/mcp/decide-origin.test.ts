import { expect } from 'chai';
import { decideOrigin } from './decide-origin.js';

const LOCAL = { baseUrl: 'http://127.0.0.1:8080', corsOrigins: [], listensOnLoopback: true };
const PUBLIC = { baseUrl: 'https://watchpost.example', corsOrigins: ['https://app.example'], listensOnLoopback: false };

describe('Who may call the MCP server from a web page', () => {
  const judge = (origin: string | undefined, host: string | undefined, rules: Parameters<typeof decideOrigin>[1]) =>
    decideOrigin({ origin, host }, rules);

  it('programs may: they send no origin', () => {
    expect(judge(undefined, '127.0.0.1:8080', LOCAL)).to.equal('trusted');
    expect(judge(undefined, 'watchpost.example', PUBLIC)).to.equal('trusted');
    // Behind a proxy the service is called by names that it does not know.
    expect(judge(undefined, '10.0.0.7:8080', PUBLIC)).to.equal('trusted');
  });

  it('pages of the service itself and of the configured origins may', () => {
    expect(judge('https://watchpost.example', 'watchpost.example', PUBLIC)).to.equal('trusted');
    expect(judge('https://app.example', 'watchpost.example', PUBLIC)).to.equal('trusted');
    expect(judge('https://any.example', 'watchpost.example', { ...PUBLIC, corsOrigins: ['*'] })).to.equal('trusted');
    for (const host of ['localhost:8080', '127.0.0.2:8080', '[::1]:8080', '[::ffff:127.0.0.1]:8080'])
      expect(judge(`http://${host}`, host, LOCAL), host).to.equal('trusted');
  });

  it('others may not', () => {
    for (const origin of [
      'https://evil.example',
      'http://watchpost.example',
      'null',
      '',
      'https://watchpost.example.evil.example',
    ])
      expect(judge(origin, 'watchpost.example', PUBLIC), origin).to.equal('foreign');
    for (const origin of ['http://localhost:9090', 'http://0.0.0.0:8080', 'http://[::ffff:10.1.2.3]:8080'])
      expect(judge(origin, '127.0.0.1:8080', LOCAL), origin).to.equal('foreign');
  });

  it('a page whose name was pointed at this machine may not, with or without an origin', () => {
    expect(judge('http://evil.example:8080', 'evil.example:8080', LOCAL)).to.equal('foreign');
    expect(judge(undefined, 'evil.example:8080', LOCAL)).to.equal('foreign');
    expect(judge(undefined, 'localhost.evil.example:8080', LOCAL)).to.equal('foreign');
    expect(judge(undefined, '[::1]:8080', LOCAL)).to.equal('trusted');
    // A container without BASE_URL is called by the name of the container.
    expect(judge(undefined, 'watchpost:8080', { ...LOCAL, listensOnLoopback: false })).to.equal('trusted');
    expect(judge('http://evil.example', 'evil.example', { ...LOCAL, listensOnLoopback: false })).to.equal('foreign');
    // A proxy on this machine calls a public service by its public name.
    expect(judge(undefined, 'watchpost.example', { ...PUBLIC, listensOnLoopback: true })).to.equal('trusted');
  });
});
