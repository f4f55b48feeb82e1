import { DAY_MS } from '@watchpost/shared/time';
/** A certificate is near its end this many days before it, or in the last third of its lifetime if that is later. */
const NEAR_DAYS = 21;

export function isNearExpiry({
  daysUntilExpiry,
  validFrom,
  validTo,
}: {
  daysUntilExpiry: number | null;
  validFrom: string | null;
  validTo: string | null;
}): boolean {
  if (daysUntilExpiry === null) return false;
  const lifetimeDays = (Date.parse(validTo ?? '') - Date.parse(validFrom ?? '')) / DAY_MS;
  return daysUntilExpiry <= NEAR_DAYS && !(daysUntilExpiry >= lifetimeDays / 3);
}
