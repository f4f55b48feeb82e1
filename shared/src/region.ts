/**
 * The regions of the interface specification. `code` is stored and never changes; `coordinates` are degrees north and east.
 * The home region is always active and never listed in a monitor's `enabledRegions`.
 */
export const REGIONS = [
  { name: 'northeurope', code: 1, location: 'North Europe, Ireland', coordinates: [53.3, -6.3] },
  { name: 'eastus2', code: 2, location: 'Virginia, United States', coordinates: [36.7, -78.4] },
  { name: 'westus3', code: 3, location: 'Arizona, United States', coordinates: [33.4, -112.1] },
  { name: 'brazilsouth', code: 4, location: 'Sao Paulo, Brazil', coordinates: [-23.6, -46.6] },
  { name: 'southeastasia', code: 5, location: 'Singapore', coordinates: [1.3, 103.8] },
  { name: 'australiaeast', code: 6, location: 'New South Wales, Australia', coordinates: [-33.9, 151.2] },
  { name: 'centralindia', code: 7, location: 'Pune, India', coordinates: [18.5, 73.9] },
  { name: 'japaneast', code: 8, location: 'Tokyo, Japan', coordinates: [35.7, 139.7] },
] as const;

/**
 * A private location as its workspace's results and incidents store it, `private:#100`: by its code, because its slug may
 * change. Callers are shown `private:<slug>`, and no slug has a `#`.
 */
export type LocationName = `private:#${number}`;
type NamedRegion = (typeof REGIONS)[number]['name'];
/** Where a result comes from: a region, or a private location. */
export type Region = NamedRegion | LocationName;
/** Where checks run, as the fleet names it: the name of a region, or the id of a private location. */
export type Place = string;

/** The codes of private locations begin here. A location's code names it within its workspace only. */
export const FIRST_LOCATION_CODE = 100;
/** A private location is shown as `private:<slug>` wherever the name of a region is. */
export const LOCATION_PREFIX = 'private:';

export const HOME_REGION: Region = 'northeurope';
export type ExtraRegion = Exclude<NamedRegion, 'northeurope'>;
export const EXTRA_REGIONS = REGIONS.map((region) => region.name).filter(
  (name): name is ExtraRegion => name !== HOME_REGION,
);

const codeOf = new Map<string, number>(REGIONS.map((region) => [region.name, region.code]));
const placeOf = new Map<string, string>(REGIONS.map((region) => [region.name, region.location]));
const nameOf = new Map<number, NamedRegion>(REGIONS.map((region) => [region.code, region.name]));

/** Finds a region by its API name, case-insensitive. */
export function parseRegion(text: string): NamedRegion | undefined {
  const name = text.toLowerCase();
  return codeOf.has(name) ? (name as NamedRegion) : undefined;
}

const STORED_PREFIX = `${LOCATION_PREFIX}#`;

export function isLocation(region: string): region is LocationName {
  return region.startsWith(STORED_PREFIX);
}

/** The places that check a monitor: regions first, the home region before the others. `locations` are codes. */
export function checkedFrom(
  homeRegion: boolean,
  extraRegions: readonly Region[],
  locations: readonly number[],
): Region[] {
  return [...(homeRegion ? [HOME_REGION] : []), ...extraRegions, ...locations.map(regionOfCode)];
}

/**
 * The place of a region, for people: `Virginia, United States`; a name that no region has is returned as it is. Where the
 * slug of a private location is not known, its reader is none of its workspace.
 */
export function regionPlace(name: string): string {
  return isLocation(name) ? 'A private location' : (placeOf.get(name) ?? name);
}

/** A place in a sentence, for those who know which one it is: a private location has an id here, and no name. */
export function placeText(place: Place): string {
  return codeOf.has(place) ? place : 'the private location';
}

/** `Singapore; Virginia, United States`. Places contain commas. */
export function regionPlaces(names: readonly string[]): string {
  return names.map(regionPlace).join('; ');
}

export function regionCode(region: Region): number {
  return codeOf.get(region) ?? Number(region.slice(STORED_PREFIX.length));
}

/** @throws RangeError for a code that no region has. */
export function regionOfCode(code: number): Region {
  if (code >= FIRST_LOCATION_CODE) return `private:#${code}`;
  const region = nameOf.get(code);
  if (!region) throw new RangeError(`no region has the code ${code}`);
  return region;
}
