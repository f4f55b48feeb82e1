/** The sum of a counter or gauge over all its labels, or those that match, of several control planes. */
export async function readMetrics(metricsPorts: readonly number[]): Promise<(name: string, labels?: RegExp) => number> {
  const texts = await Promise.all(
    metricsPorts.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  return (name, labels = /^/) =>
    texts
      .flatMap((text) => [...text.matchAll(new RegExp(`^${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))])
      .reduce((sum, [, own = '', value]) => sum + (labels.test(own) ? Number(value) : 0), 0);
}
