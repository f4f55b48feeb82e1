import { expect } from 'chai';
import fc from 'fast-check';
import { DecodedBody } from './decode-body.js';
import { sniffCharset } from './sniff-charset.js';

const LONG = `<!doctype html><html><head><title>${'x'.repeat(2_000)}</title>`;
const name = (body: string | Buffer, type?: string) =>
  sniffCharset(typeof body === 'string' ? Buffer.from(body, 'latin1') : body, type).name;

describe('the charset of a body', () => {
  it('is that of a byte order mark, whatever else is declared', () => {
    for (const type of ['text/html; charset=latin1', 'application/json', 'text/xml; charset=latin1', undefined]) {
      expect(name('\xef\xbb\xbf<meta charset=latin1>', type)).to.equal('utf-8');
      expect(name('\xff\xfea\0', type)).to.equal('utf-16le');
      expect(name('\xfe\xff\0a', type)).to.equal('utf-16be');
    }
  });

  it('is that of the Content-Type, which can have several values', () => {
    for (const [type, charset] of [
      ['text/html; charset=ISO-8859-2', 'iso-8859-2'],
      ['text/html;CHARSET="koi8-r"; x=y', 'koi8-r'],
      ['text/plain; x="a;charset=utf-8"; charset=shift_jis', 'shift_jis'],
      ['text/html; charset=koi8-r, text/html', 'koi8-r'],
      ['text/html; charset=koi8-r, text/html; charset=iso-8859-2', 'iso-8859-2'],
      ['text/plain; charset=koi8-r, text/html', 'iso-8859-7'],
      ['text/html; charset=koi8-r, */*', 'koi8-r'],
      ['text/html; charset=no-such-thing', 'iso-8859-7'],
      ['text/html', 'iso-8859-7'],
    ] as const)
      expect(name('<meta charset=iso-8859-7>\xe1', type), type).to.equal(charset);
  });

  it('of a page is that of its first valid meta, also beyond 1,024 bytes in its head', () => {
    for (const [page, charset] of [
      ['<meta charset=koi8-r>', 'koi8-r'],
      [`<META x y='>' ChArSeT = ' koi8-r ' >`, 'koi8-r'],
      ['<meta charset=no-such-thing><meta charset="koi8-r"/>', 'koi8-r'],
      ['<meta content="text/html; charset=koi8-r" http-equiv=Content-Type>', 'koi8-r'],
      [`<meta http-equiv=content-type content="text/html;charset='koi8-r'">`, 'koi8-r'],
      ['<meta content="text/html; charset=koi8-r">', 'windows-1252'],
      ['<meta name=description content="charset=koi8-r">', 'windows-1252'],
      ['<!-- <meta charset=koi8-r> --><meta charset=iso-8859-2>', 'iso-8859-2'],
      ['<!--><meta charset=koi8-r>', 'koi8-r'],
      ['<!-- <meta charset=koi8-r>', 'windows-1252'],
      ['<script>x = "<meta charset=koi8-r>"</script>', 'windows-1252'],
      ['<div title="<meta charset=koi8-r>">', 'windows-1252'],
      ['<metadata charset=koi8-r></meta charset=koi8-r>', 'windows-1252'],
      ['<meta charset=utf-16>', 'utf-8'],
      ['<meta charset=utf-16be>', 'utf-8'],
      ['<meta charset=x-user-defined>', 'windows-1252'],
      ['<body><p><meta charset=koi8-r>', 'koi8-r'],
      [`${LONG}<meta charset=koi8-r>`, 'koi8-r'],
      [`${LONG}</head><meta charset=koi8-r>`, 'windows-1252'],
      [`<body>${LONG}<meta charset=koi8-r>`, 'windows-1252'],
      [`<?xml version="1.0" encoding="koi8-r"?><html>`, 'koi8-r'],
    ] as const)
      expect(name(`${page}\xe1`, 'text/html'), page).to.equal(charset);
    expect(name('<meta charset=koi8-r>\xe1'), 'no type').to.equal('koi8-r');
    expect(name('<meta charset=koi8-r>\xe1', 'text/plain')).to.equal('windows-1252');
  });

  it('of XML is that of its declaration, and UTF-8 without one', () => {
    for (const type of ['text/xml', 'application/xml', 'image/svg+xml', 'application/xhtml+xml; profile=x']) {
      expect(name(`<?xml version='1.0'  encoding = 'ISO-8859-1' ?>\xe1`, type)).to.equal('windows-1252');
      expect(name(`<?xml version="1.0" encoding="UTF-16"?>`, type)).to.equal('utf-8');
      expect(name(`<?xml version="1.0"?><meta charset="koi8-r"/>`, type)).to.equal('utf-8');
      expect(name(`<a encoding="koi8-r"/>`, type)).to.equal('utf-8');
      expect(name(Buffer.from('<?xml version="1.0"?>', 'utf16le'), type)).to.equal('utf-16le');
      expect(name(`<?xml version="1.0" encoding="koi8-r"?>`, `${type}; charset=iso-8859-2`)).to.equal('iso-8859-2');
    }
  });

  it('of JSON is UTF-8, whatever a text in it looks like', () => {
    const json = JSON.stringify({ page: '<meta charset=koi8-r>', greeting: 'Grüße' });
    for (const type of ['application/json', 'application/problem+json', 'application/json; charset=iso-8859-1'])
      expect(new DecodedBody(Buffer.from(json), type).text, type).to.equal(json);
    expect(name(Buffer.from('"Grüße"', 'latin1'), 'application/json; charset=iso-8859-2')).to.equal('iso-8859-2');
    expect(name(Buffer.from('"Grüße"', 'latin1'), 'application/json')).to.equal('windows-1252');
  });

  it('without a declaration stays UTF-8 where a program has cut a character', () => {
    const page = Buffer.concat([Buffer.from('<p>Größe, Maße, na'), Buffer.from([0xc3]), Buffer.from(' </p>')]);
    const { text, notes } = new DecodedBody(page, 'text/html');
    expect(text).to.equal('<p>Größe, Maße, na\ufffd </p>');
    expect(notes.join()).to.match(/not valid UTF-8: it is read as UTF-8\./);
    expect(new DecodedBody(Buffer.from('<p>Größe, Maße</p>', 'latin1'), 'text/html').text).to.equal(
      '<p>Größe, Maße</p>',
    );
  });

  it('without a declaration is UTF-8 where that is valid, also in a body that was cut in a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(3), (text, cut) => {
        const bytes = Buffer.from(`ä${text}😀`);
        expect(name(bytes.subarray(0, bytes.length - cut), 'text/plain')).to.equal('utf-8');
      }),
    );
    expect(sniffCharset(Buffer.from('\x80', 'latin1'), undefined)).to.deep.equal({
      name: 'windows-1252',
      note: 'Its body declares no charset and is not valid UTF-8: it is read as windows-1252.',
    });
    expect(new DecodedBody(Buffer.from('\x80', 'latin1'), undefined).text).to.equal('€');
  });

  it('is found in any bytes, without a throw', () => {
    const part = fc.constantFrom(
      '<meta ',
      'charset=',
      '"',
      "'",
      '>',
      'koi8-r',
      '<!--',
      '-->',
      '<script>',
      '/',
      ' ',
      'ä',
    );
    const type = fc.constantFrom('text/html', 'text/xml', 'application/json', '', ',,;', 'charset="', undefined);
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 40 }), type, (parts, contentType) => {
        expect(new DecodedBody(Buffer.from(parts.join('')), contentType).text).to.be.a('string');
      }),
    );
  });
});
