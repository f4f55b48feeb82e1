import { expect } from 'chai';
import { answerDigest } from './answer-digest.js';

const portal = (host: string, id: string, time: string) => `<!DOCTYPE html>
<html lang="en"><head><title>Sign in to the network</title><meta name="x" content="${id}"></head>
<body onload="go('${id}')"><h1>Welcome</h1><p>You asked for http://${host}/path?session=${id} at ${time}.</p>
<form action="http://portal.test/login?url=http%3A%2F%2F${host}%2F&mac=${id}"><input value="${host}"></form></body></html>`;

describe('The digest of an answer', () => {
  it('is the same for pages of one device that name what was asked for, the time and ids', () => {
    const one = answerDigest(511, portal('shop.example', '4f:2a:77:01', '2026-11-28T03:06:06Z'));
    expect(answerDigest(511, portal('news.example.org:8080', 'a1-b2-c3', '2026-11-28T03:07:41Z'))).to.equal(one);
    const json = (id: string) => `{"error":"upstream unavailable","requestId":"${id}","took":${id.length}}`;
    expect(answerDigest(503, json('8c1f-22'))).to.equal(answerDigest(503, json('77aa-1b-3')));
  });

  it('differs where the status, the words or the structure do', () => {
    const digests = [
      answerDigest(500, 'Internal Server Error'),
      answerDigest(502, 'Internal Server Error'),
      answerDigest(500, 'The shop is closed'),
      answerDigest(500, '<h1>Internal Server Error</h1>'),
      answerDigest(500),
      answerDigest(null, '220 mail ready'),
    ];
    expect(new Set(digests).size).to.equal(digests.length);
  });

  it('is a number of 32 bits that is not 0, of any text and in linear time', () => {
    // So long that a search which is not linear would take many minutes.
    for (const unit of ['<', '<a ', '<a-', 'ä', '\ud800', 'a.']) {
      const digest = answerDigest(500, unit.repeat(1_000_000));
      expect(Number.isInteger(digest) && digest !== 0 && Math.abs(digest) <= 2 ** 31).to.equal(true);
    }
  });
});
