/** The parameters of a query; those that are undefined, null or empty are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** @returns `?a=1&b=2&b=3` without what is undefined or empty; '' if nothing is left */
export function queryText(query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value as string[]) params.append(name, each);
    else if (value !== undefined && value !== null && value !== '') params.append(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
