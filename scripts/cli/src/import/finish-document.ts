import { MIB, MOST_DOCUMENT_MIB } from '@watchpost/shared/document-limits';
import { writeYaml } from '@watchpost/shared/write-yaml';
import { countOf } from '../output/format-time.js';
import type { ImportReport } from './import-report.js';
import type { Secrets } from './names.js';
import type { Fields } from './rows.js';

export interface Imported {
  /** A configuration document in YAML, with secrets as `{ env: NAME }`. */
  document: string;
  /** One line for each item that is not in the document, or only in part, and why. It contains no secrets. */
  report: string[];
  /** The values of the environment variables that the document names. */
  environment: Readonly<Record<string, string>>;
}

/** Writes the document of all sections with something in them. */
export function finishDocument(
  project: string,
  sections: Readonly<Record<string, Readonly<Record<string, Fields>>>>,
  { report, secrets }: { report: ImportReport; secrets: Secrets },
): Imported {
  const filled = Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0);
  const document = writeYaml({ apiVersion: 'watchpost/v1', project, ...Object.fromEntries(filled) });
  const variables = Object.keys(secrets.environment);
  if (variables.length > 0)
    report.add(`the document names ${countOf(variables.length, 'environment variable')}: ${variables.join(', ')}`);
  if (Buffer.byteLength(document) > MOST_DOCUMENT_MIB * MIB)
    report.add(
      `the document has more than ${MOST_DOCUMENT_MIB} MiB: divide it into several with a \`project\` of their own`,
    );
  return { document, report: report.lines, environment: secrets.environment };
}
