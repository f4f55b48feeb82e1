import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { findConformance, runTool, type MadeForNewerNode } from './newer-node.js';

const OF_THE_REFERENCE_SERVER =
  'they call a tool, or read a resource or prompt, of the reference server (test_simple_text …), which a product does not have';
/** Scenarios, and single checks of scenarios, that cannot pass here, by revision, each with the reason why that is right. */
const DO_NOT_APPLY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '2025-11-25': {
    [OF_THE_REFERENCE_SERVER]: [
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'tools-call-with-progress',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
    ],
    'in a session the server asks nothing of its clients: neither sampling nor elicitation is used': [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
    'it has neither logging nor completion nor subscriptions of sessions, and these methods are -32601': [
      'logging-set-level',
      'tools-call-with-logging',
      'completion-complete',
      'resources-subscribe',
      'resources-unsubscribe',
    ],
  },
  '2026-07-28': {
    [OF_THE_REFERENCE_SERVER]: [
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'tools-call-with-progress',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-missing-input-response',
      'input-required-result-ignore-extra-params',
      'server-stateless:sep-2575-server-rejects-undeclared-capability',
      'server-stateless:sep-2575-missing-capability-http-400',
      'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless:sep-2575-server-no-log-without-loglevel',
      'server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription',
    ],
    'there is no completion': ['completion-complete'],
  },
};
describe('The official MCP conformance suite', function () {
  let app: TestApp;
  let suite: MadeForNewerNode;
  let folder: string;
  let signedIn: { url: string; stop(): Promise<void> };
  before('the suite and the Node that it needs', async function () {
    const found = await findConformance();
    if (!found) return this.skip();
    suite = found;
    app = await startTestApp();
    signedIn = await asSignedIn(app.baseUrl, await app.token(app.owner.sub));
    folder = await mkdtemp(join(tmpdir(), 'watchpost-conformance-'));
  });
  after(async () => {
    await signedIn?.stop();
    await app?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  for (const [revision, reasons] of Object.entries(DO_NOT_APPLY)) {
    it(`passes what ${revision} requires, but for what does not apply, each of which fails`, async () => {
      const baseline = join(folder, `${revision}.yml`);
      const expected = Object.values(reasons).flat();
      await writeFile(baseline, `server:\n${expected.map((name) => `  - ${name}\n`).join('')}`);
      const args = ['server', '--url', signedIn.url, '--requirements', revision, '--expected-failures', baseline];
      const { code, stdout, stderr } = await runTool(suite, args, { timeoutMs: 100_000, cwd: folder });
      const passed = [...stdout.matchAll(/^✓ ([\w-]+): /gm)].map(([, name]) => name);
      expect(passed, stderr).to.include.members([
        'tools-list',
        'resources-list',
        'prompts-list',
        'dns-rebinding-protection',
      ]);
      // It fails for whatever fails beyond the list, and for whatever of the list passes; extensions (tasks) are run, and are no requirement.
      expect(code, `${stdout.slice(-3_000)}${stderr}`).to.equal(0);
      expect(app.warnings).to.deep.equal([]);
    });
  }
});

/** The service with a token on every request, which the suite cannot send, and otherwise as if it were called directly. */
async function asSignedIn(baseUrl: string, token: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((incoming, answer) => {
    const port = String((server.address() as AddressInfo).port);
    const { host, origin, ...others }: IncomingHttpHeaders = incoming.headers;
    const named = (text: string | undefined) => text?.replace(`:${port}`, `:${new URL(baseUrl).port}`);
    const headers = { ...others, authorization: `Bearer ${token}`, host: named(host), origin: named(origin) };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const passed = request(`${baseUrl}${incoming.url}`, { method: incoming.method!, headers: sent }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
