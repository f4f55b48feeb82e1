import { expect } from 'chai';
import { readEnvironment } from '../config.js';
import { plainTerminal } from '../output/plain-terminal.js';
import { runProgram } from './create-program.js';

describe('The arguments of the command line', () => {
  /** Runs a command where nothing can be reached: it ends before it would call the service. */
  async function run(...args: string[]) {
    const terminal = plainTerminal();
    const environment = readEnvironment({ XDG_CONFIG_HOME: '/nonexistent' });
    const exitCode = await runProgram(args, { terminal, environment });
    return { exitCode, out: terminal.stdout, err: terminal.stderr };
  }

  it('end with 64 where they are wrong, and nothing is printed as a result', async () => {
    for (const args of [
      [],
      ['monitors'],
      ['monitor'],
      ['monitors', 'list', '--colour'],
      ['monitors', 'list', '--limit', 'many'],
      ['monitors', 'list', '--limit', '0'],
      ['monitors', 'list', '--health', 'fine'],
      ['monitors', 'list', 'extra'],
      ['monitors', 'get'],
      ['monitors', 'get', 'a', 'b'],
      ['incidents', 'note', 'only-an-id'],
      ['whoami', '--url', 'ftp://shop.example'],
      ['whoami', '--url', 'https://user@shop.example'],
      ['whoami', '--workspace'],
      ['diff'],
      ['apply', '-f', 'x.yaml', '--purne'],
      ['apply', '-f', 'x.yaml', '--max-delete', '-1'],
      ['apply', '-f', 'x.yaml'],
      ['completion', 'tcsh'],
    ]) {
      const { exitCode, out, err } = await run(...args);
      expect(exitCode, args.join(' ')).to.equal(64);
      expect(out, args.join(' ')).to.equal('');
      expect(err, args.join(' ')).to.not.equal('');
    }
  });

  it('are explained by --help, options of all commands included', async () => {
    for (const args of [['--help'], ['help'], ['monitors', '--help'], ['help', 'monitors']]) {
      const { exitCode, out } = await run(...args);
      expect(exitCode, args.join(' ')).to.equal(0);
      expect(out, args.join(' ')).to.include('Usage: watchpost').and.include('--json');
    }
  });

  it('may have the options of all commands before and after the command', async () => {
    for (const args of [
      ['--url', 'http://[::', 'whoami'],
      ['whoami', '--url', 'http://[::'],
    ])
      expect((await run(...args)).err, args.join(' ')).to.include('"http://[::" is no address');
  });

  it('with a password in the address are refused without showing it', async () => {
    const { exitCode, err } = await run('whoami', '--url', 'https://mara:open-sesame@shop.example');
    expect(exitCode).to.equal(64);
    expect(err).to.include('no password').and.not.include('sesame');
  });

  it('without an address end with the way to name one', async () => {
    const { exitCode, err } = await run('whoami');
    expect(exitCode).to.equal(1);
    expect(err).to.include('Name its address with `--url` or WATCHPOST_URL');
    expect(JSON.parse((await run('whoami', '--json')).err)).to.include({ error: 'no_url' });
  });
});
