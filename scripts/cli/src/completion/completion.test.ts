import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readEnvironment } from '../config.js';
import { runProgram } from '../command/create-program.js';
import { plainTerminal } from '../output/plain-terminal.js';

const run = promisify(execFile);

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

/** Asks the real shell what it would offer after these words. */
const ASK = {
  bash: (words: readonly string[]) => `
    watchpost() { '${process.execPath}' '${MAIN}' "$@"; }
    source ./script
    COMP_WORDS=(watchpost ${quoted(words)})
    COMP_CWORD=${words.length}
    _watchpost
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words: readonly string[]) => `
    watchpost() { '${process.execPath}' '${MAIN}' "$@"; }
    compdef() { }
    _describe() { print -l -- \${\${(P)2}%%:*} }
    _files() { print -l -- \${words[CURRENT]}*(N) }
    source ./script
    words=(watchpost ${quoted(words)})
    CURRENT=${words.length + 1}
    _watchpost`,
  fish: (words: readonly string[]) => `
    function watchpost; '${process.execPath}' '${MAIN}' $argv; end
    source ./script
    complete -C 'watchpost ${words.join(' ')}' | string replace -r '\\t.*' ''; or true`,
} as const;

describe('Completion', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-completion-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function scriptOf(shell: string): Promise<string> {
    const terminal = plainTerminal();
    const exitCode = await runProgram(['completion', shell], { terminal, environment: readEnvironment({}) });
    expect(exitCode, terminal.stderr).to.equal(0);
    return terminal.stdout;
  }

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    it(`in ${shell} offers commands, options and their values, and files elsewhere`, async function () {
      try {
        await run(shell, ['-c', 'true']);
      } catch {
        this.skip();
      }
      await writeFile(join(folder, 'script'), await scriptOf(shell));
      const offered = async (...words: string[]): Promise<string[]> => {
        const { stdout } = await run(shell, ['-c', ASK[shell](words)], {
          cwd: folder,
          env: { ...process.env, HOME: folder },
        });
        return stdout.split('\n').filter((word) => word !== '');
      };
      expect(await offered(''))
        .to.include.members(['monitors', 'apply', 'login'])
        .and.not.include('pause');
      expect(await offered('mon')).to.deep.equal(['monitors']);
      expect(await offered('monitors', ''))
        .to.include.members(['list', 'pause'])
        .and.not.include('apply');
      expect(await offered('--json', 'monitors', 'list', '--he')).to.include('--health');
      expect(await offered('monitors', 'list', '--health', 'una')).to.deep.equal(['unavailable']);
      expect(await offered('apply', '--pr')).to.deep.equal(['--prune']);
      expect(await offered('completion', 'z')).to.deep.equal(['zsh']);
      expect(await offered('monitors', 'list', '--json', '--ta')).to.deep.equal(['--tag']);
      // Where the script for bash offers nothing, bash completes files.
      const files = shell === 'bash' ? [] : ['script'];
      expect(await offered('import', 'uptime-kuma', 'scr')).to.deep.equal(files);
      expect(await offered('import', 'uptime-kuma', '--secrets-file', 'scr')).to.deep.equal(files);
      expect(await offered('apply', '-f', 'scr')).to.deep.equal(files);
      expect(await offered('import', 'uptime-kuma', '')).to.deep.equal(files);
      expect(await offered('import', 'op')).to.deep.equal(['opsgenie']);
      expect(await offered('import', 'grafana-oncall', '--ver')).to.deep.equal(['--verify']);
      expect(await offered('import', 'uptime-kuma', '--with')).to.deep.equal(['--with-secrets']);
    });
  }

  it('for zsh is a script that zsh accepts', async function () {
    const script = await scriptOf('zsh');
    expect(script).to.match(/^#compdef watchpost\n/);
    try {
      await run('zsh', ['-fc', 'true']);
    } catch {
      this.skip();
    }
    await writeFile(join(folder, 'script'), script);
    await run('zsh', ['-fnc', 'source ./script'], { cwd: folder });
    const { stdout } = await run(
      'zsh',
      ['-fc', 'autoload -U compinit; compinit -u -D; source ./script; print $_comps[watchpost]'],
      {
        cwd: folder,
      },
    );
    expect(stdout).to.equal('_watchpost\n');
  });
});
