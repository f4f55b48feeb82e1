const FORM = /^(\d{3})(?:\s*-\s*(\d{3}))?$/;

/** A status code, or an inclusive range such as `200-399`. */
export type ExpectedStatus = number | string;

export interface StatusRange {
  from: number;
  to: number;
}

/** Reads a code or range, 100 to 599. @returns undefined where it is neither */
export function parseExpectedStatus(value: ExpectedStatus): StatusRange | undefined {
  const match = FORM.exec(String(value).trim());
  if (!match) return undefined;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from >= 100 && to <= 599 && from <= to ? { from, to } : undefined;
}

/** The canonical form: a number for a single code, otherwise `from-to`. */
export function formatExpectedStatus({ from, to }: StatusRange): ExpectedStatus {
  return from === to ? from : `${from}-${to}`;
}
