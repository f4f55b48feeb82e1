import type { ImportReport } from '../import/import-report.js';
import type { Installation } from './installation.js';
import type { Fields } from '../import/rows.js';
import type { Keys, Secrets } from '../import/names.js';

export interface ImportContext {
  installation: Installation;
  report: ImportReport;
  secrets: Secrets;
  nowMs: number;
  /** The server of Apprise by which services are reached that are no channels. */
  appriseApiUrl?: string | undefined;
}

/** A section of the document, by key. */
export type SectionOf = Record<string, Fields>;

export interface TakenItem {
  key: string;
  name: string;
}

export type NextKey = Keys['next'];
