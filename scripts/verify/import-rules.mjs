import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';

const CRUISER = join(ROOT, 'node_modules', '.bin', 'depcruise');
const CONFIG = join(ROOT, '.dependency-cruiser.mjs');
const FOLDERS = ['shared/src', 'control-plane/src', 'agent/src', 'test'];

const TYPES_ARE_WELCOME = '(types are welcome)';

const COMPLETES_A_CIRCLE = undefined;

/** One breach of each rule, as [rule, file, what it imports]. */
const CANARIES = [
  ['shared-stands-alone', 'shared/src/canary-1.ts', '../../agent/src/target.js'],
  ['agent-knows-only-shared', 'agent/src/canary-2.ts', '../../control-plane/src/target.js'],
  ['control-plane-knows-only-shared', 'control-plane/src/canary-3.ts', '../../agent/src/target.js'],
  ['slices-meet-at-the-index', 'control-plane/src/capabilities/fleet/canary-4.ts', '../monitors/target.js'],
  ['only-downwards-from-monitors', 'control-plane/src/capabilities/monitors/canary-5.ts', '../incidents/index.js'],
  ['only-downwards-from-plans', 'control-plane/src/capabilities/plans/canary-6.ts', '../workspaces/index.js'],
  ['only-downwards-from-reports', 'control-plane/src/capabilities/reports/canary-7.ts', '../status-pages/index.js'],
  [
    'results-downwards-from-rollup',
    'control-plane/src/capabilities/results/rollup/canary-22.ts',
    '../verdict/target.js',
  ],
  [
    'results-downwards-from-ingest',
    'control-plane/src/capabilities/results/ingest/canary-23.ts',
    '../reading/target.js',
  ],
  ['results-downwards-from-series', 'control-plane/src/capabilities/results/series/canary-24.ts', '../target.js'],
  [
    'platform-knows-no-capability',
    'control-plane/src/platform/http/canary-8.ts',
    '../../capabilities/monitors/index.js',
  ],
  ['capabilities-are-composed', 'control-plane/src/capabilities/monitors/canary-18.ts', '../../config/target.js'],
  ['embedded-is-added', 'control-plane/src/embedded/canary-19.ts', '../app/target.js'],
  ['no-circles', 'shared/src/canary-20.ts', './canary-21.js'],
  [COMPLETES_A_CIRCLE, 'shared/src/canary-21.ts', './canary-20.js'],
  ['faces-call-verbs', 'control-plane/src/capabilities/monitors/canary-9-routes.ts', './target-store.js'],
  ['faces-call-verbs', 'control-plane/src/capabilities/monitors/canary-10-tools.ts', './target.entity.js'],
  ['database-behind-stores', 'control-plane/src/capabilities/monitors/canary-11.ts', 'pg'],
  ['database-behind-stores', 'control-plane/src/platform/http/canary-12.ts', 'typeorm'],
  [
    'wire-types-at-the-border',
    'control-plane/src/capabilities/fleet/canary-13.ts',
    '../../../../shared/src/gen/target.js',
  ],
  ['decisions-are-pure', 'control-plane/src/capabilities/results/decide-canary-14.ts', 'node:fs'],
  ['decisions-reach-nothing', 'agent/src/schedule/decide-canary-15.ts', '../../../shared/src/clock.js'],
  [
    'decisions-call-no-store (types are welcome)',
    'control-plane/src/capabilities/monitors/decide-canary-17.ts',
    './target-store.js',
  ],
  ['imports-resolve', 'agent/src/canary-16.ts', './nowhere.js'],
];
const TARGETS = [
  'agent/src/target.ts',
  'control-plane/src/app/target.ts',
  'control-plane/src/config/target.ts',
  'control-plane/src/target.ts',
  'control-plane/src/capabilities/incidents/index.ts',
  'control-plane/src/capabilities/monitors/index.ts',
  'control-plane/src/capabilities/monitors/target-store.ts',
  'control-plane/src/capabilities/monitors/target.entity.ts',
  'control-plane/src/capabilities/monitors/target.ts',
  'control-plane/src/capabilities/results/reading/target.ts',
  'control-plane/src/capabilities/results/target.ts',
  'control-plane/src/capabilities/results/verdict/target.ts',
  'control-plane/src/capabilities/status-pages/index.ts',
  'control-plane/src/capabilities/workspaces/index.ts',
  'shared/src/clock.ts',
  'shared/src/gen/target.ts',
  'test/target.ts',
];

/** Checks who imports whom. @returns the faults, also those of the check itself */
export async function checkImports() {
  const faults = await checkCanaries();
  const { violations, modules } = await cruise(ROOT);
  const ours = modules.filter(({ source }) => /^[^.][^/]*\/.*\.ts$/.test(source) && !source.includes('node_modules'));
  // The cruiser once read no TypeScript at all, and was content.
  if (ours.length < 20) faults.push(`Only ${ours.length} modules were looked at: the import rules check nothing.`);
  for (const { from, to, rule } of violations) {
    const { dependencies } = modules.find(({ source }) => source === from);
    const specifier = dependencies.find(({ resolved }) => resolved === to)?.module;
    if (rule.name.endsWith(TYPES_ARE_WELCOME) && (await importsTypesOnly(from, specifier))) continue;
    faults.push(`${from} → ${to}: ${rule.name}`);
  }
  return faults;
}

async function importsTypesOnly(file, specifier) {
  const text = await readFile(join(ROOT, file), 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from '([^']+)'/gm)];
  return imports.filter(([, , from]) => from === specifier).every(([, type]) => type !== undefined);
}

async function checkCanaries() {
  const parent = join(ROOT, '.tmp');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'canary-'));
  try {
    for (const path of TARGETS) await write(join(folder, path), 'export const target = 1;\n');
    for (const [, path, imported] of CANARIES) await write(join(folder, path), `import '${imported}';\n`);
    const { violations } = await cruise(folder);
    const told = new Set(violations.map(({ from, rule }) => `${rule.name} ${from}`));
    return CANARIES.filter(([rule, path]) => rule && !told.has(`${rule} ${path}`)).map(
      ([rule, path, imported]) => `The rule ${rule} does not see that ${path} imports ${imported}.`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function cruise(cwd) {
  const args = ['--config', CONFIG, '--output-type', 'json', '--no-progress', ...FOLDERS];
  return new Promise((resolve, reject) => {
    execFile(CRUISER, args, { cwd, timeout: 120_000, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      try {
        // Breaches make its exit status, faults of its own only a text that is no JSON.
        const { modules, summary } = JSON.parse(stdout);
        resolve({ modules, violations: summary.violations });
      } catch (cause) {
        reject(
          new Error(`dependency-cruiser failed: ${stderr || stdout.slice(0, 2_000) || error?.message}`, { cause }),
        );
      }
    });
  });
}
