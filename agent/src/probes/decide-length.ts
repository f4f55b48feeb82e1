/** As servers send it. */
const USUAL = /^(?:0|[1-9]\d{0,14})$/;
/** A number that browsers and curl read alike, whatever follows it. */
const ODD = /^\+?0*(\d{1,15})(?:\.0+)?(?:[;\s].*)?$/;

/**
 * Decides how long a body is by its Content-Length, as tolerantly as browsers.
 * @param onOdd gets what is wrong with an accepted value, to complete a sentence
 * @returns null where the value is no length, so that the end of the connection ends the body; undefined where it can be
 *   read in two ways
 */
export function decideLength(text: string, onOdd: (why: string) => void): number | null | undefined {
  if (USUAL.test(text)) return Number(text);
  const values = text.split(',').map((value) => value.trim());
  // Repeated equal lengths are one length.
  const [only = '', ...others] = new Set(values);
  if (others.length > 0) return undefined;
  if (USUAL.test(only)) return Number(only);
  const bytes = ODD.exec(only)?.[1];
  if (bytes !== undefined) {
    onOdd('');
    return Number(bytes);
  }
  // No client takes a negative or huge number for a length. What contains digits is a length to some, and none to others.
  if (/\d/.test(only) && !/^-?\d+$/.test(only)) return undefined;
  onOdd(', which is no length');
  return null;
}
