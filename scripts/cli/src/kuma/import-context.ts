import type { ImportReport } from './import-report.js';
import type { Installation } from './installation.js';
import type { Keys, Secrets } from './names.js';

/** What the conversions of all kinds of items share. */
export interface ImportContext {
  installation: Installation;
  report: ImportReport;
  secrets: Secrets;
  nowMs: number;
  /** The server of Apprise by which services are reached that are no channels. */
  appriseApiUrl?: string | undefined;
}

export type Fields = Record<string, unknown>;

/** A section of the document, by key. */
export type SectionOf = Record<string, Fields>;

/** An item that was taken over. */
export interface TakenItem {
  key: string;
  name: string;
}

export type NextKey = Keys['next'];
