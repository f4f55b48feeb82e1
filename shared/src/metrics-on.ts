import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Buckets for the time of a request or a call, s. */
export const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Declares metrics on a registry, each by its name, its meaning and its labels. */
export function metricsOn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter<Label>({ name, help, labelNames, registers }),
    /**
     * A counter that has each value of its label from the start: a rate sees only what is added to a value that a former
     * scrape has seen, and would miss the first one.
     */
    countedBy: <Value extends string>(label: string, values: readonly Value[], name: string, help: string) => {
      const counter: Counter = new Counter({ name, help, labelNames: [label], registers });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value: Value) => counter.inc({ [label]: value });
    },
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
    /** The same for each value of a label. */
    shownBy: <Value extends string>(
      label: string,
      values: readonly Value[],
      name: string,
      help: string,
      read: (value: Value) => number,
    ): void => {
      const collect = () => values.forEach((value) => gauge.set({ [label]: value }, read(value)));
      const gauge: Gauge = new Gauge({ name, help, labelNames: [label], registers, collect });
    },
  };
}
