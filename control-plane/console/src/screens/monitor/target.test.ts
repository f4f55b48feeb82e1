import { MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import { expect } from 'chai';
import { nameInSubject, propagationText, readTarget, suggestTypes } from './target.js';

describe('What somebody pastes', () => {
  it('is a target with its host, and a bare name is taken as https', () => {
    expect(readTarget(' example.com/health ')).to.deep.equal({
      url: 'https://example.com/health',
      kind: 'https',
      host: 'example.com',
      isName: true,
    });
    expect(readTarget('tcp://db.example.com:5432')).to.include({ kind: 'tcp', host: 'db.example.com' });
    expect(readTarget('http://[2001:db8::1]:8080/')).to.include({ host: '2001:db8::1', isName: false });
    expect(readTarget('http://127.0.0.1:3000')).to.include({ host: '127.0.0.1', isName: false });
    expect(readTarget('http://localhost:3000')).to.include({ kind: 'http', isName: false });
  });

  it('is read in browsers without URL.parse too, such as Safari 17', () => {
    const own = Object.getOwnPropertyDescriptor(URL, 'parse');
    Reflect.deleteProperty(URL, 'parse');
    try {
      expect(readTarget('example.com')).to.include({ host: 'example.com' });
    } finally {
      if (own !== undefined) Object.defineProperty(URL, 'parse', own);
    }
  });

  it('is none while it is unfinished', () => {
    expect(['', 'exam', 'https://', 'ftp://example.com', 'two words.com'].map(readTarget)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('gets the types that suit it, as far as the plan covers them', () => {
    const all: string[] = MONITOR_TYPES;
    const of = (text: string, covered = all) => suggestTypes(readTarget(text)!, covered);
    expect(of('https://example.com')).to.deep.equal(['HttpAvailability', 'SslCertificate']);
    expect(of('https://example.com', ['HttpAvailability'])).to.deep.equal(['HttpAvailability']);
    expect(of('http://example.com')).to.deep.equal(['HttpAvailability']);
    expect(of('udp://example.com:53')).to.deep.equal(['TcpUdp']);
    expect(of('udp://example.com:53', ['HttpAvailability'])).to.deep.equal([]);
  });

  it('has an issuer that people know by its organization', () => {
    expect(nameInSubject("C=US, O=Let's Encrypt, CN=R11")).to.equal("Let's Encrypt");
    expect(nameInSubject('CN=shop.example')).to.equal('shop.example');
    expect(nameInSubject('O="Example, Inc.", CN=x')).to.equal('Example, Inc.');
  });
});

describe('The name servers of a zone', () => {
  const server = { server: 'ns1.example (192.0.2.1)', serial: 7, records: {}, error: null };
  const silent = { ...server, serial: null, records: null, error: 'no answer' };

  it('agree as far as they answer', () => {
    const of = (...servers: (typeof server | typeof silent)[]) =>
      propagationText({ consistent: true, convergedPercent: 100, servers });
    expect(of(server, server)).to.equal('2 name servers agree');
    expect(of(server, server, silent)).to.equal('2 name servers agree, 1 does not answer');
    expect(of(server, silent, silent)).to.equal('1 name server answers, 2 do not answer');
  });

  it('disagree, or do not answer at all', () => {
    expect(propagationText({ consistent: false, convergedPercent: 67, servers: [server, server, silent] })).to.equal(
      'Name servers disagree: 67 % have the same answer',
    );
    expect(propagationText({ consistent: false, convergedPercent: 0, servers: [silent] })).to.equal(
      'No name server answers',
    );
  });
});
