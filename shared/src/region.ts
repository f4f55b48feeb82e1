/**
 * The regions of the interface specification. `code` is stored and never changes.
 * The home region is always active and never listed in a monitor's `enabledRegions`.
 */
export const REGIONS = [
  { name: 'northeurope', code: 1, location: 'North Europe, Ireland' },
  { name: 'eastus2', code: 2, location: 'Virginia, United States' },
  { name: 'westus3', code: 3, location: 'Arizona, United States' },
  { name: 'brazilsouth', code: 4, location: 'Sao Paulo, Brazil' },
  { name: 'southeastasia', code: 5, location: 'Singapore' },
  { name: 'australiaeast', code: 6, location: 'New South Wales, Australia' },
  { name: 'centralindia', code: 7, location: 'Pune, India' },
  { name: 'japaneast', code: 8, location: 'Tokyo, Japan' },
] as const;

export type Region = (typeof REGIONS)[number]['name'];
/** Where checks run, as the fleet names it: the name of a region, or the id of a private location. */
export type Place = string;

/** The codes of private locations begin here. A location's code names it within its workspace only. */
export const FIRST_LOCATION_CODE = 100;
/** A private location is shown as `private:<slug>` wherever the name of a region is. */
export const LOCATION_PREFIX = 'private:';

export const HOME_REGION: Region = 'northeurope';
export type ExtraRegion = Exclude<Region, 'northeurope'>;
export const EXTRA_REGIONS = REGIONS.map((region) => region.name).filter(
  (name): name is ExtraRegion => name !== HOME_REGION,
);

const codeOf = new Map<string, number>(REGIONS.map((region) => [region.name, region.code]));
const placeOf = new Map<string, string>(REGIONS.map((region) => [region.name, region.location]));
const nameOf = new Map<number, Region>(REGIONS.map((region) => [region.code, region.name]));

/** Finds a region by its API name, case-insensitive. */
export function parseRegion(text: string): Region | undefined {
  const name = text.toLowerCase();
  return codeOf.has(name) ? (name as Region) : undefined;
}

/** The place of a region, for people: `Virginia, United States`; a name that no region has is returned as it is. */
export function regionPlace(name: string): string {
  return placeOf.get(name) ?? name;
}

/** `Singapore; Virginia, United States`. Places contain commas. */
export function regionPlaces(names: readonly string[]): string {
  return names.map(regionPlace).join('; ');
}

export function regionCode(region: Region): number {
  return codeOf.get(region)!;
}

/** @throws RangeError for a code that no region has. */
export function regionOfCode(code: number): Region {
  const region = nameOf.get(code);
  if (!region) throw new RangeError(`no region has the code ${code}`);
  return region;
}
