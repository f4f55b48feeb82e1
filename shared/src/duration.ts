const PATTERN =
  /^P(?=.)(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?=.)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/;
const UNIT_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/**
 * Reads an ISO 8601 duration of fixed length (weeks, days, hours, minutes, seconds; no years or months).
 * @returns whole ms, or undefined for any other text
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64) return undefined;
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  let total = 0;
  for (let index = 0; index < UNIT_MS.length; index++) {
    const part = match[index + 1];
    if (part !== undefined) total += Number(part.replace(',', '.')) * UNIT_MS[index]!;
  }
  const whole = Math.round(total);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

/** Writes ms in canonical form: largest units first, up to hours, without zero parts; `PT0S` for 0. */
export function formatDuration(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1_000;
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds ? `${seconds}S` : ''}`;
  return `PT${text || '0S'}`;
}

const WORDS: readonly [number, string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
];

/** Writes ms as a person would: `31 days`, `1 hour 30 minutes`. Units below a second are left out; `0 seconds` for less than one. */
export function durationWords(ms: number): string {
  let rest = Math.floor(ms / 1_000) * 1_000;
  const parts = WORDS.flatMap(([unitMs, unit]) => {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  return parts.join(' ') || '0 seconds';
}
