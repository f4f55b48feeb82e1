/** What a control of a `Field` shows and changes. */
export interface FieldControl {
  label: string;
  value: unknown;
  set: (value: unknown) => void;
  /** What ties an input to its label, its hint and its faults. */
  attributes: { id: string; 'aria-describedby'?: string | undefined; 'aria-invalid'?: true | undefined };
}

/** What a control shows of a value that is text or a number. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
