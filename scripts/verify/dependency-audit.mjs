import { execFile } from 'node:child_process';
import { ROOT } from '../bootstrap/root.mjs';

const DEADLINE_MS = 60_000;
/** The severities that fail the check. */
const SEVERE = ['high', 'critical'];

/**
 * Asks the registry for advisories about the production dependencies in package-lock.json. If the registry serves
 * none or cannot be reached, the check is skipped with the reason. With REQUIRE_DEPENDENCY_AUDIT=1 that is a fault.
 * @returns the faults, or `{ skipped }` with the reason
 */
export async function auditDependencies(root = ROOT, env = process.env) {
  const report = await runAudit(root, env);
  if (report.vulnerabilities === undefined) {
    const reason = `the registry serves no advisories: ${report.message ?? 'no answer'}`;
    return env.REQUIRE_DEPENDENCY_AUDIT === '1' ? [`Not audited, ${reason}`] : { skipped: reason };
  }
  return Object.values(report.vulnerabilities)
    .filter(({ severity }) => SEVERE.includes(severity))
    .map(({ name, severity, via, range }) => {
      const causes = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} (${cause.url})`));
      return `${name} ${range}, ${severity}: ${causes.join('; ')}`;
    });
}

/** @returns npm's report, or `{ message }` where there is none */
function runAudit(cwd, env) {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 };
    // npm ends with 1 if it found advisories and if it could not ask; its output distinguishes the two.
    execFile('npm', args, options, (error, stdout) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        resolve({ message: error?.killed ? `no answer within ${DEADLINE_MS / 1000} s` : error?.message });
      }
    });
  });
}
