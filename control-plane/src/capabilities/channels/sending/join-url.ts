/** The URL of a path, with or without a query, below an address that a user entered. The query of the address stays. */
export function joinUrl(base: string, path: string): string {
  const [url, added] = [new URL(base), new URL(path, 'http://any')];
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${added.pathname}`;
  for (const [name, value] of added.searchParams) url.searchParams.append(name, value);
  return url.href;
}
