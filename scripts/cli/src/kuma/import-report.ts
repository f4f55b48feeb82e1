const MOST_SHOWN = 300;

/** Collects what could not be taken over, or only in part: one line for each item. */
export class ImportReport {
  readonly lines: string[] = [];

  /** An item that the document does not have. */
  untaken(kind: string, name: string, reason: string): void {
    this.add(`${kind} ${quoted(name)}: not taken over: ${reason}`);
  }

  /** An item that is different in the document. Without a difference nothing is reported. */
  partly(kind: string, name: string, differences: readonly string[]): void {
    if (differences.length > 0) this.add(`${kind} ${quoted(name)}: ${differences.join('; ')}`);
  }

  /** A line about several items. */
  add(line: string): void {
    this.lines.push(line);
  }
}

/** A text of the installation as it can be shown on a terminal. */
export function quoted(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ');
  return `"${plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN)}…` : plain}"`;
}
