import { expect } from 'chai';
import { z } from 'zod';
import { plainPage } from '@watchpost/control-plane/platform/http/plain-page';
import { html } from '@watchpost/control-plane/platform/http/html';
import { route } from '@watchpost/control-plane/platform/http/route';
import { Fault } from '@watchpost/shared/fault';
import { startSampleService } from './sample-service.js';
import { databaseForSuite, startedForSuite } from '../../support/suite.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** What callers write, and whether a page is what they like best (RFC 9110 §12.5.1). */
const WISHES: readonly (readonly [accept: string, answer: 'page' | 'data'])[] = [
  ['*/*', 'data'],
  ['application/json', 'data'],
  ['application/json, text/plain, */*', 'data'],
  ['application/json, text/html', 'data'],
  ['application/json, text/html;q=0.9', 'data'],
  ['text/html;q=0.5, application/json', 'data'],
  ['text/html;q=0, */*', 'data'],
  ['text/html', 'page'],
  ['TEXT/HTML', 'page'],
  ['text/*', 'page'],
  ['text/html, application/json', 'page'],
  ['application/json;q=0.9, text/html', 'page'],
  ['application/json;q=0, */*', 'page'],
  [BROWSER, 'page'],
];

/** A door that answers people and programs, and is shut for who asks for that. */
const door = route({
  tag: 'Doors',
  scopes: ['monitor.read'],
  role: 'Viewer',
  method: 'post',
  path: '/api/v1/door',
  operationId: 'openDoor',
  audits: { none: 'a sample has no audit log' },
  summary: 'Open the door',
  body: z.strictObject({ isShut: z.boolean() }),
  produces: ['text/html'],
  answers: { 200: { description: 'It is open', schema: z.strictObject({ message: z.string() }) } },
  faults: ['slug_taken'],
  async handle({ body, wantsPage }) {
    await Promise.resolve();
    if (body.isShut) throw new Fault('slug_taken', 'Somebody is in.');
    return wantsPage
      ? {
          body: plainPage('Door', html`<p>Come in.</p>`),
          type: 'text/html; charset=utf-8',
          headers: { Vary: 'Cookie' },
        }
      : { body: { message: 'Come in.' } };
  },
});

describe('an answer that there is as a page and as data', () => {
  const database = databaseForSuite();
  const service = startedForSuite(() => startSampleService(database.database, { routes: [door] }));

  const ask = async (isShut: boolean, headers: Record<string, string>) => {
    const answer = await service.call('POST', '/api/v1/door', { json: { isShut }, headers });
    const kind = answer.headers.get('content-type')?.startsWith('text/html') ? 'page' : 'data';
    return { ...answer, kind };
  };

  for (const [accept, wanted] of WISHES)
    it(`is ${wanted}, and so is every refusal, for who accepts ${accept}`, async () => {
      const opened = await ask(false, { accept });
      expect([opened.status, opened.kind]).to.deep.equal([200, wanted]);
      const shut = await ask(true, { accept });
      expect([shut.status, shut.kind]).to.deep.equal([409, wanted]);
      expect(shut.text).to.include('Somebody is in.');
      const once = await ask(true, { accept, 'idempotency-key': accept.replaceAll('"', '') });
      expect([once.status, once.kind], 'with an idempotency key').to.deep.equal([409, wanted]);
    });

  it('is a page for browsers at a path that leads nowhere, and data for programs and below their paths', async () => {
    const ask = async (path: string, accept: string | undefined, method = 'GET') => {
      const answer = await fetch(service.url + path, { method, headers: accept === undefined ? {} : { accept } });
      return { answer, text: await answer.text() };
    };
    for (const [accept, expected] of WISHES) {
      const { answer, text } = await ask('/statuss/%3Cscript%3E?<b>', accept);
      expect(answer.status, accept).to.equal(404);
      expect(answer.headers.get('content-type'), accept).to.include(expected === 'page' ? 'text/html' : 'json');
      expect(answer.headers.get('vary'), accept).to.include('Accept');
      if (expected === 'data') continue;
      expect(text).to.include('<a href="/">').and.not.include('script').and.not.include('<b>');
      expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'");
    }
    for (const path of [
      '/api',
      '/api/v2/monitor',
      '/mcp/x',
      '/health/x',
      '/metrics',
      '/swagger/v2',
      '/.well-known/x',
    ]) {
      const { answer, text } = await ask(path, BROWSER);
      expect([answer.status, (JSON.parse(text) as { error: string }).error], path).to.deep.equal([404, 'not_found']);
    }
    const posted = await ask('/statuss', BROWSER, 'POST');
    expect([posted.answer.status, posted.answer.headers.get('content-type')?.includes('json')]).to.deep.equal([
      404,
      true,
    ]);
    expect((await ask('/statuss', undefined)).text).to.include('not_found');
  });

  it('is refused to who can take neither, and the refusal is data', async () => {
    const refused = await ask(false, { accept: 'image/png' });
    expect([refused.status, refused.json.error]).to.deep.equal([406, 'not_acceptable']);
  });

  it('has all that it varies by in Vary, whichever part adds it', async () => {
    const vary = (await ask(false, { accept: BROWSER })).headers.get('vary')!.split(/,\s*/);
    expect(vary).to.have.members(['Origin', 'Accept', 'Cookie']);
  });
});
