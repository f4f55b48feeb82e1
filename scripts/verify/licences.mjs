import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';

/** They let us ship a package under any licence of our own, and ask at most that their text goes along. */
const COMPATIBLE = new Set(
  ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'Python-2.0'].concat([
    'PSF-2.0',
    'CC0-1.0',
    'CC-BY-3.0',
    'CC-BY-4.0',
    'Unlicense',
    'Zlib',
  ]),
);

/** @returns the packages in artefacts whose licence is unknown, or not compatible with shipping them */
export async function checkLicences(root = ROOT) {
  const packages = await shippedPackages(root);
  return packages
    .filter(({ licence }) => !isCompatible(licence))
    .map(({ id, licence }) => `${id}: ${licence ?? 'no licence is stated'}. Artefacts cannot contain it.`);
}

/**
 * @param more what artefacts contain beside packages, each with the text of its licence
 * @returns the file that goes along with artefacts: each package with its licence, and the text of that
 */
export async function describeThirdParty(more = [], root = ROOT) {
  const packages = await shippedPackages(root);
  const parts = [...packages.map(({ id, licence, text }) => [`${id}, ${licence}`, text]), ...more];
  const texts = parts.map(([title, text]) => `${title}\n\n${text || 'It has no file with the text.'}`);
  return ['Watchpost contains these packages.', ...texts].join(`\n\n${'-'.repeat(80)}\n\n`).concat('\n');
}

/** An expression of SPDX: https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/ */
function isCompatible(licence = '') {
  const ways = licence.replaceAll(/[()]/g, '').split(' OR ');
  return ways.some((way) => way.split(' AND ').every((name) => COMPATIBLE.has(name)));
}

/** Those of production, and those that are bundled into the command line. Optional ones are in no artefact. */
async function shippedPackages(root) {
  const { packages } = await readJson(join(root, 'package-lock.json'));
  const { devDependencies: bundled } = packages['scripts/cli'];
  const shipped = Object.entries(packages).filter(
    ([path, entry]) =>
      path.includes('node_modules/') &&
      !entry.link &&
      (path.replace('node_modules/', '') in bundled || !(entry.dev || entry.optional || entry.devOptional)),
  );
  return Promise.all(shipped.map(([path]) => describePackage(join(root, path))));
}

async function describePackage(folder) {
  const { name, version, license, licenses } = await readJson(join(folder, 'package.json'));
  const licence = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return { id: `${name} ${version}`, licence, text: texts.map((text) => text.trim()).join('\n\n') };
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}
