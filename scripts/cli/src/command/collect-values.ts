/** Reads an option that may be given several times. */
export function collectValues(value: string, former: readonly string[] = []): string[] {
  return [...former, value];
}
