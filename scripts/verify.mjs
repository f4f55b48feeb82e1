// npm run verify: all checks of the code that do not run it. It reports all faults, not only the first.
import './bootstrap/node-version.mjs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';
import { checkConsoleSize } from './verify/console-size.mjs';
import { auditDependencies } from './verify/dependency-audit.mjs';
import { checkDesign } from './verify/design-rules.mjs';
import { checkDocumentLinks } from './verify/document-links.mjs';
import { checkDoors } from './verify/doors.mjs';
import { compareGenerated, lintProto } from './verify/generated-code.mjs';
import { checkHouseRules } from './verify/house-rules.mjs';
import { checkImports } from './verify/import-rules.mjs';
import { checkLicences } from './verify/licences.mjs';
import { checkMigrations } from './verify/migration-rules.mjs';
import { checkNewCheckout } from './verify/new-checkout.mjs';
import { checkWords } from './verify/word-list.mjs';

const bin = (name) => join(ROOT, 'node_modules', '.bin', name);
const STEP_DEADLINE_MS = 5 * 60_000;

/** Each step returns its faults, or `{ skipped }` with the reason. */
const STEPS = [
  ['types', () => program(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', ...EVERYTHING])],
  ['lint', () => program(bin('oxlint'), ['--type-aware', '--deny-warnings', '--format', 'unix'])],
  ['format', () => program(bin('oxfmt'), ['--list-different', '.'], 'Not formatted; run "npm run format":')],
  ['import rules', checkImports],
  ['house rules', checkHouseRules],
  ['design', checkDesign],
  ['doors', checkDoors],
  ['migrations', checkMigrations],
  ['new checkout', checkNewCheckout],
  ['document links', checkDocumentLinks],
  ['word list', () => checkWords()],
  ['unused code', () => program(bin('knip'), ['--no-progress'])],
  ['generated code', compareGenerated],
  ['wire contract', lintProto],
  ['console size', checkConsoleSize],
  ['licences', () => checkLicences()],
  ['dependency audit', () => auditDependencies()],
];

await bootstrap([]);
let failed = 0;
const skipped = [];
for (const [name, check] of STEPS) {
  const startedMs = performance.now();
  const result = await check().catch((error) => [error.stack]);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (result.skipped !== undefined) {
    console.log(`- ${name} skipped (${seconds} s): ${result.skipped}`);
    skipped.push(name);
    continue;
  }
  const faults = result;
  console.log(`${faults.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const fault of faults) console.log(`${fault.replace(/^/gm, '    ')}`);
  if (faults.length > 0) failed++;
}
if (skipped.length > 0) console.log(`Not checked: ${skipped.join(', ')}.`);
console.log(failed === 0 ? 'All is well.' : `${failed} of ${STEPS.length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;

/** @returns the output of the program when it fails */
function program(command, args, title) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env, timeout: STEP_DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      resolve(error === null ? [] : [[title, output || error.message].filter(Boolean).join('\n')]);
    });
  });
}
