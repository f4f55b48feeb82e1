import { expect } from 'chai';
import { cookieAnswers, cookiesFor, type ChainAnswer } from './decide-cookies.js';

const answer = (url: string, ...headers: string[]): ChainAnswer => ({ url, head: { statusCode: 200, headers } });
const namesAt = (url: string, answers: readonly ChainAnswer[]) =>
  cookiesFor(new URL(url), answers).map(({ name, value }) => `${name}=${value}`);

describe('the cookies that a run keeps', () => {
  it('are sent as those of all of its answers would be', () => {
    const answers = [
      answer('https://a.example/x/y', 'content-type', 'text/html', 'set-cookie', 'a=1', 'set-cookie', 'b=2; Path=/'),
      answer('https://b.example/', 'set-cookie', 'c=3'),
      answer('https://a.example/', 'date', 'Fri, 27 Nov 2026 10:00:00 GMT', 'x', 'y'),
      answer(
        'https://a.example/',
        'date',
        'Fri, 27 Nov 2026 10:00:00 GMT',
        'set-cookie',
        'd=4; Expires=Fri, 27 Nov 2026 09:59:59 GMT',
      ),
    ];
    const kept = cookieAnswers(answers);
    expect(kept).to.have.length(3);
    for (const url of ['https://a.example/x/z', 'https://a.example/', 'https://b.example/'])
      expect(namesAt(url, kept), url).to.deep.equal(namesAt(url, answers));
    expect(namesAt('https://a.example/x/z', kept)).to.deep.equal(['a=1', 'b=2']);
  });

  it('are the latest of too many', () => {
    let kept: ChainAnswer[] = [];
    for (let index = 0; index < 100; index++)
      kept = cookieAnswers([...kept, answer('https://a.example/', 'set-cookie', `c${index}=${'x'.repeat(30_000)}`)]);
    expect(namesAt('https://a.example/', kept).map((cookie) => cookie.split('=')[0])).to.deep.equal(['c98', 'c99']);
  });
});
