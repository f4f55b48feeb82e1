import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import config, { FLOORS, FOLDERS } from '../../.dependency-cruiser.mjs';
import { ROOT } from '../bootstrap/root.mjs';

const CRUISER = join(ROOT, 'node_modules', '.bin', 'depcruise');
const CONFIG = join(ROOT, '.dependency-cruiser.mjs');
const PRELOADED = join(ROOT, 'scripts', 'verify', 'parse-tsx.cjs');
const CONSOLE = 'control-plane/console/src';
const COMMAND_LINE = 'scripts/cli/src';
const SOURCES = ['shared/src', 'control-plane/src', CONSOLE, 'agent/src', 'scripts', 'test'];

const PACKAGES = ['shared', 'control-plane', 'agent'];
const SLICES = 'control-plane/src/capabilities';
const TYPES_ARE_WELCOME = '(types are welcome)';

/** One breach of each rule: a file (`*` becomes its name), and what it imports: a file, a core module or a package. */
const BREACHES = [
  { rule: 'shared-knows-neither-side', from: 'shared/src/*.ts', to: 'agent/src/target.ts' },
  { rule: 'shared-knows-neither-side', from: 'shared/src/*.ts', to: 'control-plane/src/target.ts' },
  { rule: 'agent-knows-only-shared', from: 'agent/src/*.ts', to: 'control-plane/src/target.ts' },
  { rule: 'control-plane-knows-only-shared', from: 'control-plane/src/*.ts', to: 'agent/src/target.ts' },
  { rule: 'control-plane-knows-only-shared', from: 'control-plane/src/*.ts', to: 'test/target.ts' },
  { rule: 'console-knows-only-schemas', from: `${CONSOLE}/*.ts`, to: `${SLICES}/monitors/target.ts` },
  { rule: 'console-knows-only-schemas', from: `${CONSOLE}/*.tsx`, to: 'shared/src/target.ts' },
  {
    rule: `console-takes-only-types ${TYPES_ARE_WELCOME}`,
    from: `${CONSOLE}/*.ts`,
    to: `${SLICES}/monitors/target-schemas.ts`,
  },
  { rule: 'nothing-imports-console', from: 'control-plane/src/*.ts', to: `${CONSOLE}/target.ts` },
  { rule: 'nothing-imports-console', from: 'test/*.ts', to: `${CONSOLE}/target.ts` },
  { rule: 'no-circles', from: `${CONSOLE}/*.ts`, to: `${CONSOLE}/back-to-*.ts` },
  { rule: 'command-line-knows-only-schemas', from: `${COMMAND_LINE}/*.ts`, to: `${SLICES}/monitors/target.ts` },
  { rule: 'command-line-knows-only-schemas', from: `${COMMAND_LINE}/*.ts`, to: 'agent/src/target.ts' },
  {
    rule: `command-line-takes-only-types ${TYPES_ARE_WELCOME}`,
    from: `${COMMAND_LINE}/*.ts`,
    to: `${SLICES}/monitors/target-schemas.ts`,
  },
  { rule: 'no-circles', from: `${COMMAND_LINE}/*.ts`, to: `${COMMAND_LINE}/back-to-*.ts` },
  { rule: 'shared-knows-neither-side', from: 'shared/src/*.ts', to: `${COMMAND_LINE}/target.ts` },
  { rule: 'control-plane-knows-only-shared', from: 'control-plane/src/*.ts', to: `${COMMAND_LINE}/target.ts` },
  { rule: 'agent-knows-only-shared', from: 'agent/src/*.ts', to: `${COMMAND_LINE}/target.ts` },
  { rule: 'sources-not-builds', from: 'agent/src/*.ts', to: 'shared/dist/target.js' },
  { rule: 'slices-meet-at-the-index', from: `${SLICES}/fleet/*.ts`, to: `${SLICES}/monitors/target.ts` },
  ...upwards(FLOORS).map(([name, above]) => ({
    rule: `only-downwards-from-${name}`,
    from: `${SLICES}/${name}/*.ts`,
    to: `${SLICES}/${above}/index.ts`,
  })),
  ...Object.entries(FOLDERS).flatMap(([capability, folders]) =>
    // Above the last folder are the files beside the folders.
    folders.map((name, height) => ({
      rule: `${capability}-downwards-from-${name}`,
      from: `${SLICES}/${capability}/${name}/*.ts`,
      to: [SLICES, capability, ...folders.slice(height + 1, height + 2), 'target.ts'].join('/'),
    })),
  ),
  { rule: 'platform-knows-no-capability', from: 'control-plane/src/platform/*.ts', to: `${SLICES}/monitors/index.ts` },
  {
    rule: 'platform-knows-no-capability',
    from: 'control-plane/src/config/*.ts',
    to: 'control-plane/src/app/target.ts',
  },
  { rule: 'capabilities-are-composed', from: `${SLICES}/monitors/*.ts`, to: 'control-plane/src/config/target.ts' },
  { rule: 'embedded-is-added', from: 'control-plane/src/embedded/*.ts', to: 'control-plane/src/app/target.ts' },
  { rule: 'no-circles', from: 'shared/src/*.ts', to: 'shared/src/back-to-*.ts' },
  { rule: 'no-circles', from: 'control-plane/src/platform/*.ts', to: 'control-plane/src/platform/back-to-*.ts' },
  { rule: 'faces-call-verbs', from: `${SLICES}/monitors/*-routes.ts`, to: `${SLICES}/monitors/target-store.ts` },
  { rule: 'faces-call-verbs', from: `${SLICES}/monitors/*-tools.ts`, to: `${SLICES}/monitors/target.entity.ts` },
  { rule: 'database-behind-stores', from: `${SLICES}/monitors/*.ts`, to: 'pg' },
  { rule: 'database-behind-stores', from: `${SLICES}/monitors/*.ts`, to: 'pg-copy-streams' },
  { rule: 'database-behind-stores', from: 'control-plane/src/platform/http/*.ts', to: 'typeorm' },
  { rule: 'database-behind-stores', from: 'agent/src/*.ts', to: 'typeorm/index.js' },
  { rule: 'wire-types-at-the-border', from: `${SLICES}/fleet/*.ts`, to: 'shared/src/gen/target.ts' },
  { rule: 'wire-types-at-the-border', from: 'agent/src/*.ts', to: 'shared/src/gen/target.ts' },
  { rule: 'decisions-are-pure', from: `${SLICES}/verdicts/decide-*.ts`, to: 'node:fs' },
  { rule: 'decisions-are-pure', from: 'agent/src/decide-*.ts', to: 'fs/promises' },
  { rule: 'decisions-reach-nothing', from: 'agent/src/schedule/decide-*.ts', to: 'shared/src/clock.ts' },
  {
    rule: 'decisions-reach-nothing',
    from: `${SLICES}/verdicts/decide-*.ts`,
    to: 'control-plane/src/platform/db/target.ts',
  },
  { rule: 'decisions-reach-nothing', from: `${SLICES}/verdicts/decide-*.ts`, to: 'undici' },
  {
    rule: `decisions-call-no-store ${TYPES_ARE_WELCOME}`,
    from: `${SLICES}/monitors/decide-*.ts`,
    to: `${SLICES}/monitors/target-store.ts`,
  },
  { rule: 'imports-resolve', from: 'agent/src/*.ts', to: 'agent/src/nowhere.ts' },
  { rule: 'imports-resolve', from: 'agent/src/*.ts', to: '@watchpost/shared' },
];

/**
 * The spellings of an import, of values and of types. The cruiser does not see types such as `import('pg').Client`:
 * the linter refuses those (typescript/consistent-type-imports).
 */
const SPELLINGS = [
  (specifier) => `import '${specifier}';`,
  (specifier) => `import { target } from '${specifier}';\ntarget;`,
  (specifier) => `import { type target } from '${specifier}';`,
  (specifier) => `import target = require('${specifier}');`,
  (specifier) => `export { target } from '${specifier}';`,
  (specifier) => `export * from '${specifier}';`,
  (specifier) => `export const target = await import('${specifier}');`,
];
const TYPE_SPELLINGS = [
  (specifier) => `import type { target } from '${specifier}';`,
  (specifier) => `import type * as target from '${specifier}';`,
  (specifier) => `export type { target } from '${specifier}';`,
];

/** @returns each name with one that it must not import, of its own floor or above, where there is one */
function upwards(floors) {
  return floors
    .flatMap((floor, height) =>
      floor.map((name) => [
        name,
        floors
          .slice(height)
          .flat()
          .findLast((other) => other !== name),
      ]),
    )
    .filter(([, above]) => above !== undefined);
}

/** Checks who imports whom. @returns the faults, also those of the check itself */
export async function checkImports() {
  const faults = await checkBreaches();
  const { violations, modules } = await cruise(ROOT);
  const ours = modules.filter(({ source }) => /^[^.][^/]*\/.*\.tsx?$/.test(source) && !source.includes('node_modules'));
  // The cruiser once read no TypeScript at all, and reported nothing.
  if (ours.length < 20) faults.push(`Only ${ours.length} modules were read: the import rules check nothing.`);
  return [...faults, ...violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`)];
}

/** Plants each breach in each spelling into a folder of its own. @returns those that the rules do not report */
async function checkBreaches() {
  const parent = join(ROOT, '.tmp');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'breaches-'));
  try {
    const planted = BREACHES.flatMap((breach, number) => spellBreach(breach, number));
    await plantPackages(folder);
    for (const { from, to, text } of planted) {
      await write(join(folder, from), text);
      if (isOurs(to) && !to.includes('nowhere')) await write(join(folder, to), 'export const target = 1;\n');
    }
    for (const { from, to, rule } of planted) {
      if (rule === 'no-circles') await write(join(folder, to), `import '${relativeSpecifier(to, from)}';\n`);
    }
    const { violations } = await cruise(folder);
    // Of a circle one side is reported.
    const reported = new Set(
      violations.flatMap(({ from, to, rule }) => [`${rule.name} ${from}`, `${rule.name} ${to}`]),
    );
    const names = new Set(BREACHES.map(({ rule }) => rule));
    return [
      ...config.forbidden.filter(({ name }) => !names.has(name)).map(({ name }) => `No breach of ${name} is planted.`),
      ...planted
        .filter(({ rule, from, isAllowed }) => reported.has(`${rule} ${from}`) === isAllowed)
        .map(({ rule, from, text, isAllowed }) =>
          isAllowed
            ? `The rule ${rule} refuses in ${from}: ${text}`
            : `The rule ${rule} does not see in ${from}: ${text}`,
        ),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One file for each spelling of the breach. */
function spellBreach({ rule, from, to }, number) {
  const isAllowed = (spelling) => rule.endsWith(TYPES_ARE_WELCOME) && TYPE_SPELLINGS.includes(spelling);
  const planted = [];
  for (const spelling of [...SPELLINGS, ...TYPE_SPELLINGS]) {
    for (const byName of isOurs(to) && packagePathOf(to) ? [false, true] : [false]) {
      const name = `breach-${number}-${planted.length}`;
      const [file, target] = [from.replace('*', name), to.replace('*', name)];
      const specifier = byName ? packagePathOf(target) : isOurs(to) ? relativeSpecifier(file, target) : target;
      planted.push({ rule, from: file, to: target, text: `${spelling(specifier)}\n`, isAllowed: isAllowed(spelling) });
    }
  }
  return planted;
}

/** A source of a package by the name of that; undefined for any other file. */
function packagePathOf(path) {
  const [, name, source] = /^(shared|control-plane|agent)\/src\/(.*)\.ts$/.exec(path) ?? [];
  return name && `@watchpost/${name}/${source}`;
}

function relativeSpecifier(from, to) {
  const path = relative(dirname(from), to).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

function isOurs(to) {
  return SOURCES.concat(PACKAGES).some((folder) => to.startsWith(`${folder}/`));
}

/** Our packages under their names, as npm links them. */
async function plantPackages(folder) {
  await mkdir(join(folder, 'node_modules/@watchpost'), { recursive: true });
  for (const name of PACKAGES) {
    await mkdir(join(folder, name), { recursive: true });
    await copyFile(join(ROOT, name, 'package.json'), join(folder, name, 'package.json'));
    await symlink(join('../..', name), join(folder, 'node_modules/@watchpost', name));
  }
}

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** @returns the modules, and what breaks a rule */
async function cruise(cwd) {
  const { modules, summary } = await runCruiser(cwd);
  const found = new Map(modules.map((module) => [module.source, module]));
  const violations = [];
  for (const violation of summary.violations) {
    const { from, to, rule } = violation;
    const { dependencies } = found.get(from);
    const specifiers = dependencies.filter(({ resolved }) => resolved === to).map(({ module }) => module);
    if (rule.name.endsWith(TYPES_ARE_WELCOME) && (await importsOnlyTypes(join(cwd, from), specifiers))) continue;
    violations.push(violation);
  }
  return { modules, violations };
}

/** The parser of the cruiser does not distinguish type imports from others. */
async function importsOnlyTypes(file, specifiers) {
  const text = await readFile(file, 'utf8');
  const ofTypes = [...text.matchAll(/^(?:import|export) type [^;]*? from '([^']+)';$/gm)].map(([, from]) => from);
  return specifiers.every((specifier) => {
    const mentions = text.split(`'${specifier}'`).length - 1;
    return mentions > 0 && mentions === ofTypes.filter((from) => from === specifier).length;
  });
}

function runCruiser(cwd) {
  const args = ['--config', CONFIG, '--output-type', 'json', '--no-progress', ...SOURCES];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_OPTIONS: `--require ${JSON.stringify(PRELOADED)}` };
    execFile(CRUISER, args, { cwd, env, timeout: 120_000, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      try {
        // Violations make its exit status; a fault of its own is a text that is no JSON.
        resolve(JSON.parse(stdout));
      } catch (cause) {
        reject(
          new Error(`dependency-cruiser failed: ${stderr || stdout.slice(0, 2_000) || error?.message}`, { cause }),
        );
      }
    });
  });
}
