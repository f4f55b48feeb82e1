/**
 * Parses a URL by the URL standard, relative to `base` if given.
 *
 * To be used instead of `URL.canParse`, which in Node 20 and 22 rejects URLs beyond ASCII (`https://bücher.example`) after
 * V8 has optimised its caller.
 *
 * @returns undefined for an invalid URL
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
