const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const;
const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** What a browser is called by its `User-Agent` (RFC 9110 §10.1.5): `Firefox on Linux`. */
export function browserText(userAgent: string | null): string {
  const find = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return userAgent?.slice(0, 60) || 'Unknown browser';
  return system === undefined ? browser : `${browser} on ${system}`;
}
