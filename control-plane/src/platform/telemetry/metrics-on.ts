import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Declares metrics on a registry, each by its name, its meaning and its labels. */
export function metricsOn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter<Label>({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge<Label>({ name, help, labelNames, registers }),
    /** @param buckets upper bounds, in the unit of the name */
    histogram: <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
      new Histogram<Label>({ name, help, buckets, labelNames, registers }),
    /** A gauge that is read at each scrape. @param read null keeps the former value */
    shown: (name: string, help: string, read: () => number | null | Promise<number | null>): void => {
      const collect = async () => {
        const value = await read();
        if (value !== null) gauge.set(value);
      };
      const gauge: Gauge = new Gauge({ name, help, registers, collect });
    },
  };
}
