/** `2026-11-21 12:00:05 UTC` */
export function formatMoment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
