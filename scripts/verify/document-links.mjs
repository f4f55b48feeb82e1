// Checks that what the documents refer to exists: links, headings, files, scripts, metrics and decision records.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';
import { readCheckout } from './read-checkout.mjs';

/** The folders to which a path in a document may be relative, besides the folder of the document. */
const BASES = [
  '',
  'control-plane/console/src',
  'control-plane/src',
  'control-plane/src/capabilities',
  'control-plane/src/platform',
];

/** Code that looks like a path in this repository and is none. */
const OTHER_SLASHES = /^(?:text\/html|watchpost-cli\/)$/;
const BUILT = /^(?:[\w-]+\/)?dist\//;

/** A name of this repository: snake_case, camelCase, PascalCase or UPPER_CASE, of two words at least. */
const NAME = /`([a-z\d]+(?:_[a-z\d]+)+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[A-Z]+(?:_[A-Z\d]+)+)`/g;
/** Names of other programs, and of variables that do not exist. */
const OTHER_NAMES = new Set([
  'McpServer',
  'UV_THREADPOOL_SIZE',
  'ENCRYPTION_KEY_PREVIOUS',
  // Programs and settings of PostgreSQL.
  'pg_dump',
  'pg_restore',
  'pg_basebackup',
  'pg_receivewal',
  'pg_repack',
  'pg_rewind',
  'wal_sender_timeout',
  'archive_command',
  'restore_command',
  'recovery_target_time',
  'max_slot_wal_keep_size',
  'old_snapshot_threshold',
]);
/** Lists former names, which no longer exist. */
const UPGRADE_NOTES = 'docs/guides/upgrade-notes.md';

const RECORD_INDEX = 'docs/decisions/README.md';
const RECORD = /^docs\/decisions\/(\d{4})-[a-z\d-]+\.md$/;

const PLANTED_IN = 'docs/planted.md';
/** One text for each kind of fault. Each must be reported, or this check checks nothing. */
const PLANTED = [
  '[a dead link](guides/nowhere.md)',
  '[a dead heading](glossary.md#nowhere)',
  'a file that does not exist, `test/nowhere.it.ts`',
  'a folder that does not exist, `results/nowhere`',
  'a file that does not exist anywhere, `decide-nowhere.ts`',
  '`npm run nowhere`',
  'a column that does not exist, `nowhere_at`',
  'a function that does not exist, `goNowhere`',
  'a metric that does not exist, watchpost_nowhere_total',
];

/** @returns the faults, also those of the check itself */
export async function checkDocumentLinks() {
  const repository = await readRepository();
  const faults = [...findFaultsOfRecords(repository)];
  for (const [path, text] of repository.documents) faults.push(...findFaults(repository, path, text));
  for (const [path, text] of repository.sources)
    for (const [name] of text.matchAll(/\bdocs\/[\w/.-]+\.(?:md|sql)\b/g))
      if (!existsSync(join(ROOT, name))) faults.push(`${path}: ${name} does not exist.`);
  for (const text of PLANTED)
    if (findFaults(repository, PLANTED_IN, text).length !== 1) faults.push(`Not found when planted: ${text}`);
  return faults;
}

/** @returns what one document refers to and does not exist */
function findFaults({ documents, names, files, scripts, metrics }, path, text) {
  const faults = [];
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  for (const [, link] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    const [file, heading] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(ROOT, target))) faults.push(`${path}: ${link} does not exist.`);
    else if (heading !== undefined && !headingsOf(documents.get(target) ?? '').has(heading))
      faults.push(`${path}: ${target} has no heading #${heading}.`);
  }
  for (const [, code] of prose.matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+\/?|[a-z][\w-]*\/)`/g)) {
    if (OTHER_SLASHES.test(code) || BUILT.test(code)) continue;
    if (![dirname(path), ...BASES].some((base) => existsSync(join(ROOT, base, code))))
      faults.push(`${path}: ${code} does not exist.`);
  }
  for (const [, file] of prose.matchAll(/`(\w[\w.-]*\.(?:tsx?|mjs|sql|proto|yaml|service))`/g))
    if (!files.has(file)) faults.push(`${path}: no file is called ${file}.`);
  for (const [, script] of text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g))
    if (!scripts.has(script)) faults.push(`${path}: package.json has no script ${script}.`);
  if (path === UPGRADE_NOTES) return faults;
  for (const [, name] of prose.matchAll(NAME))
    if (!names.has(name) && !OTHER_NAMES.has(name)) faults.push(`${path}: nothing is called ${name}.`);
  for (const [name] of text.matchAll(/\bwatchpost_[a-z_]+/g))
    if (!metrics.has(name.replace(/_(?:bucket|sum|count)$/, ''))) faults.push(`${path}: there is no metric ${name}.`);
  return faults;
}

/** Decision records are numbered without holes, the title has the number of the file, and the index lists it. */
function findFaultsOfRecords({ documents }) {
  const index = documents.get(RECORD_INDEX) ?? '';
  const records = [...documents].filter(([path]) => RECORD.test(path));
  return records.flatMap(([path, text], before) => {
    const number = before + 1;
    const [title] = text.split('\n', 1);
    if (Number(RECORD.exec(path)[1]) !== number || !title.startsWith(`# ${number}. `))
      return [`${path}: the next decision record is number ${number}, in its name and in its title.`];
    const line = `[${title.slice(2)}](${basename(path)})`;
    return index.includes(line) ? [] : [`${RECORD_INDEX}: the line ${line} is missing.`];
  });
}

/** @returns the anchors of a document's headings, as GitHub makes them */
function headingsOf(text) {
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\d _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** This file has the planted names. */
const NOT_A_SOURCE = /\.md$|^package-lock\.json$|^scripts\/verify\/document-links\.mjs$/;
const READ = ['*.md', '*.ts', '*.tsx', '*.mjs', '*.json', '*.sql', '*.proto', '*.yaml', '*.service', '*.Dockerfile'];

async function readRepository() {
  const texts = await readCheckout(...READ);
  const sources = texts.filter(([path]) => !NOT_A_SOURCE.test(path));
  const packageFile = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return {
    documents: new Map(texts.filter(([path]) => path.endsWith('.md'))),
    sources,
    files: new Set(texts.map(([path]) => basename(path))),
    names: new Set(sources.flatMap(([, text]) => text.match(/\b[A-Za-z_]\w*/g) ?? [])),
    scripts: new Set(Object.keys(packageFile.scripts)),
    metrics: new Set(
      sources
        .filter(([path]) => /^(?:control-plane|agent)\/src\//.test(path))
        .flatMap(([, text]) => text.match(/\bwatchpost_[a-z_]+/g) ?? []),
    ),
  };
}
