import { NOT_IN_NAMES } from '@watchpost/shared/clean-line';
import { cutText } from '@watchpost/shared/storable-text';

const MOST_SHOWN = 300;
/** Characters of a reason, in which there may be texts of the installation. */
const MOST_REASON = 5_000;

/** Collects what could not be taken over, or only in part: one line for each item. */
export class ImportReport {
  readonly lines: string[] = [];

  /** An item that the document does not have. */
  untaken(kind: string, name: string, reason: string): void {
    this.add(`${kind} ${quoted(name)}: not taken over: ${cutText(reason, MOST_REASON)}`);
  }

  /** An item that is different in the document. Without a difference nothing is reported. */
  partly(kind: string, name: string, differences: readonly string[]): void {
    if (differences.length > 0)
      this.add(`${kind} ${quoted(name)}: ${differences.map((one) => cutText(one, MOST_REASON)).join('; ')}`);
  }

  /** A line about several items. */
  add(line: string): void {
    // Texts of the installation in it could begin further lines, or control the terminal.
    this.lines.push(line.replace(NOT_IN_NAMES, ' '));
  }
}

/** A text of the installation, at most 300 characters of it. */
export function quoted(text: string): string {
  return `"${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}"`;
}
