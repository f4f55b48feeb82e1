import { expect } from 'chai';
import fc from 'fast-check';
import { isMaskedUrl, maskUrl } from '../../../platform/http/masked-url.js';
import { createWebhookUrlCheck } from './webhook-url.js';

describe('The URL of a webhook', () => {
  const production = createWebhookUrlCheck([]);
  const trial = createWebhookUrlCheck(['127.0.0.0/8', '::1/128', '198.51.100.0/24']);

  it('is an https URL with a public address, or with a name, which is checked when connecting', () => {
    for (const url of [
      'https://hooks.example.com/a?b=c',
      'https://1.1.1.1/x',
      'https://intranet:8443/',
      'HTTPS://x.example',
    ]) {
      expect(production(url), url).to.deep.equal([]);
    }
  });

  it('has no private address, however it is written', () => {
    const inside = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '0x7f.1',
      '2130706433',
      'localhost',
      'a.localhost.',
    ];
    for (const host of inside) {
      expect(production(`https://${host}/hook`).join(), host).to.include('WEBHOOK_ALLOW_CIDRS');
    }
    expect(trial('https://169.254.169.254/latest')).to.have.length(1);
  });

  it('is plain http only in the ranges that the operator allows', () => {
    for (const url of [
      'http://127.0.0.1:9000/hook',
      'http://localhost:9000/',
      'http://[::1]/',
      'http://198.51.100.7/',
    ]) {
      expect(trial(url), url).to.deep.equal([]);
      expect(production(url), url).to.have.length(1);
    }
    for (const url of ['http://hooks.example.com/', 'http://1.1.1.1/', 'http://127.0.0.1.example.com/']) {
      expect(trial(url).join(), url).to.include('https://');
    }
  });

  it('has no other scheme, no credentials and no invisible characters', () => {
    const bad = [
      '',
      'hooks.example.com',
      'ftp://x.example/',
      'javascript:alert(1)',
      'https:x.example',
      'https://',
      'file:///etc/passwd',
    ];
    for (const url of [...bad, 'https://u:p@x.example/', 'https://u@x.example/', 'https://x.example:0/']) {
      expect(production(url), url).to.have.length.above(0);
    }
    for (const unseen of ['\n', '\r', '\t', ' ', '\u0000', '\u2028', '\u00a0']) {
      expect(production(`https://x.example/${unseen}y`), JSON.stringify(unseen)).to.have.length(1);
    }
  });

  it('is not this machine, even at a public address, unless a range contains it', () => {
    const own = () => ['8.8.8.8'];
    expect(createWebhookUrlCheck([], own)('https://8.8.8.8/hook').join()).to.include('an address of this machine');
    expect(createWebhookUrlCheck(['8.8.8.8/32'], own)('https://8.8.8.8/hook')).to.deep.equal([]);
    expect(createWebhookUrlCheck([], own)('https://8.8.4.4/hook')).to.deep.equal([]);
  });

  it('has a host name that is valid in DNS, measured after punycode', () => {
    for (const host of [`${'a'.repeat(64)}.example`, `${'ü'.repeat(60)}.example`, `${'abcdefghi.'.repeat(26)}example`])
      expect(production(`https://${host}/hook`).join(), host).to.match(/octets/);
    expect(production(`https://${'a'.repeat(63)}.example/hook`)).to.deep.equal([]);
  });

  it('is checked without an exception, whatever the input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `https://${text}`),
        ),
        (url) => {
          if (production(url).length === 0) expect(new URL(url).protocol).to.equal('https:');
        },
      ),
    );
  });
});

describe('A webhook URL without TLS', () => {
  it('is allowed in the ranges of the operator, also in one that is a single address', () => {
    const check = createWebhookUrlCheck(['192.0.2.7', '10.0.0.0/8', 'fd00::7'], () => []);
    for (const host of ['192.0.2.7', '10.1.2.3', '[fd00::7]'])
      expect(check(`http://${host}/hook`), host).to.deep.equal([]);
    for (const host of ['192.0.2.8', '[fd00::8]', '203.0.113.9'])
      expect(check(`http://${host}/hook`), host).to.have.length(1);
  });
});

describe('The mask of a URL', () => {
  it('shows the host and the last four characters, but none of a short path', () => {
    expect(maskUrl('https://hooks.slack.com/services/T0/B0/abcdefghWXYZ')).to.equal('https://hooks.slack.com/***WXYZ');
    expect(maskUrl('https://chat.example:8443/hook?key=0123456789')).to.equal('https://chat.example:8443/***6789');
    expect(maskUrl('https://chat.example/abcd')).to.equal('https://chat.example/***');
  });

  it('is distinguished from a URL and reveals no more', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const masked = maskUrl(url);
        expect(isMaskedUrl(masked)).to.equal(true);
        expect(masked.length).to.be.at.most(new URL(url).origin.length + 8);
        expect(maskUrl(masked), 'of a mask there is nothing left to hide').to.match(/\/\*\*\*$/);
      }),
    );
    expect(isMaskedUrl('https://hooks.slack.com/services/T0/B0/abc')).to.equal(false);
  });
});
