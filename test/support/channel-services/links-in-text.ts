/** The links that a text without markup states one by one below its words. */
export function linksInText(text: string): string[] {
  return [
    ...text.matchAll(/^(?:Acknowledge(?: in Watchpost)?|See the evidence|All open incidents|Over REST): (http\S+)$/gm),
  ].map(([, url]) => url!);
}
