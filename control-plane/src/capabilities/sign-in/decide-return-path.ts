const MAX_LENGTH = 2_000;
/** Where a sign-in begins or ends: to return there would begin again. */
const NO_PLACES = /^\/console\/(?:sign-in|sign-out|callback)(?:\/|$)/;

/**
 * The page of the console to which a sign-in returns.
 * @param wanted from the address, so from anybody
 * @param baseUrl of this service
 * @returns a path with its query; `/console` for anything that is not a page of the console
 */
export function decideReturnPath(wanted: string | null | undefined, baseUrl: string): string {
  if (!wanted || wanted.length > MAX_LENGTH || !/^\/console(?:[/?]|$)/.test(wanted)) return '/console';
  // Browsers read a backslash as a slash, and skip tabs and line breaks: printable ASCII without it.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(wanted)) return '/console';
  let url: URL;
  try {
    url = new URL(wanted, baseUrl);
  } catch {
    return '/console';
  }
  // Dots, also encoded ones, may have led out of the console.
  const isInside = url.origin === new URL(baseUrl).origin && /^\/console(?:\/|$)/.test(url.pathname);
  if (!isInside || url.pathname.includes('//') || NO_PLACES.test(url.pathname)) return '/console';
  return url.pathname + url.search;
}
