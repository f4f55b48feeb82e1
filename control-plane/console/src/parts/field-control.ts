/** A control of a `Field` shows and changes this. */
export interface FieldControl {
  label: string;
  value: unknown;
  set: (value: unknown) => void;
  /** These tie an input to its label, its hint and its faults. */
  attributes: { id: string; 'aria-describedby'?: string | undefined; 'aria-invalid'?: true | undefined };
}

/** Makes the text that a control shows of a value that is text or a number. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
