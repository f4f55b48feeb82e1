import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { VERSION } from '@watchpost/shared/build';
import { expect } from 'chai';
import { readContainerFile, ROOT, valuesOf } from '../../support/container-file.js';

const run = promisify(execFile);
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** No daemon builds the images here: their instructions are carried out on folders. */
describe('the steps of the container files', function () {
  this.timeout(25 * 60_000);
  let scratch: string;
  before(async function () {
    scratch = await mkdtemp(join(tmpdir(), 'watchpost-images-'));
    // The context of the build is a clone: what Git knows, and no repository.
    const copy = 'git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$0"';
    await mkdir(join(scratch, 'src'));
    const isClone = await run('git', ['rev-parse'], { cwd: ROOT }).then(
      () => true,
      () => false,
    );
    if (!isClone) this.skip();
    await run('sh', ['-c', copy, join(scratch, 'src')], { cwd: ROOT });
  });
  after(() => rm(scratch, { recursive: true, force: true }));

  for (const program of ['control-plane', 'agent'])
    it(`build an image of the ${program} that is whole, and knows its version and commit`, async () => {
      const [build, image] = readContainerFile(`deploy/container/${program}.Dockerfile`);
      // A clean environment: npm passes its own settings on to its commands.
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SOURCE_COMMIT: COMMIT };
      const source = join(scratch, 'src');
      for (const command of valuesOf(build!, 'RUN')) {
        await run('sh', ['-ec', command], { cwd: source, env, maxBuffer: 64 * 1024 * 1024 });
      }
      const root = join(scratch, program);
      const workdir = valuesOf(image!, 'WORKDIR')[0] ?? '/';
      for (const copied of valuesOf(image!, 'COPY')) {
        const paths = copied.replace('--from=build ', '').split(' ');
        const target = join(root, posix.resolve(workdir, paths.pop()!));
        for (const path of paths) {
          const isFolder = !/\.\w+$/.test(path);
          await mkdir(isFolder ? target : dirname(join(target, 'x')), { recursive: true });
          const from = join(source, posix.relative('/src', path));
          await cp(from, isFolder ? target : join(target, posix.basename(path)), {
            recursive: true,
            verbatimSymlinks: true,
          });
        }
      }
      // The user of the image is not one of this machine.
      for (const command of valuesOf(image!, 'RUN'))
        await run('sh', ['-ec', command.replace(/ -o node -g node/, '').replaceAll(/ \/(?=var\/)/g, ` ${root}/`)]);
      const [, ...words] = JSON.parse(valuesOf(image!, 'ENTRYPOINT')[0]!) as string[];
      const args = words.map((word) => (word.startsWith('/') ? join(root, word) : word));
      const { stdout } = await run(process.execPath, [...args, '--version'], { cwd: join(root, workdir), env });
      expect(stdout).to.match(new RegExp(`^watchpost-${program} ${VERSION}\\+${COMMIT.slice(0, 12)} \\(Node`));
    });
});
