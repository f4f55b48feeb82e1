/** @returns the text if it is a day such as `2026-11-22`, else '' */
export function dayOf(text: string | null): string {
  const ms = text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  // Some browsers take 30 February as 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text!) ? text! : '';
}

/**
 * @param later how many days after `day`
 * @returns when the day begins in the viewer's zone, where a day may have 23 or 25 hours, in ISO 8601; '' for what is no day
 */
export function startOfDay(day: string, later = 0): string {
  if (dayOf(day) === '') return '';
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, date + later).toISOString();
}
