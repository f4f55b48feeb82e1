/** Decides whether requests change nothing where they are sent, so that nobody minds when they are sent again. */
export function onlyReads(requests: readonly { readonly method: string }[]): boolean {
  return requests.every(({ method }) => method === 'GET' || method === 'HEAD');
}
