import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** The version of Watchpost, which the package.json of the root states and nothing else. */
export const VERSION = (load('../../package.json') as { version: string }).version;

/** The commit that was built; empty where it is not known. */
export const COMMIT = readCommit();

/** Version and commit as one version of SemVer: `0.2.0+41f3c09ab2d1`. */
export const BUILD = COMMIT === '' ? VERSION : `${VERSION}+${COMMIT.slice(0, 12)}`;

/** `scripts/bootstrap/stamp-commit.mjs` writes the file, or removes it, whenever it builds. */
function readCommit(): string {
  try {
    return (load('./commit.json') as { commit: string }).commit;
  } catch {
    return '';
  }
}
