import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const PROGRAM = fileURLToPath(new URL('../../../../scripts/cli/dist/main.js', import.meta.url));

describe('A command that cannot go on', () => {
  let server: Server;
  let onRequest: (() => void) | undefined;
  let url: string;
  before(async () => {
    server = createServer((_, response) => {
      if (onRequest) onRequest();
      else
        response.writeHead(200).end(JSON.stringify([{ id: 'x', name: 'Shop', role: 'Owner', plan: 'Pro', usage: {} }]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  afterEach(() => {
    onRequest = undefined;
  });

  /** Runs it in a shell with another standard output. */
  async function run(redirection: string, onStart?: (kill: (signal: NodeJS.Signals) => void) => void) {
    const child = spawn(
      '/bin/sh',
      ['-c', `exec "$0" "$1" workspaces --json ${redirection}`, process.execPath, PROGRAM],
      {
        env: { ...process.env, WATCHPOST_URL: url, WATCHPOST_API_KEY: 'wpk_key' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    onStart?.((signal) => child.kill(signal));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, lines: stderr.split('\n').filter((line) => line !== '') };
  }

  it('because the disk is full ends with one sentence', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const { code, lines } = await run('> /dev/full');
    expect(lines).to.deep.equal(['error: The output cannot be written: no space is left (ENOSPC).']);
    expect(code).to.equal(1);
  });

  it('because nobody reads its output ends quietly', async () => {
    const { code, lines } = await run('| true');
    expect(lines).to.deep.equal([]);
    expect(code).to.equal(0);
  });

  it('because of Ctrl-C ends with one sentence that names what may have happened', async () => {
    const { code, lines } = await run('', (kill) => {
      onRequest = () => kill('SIGINT');
    });
    expect(lines).to.deep.equal([
      'Interrupted. A change that was already sent may have been carried out: look before you repeat it.',
    ]);
    expect(code).to.equal(130);
  });
});
