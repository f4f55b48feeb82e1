import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench.js';

export interface BenchCommand {
  words: string[];
  options: BenchOptions;
  /** What follows the names, to start the process of a bench with the same options. */
  passedOn: string[];
  /** How often each bench runs; undefined: as often as its figures need. */
  runs: number | undefined;
  json: string | undefined;
  list: boolean;
  inProcess: string | undefined;
}

/** Reads the command line. @throws Error with a sentence for people */
export function readBenchCommand(args: readonly string[]): BenchCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      list: { type: 'boolean' },
      'in-process': { type: 'string' },
      runs: { type: 'string' },
      minutes: { type: 'string' },
      monitors: { type: 'string' },
      agents: { type: 'string' },
      'control-planes': { type: 'string' },
      'connect-within': { type: 'string' },
      joining: { type: 'boolean' },
      calm: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  const {
    minutes,
    monitors,
    agents,
    'control-planes': controlPlanes,
    'connect-within': connectWithin,
    joining,
    calm,
    write,
  } = values;
  const options: BenchOptions = {
    ...(minutes !== undefined && { minutes: numbersOf('minutes', minutes)[0]! }),
    ...(monitors !== undefined && { monitors: numbersOf('monitors', monitors) }),
    ...(agents !== undefined && { agents: numbersOf('agents', agents)[0]! }),
    ...(controlPlanes !== undefined && { controlPlanes: numbersOf('control-planes', controlPlanes) }),
    ...(connectWithin !== undefined && { connectWithin: numbersOf('connect-within', connectWithin)[0]! }),
    ...(joining && { joining }),
    ...(calm && { calm }),
    ...(write && { write }),
  };
  const passedOn = Object.entries({
    minutes,
    monitors,
    agents,
    'control-planes': controlPlanes,
    'connect-within': connectWithin,
  })
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
    .concat(joining ? ['--joining'] : [], calm ? ['--calm'] : [], write ? ['--write'] : []);
  return {
    words: positionals,
    options,
    passedOn,
    runs: values.runs === undefined ? undefined : numbersOf('runs', values.runs)[0]!,
    json: values.json,
    list: values.list ?? false,
    inProcess: values['in-process'],
  };
}

function numbersOf(name: string, text: string): number[] {
  const numbers = text.split(',').map(Number);
  if (numbers.some((number) => !Number.isInteger(number) || number < 1))
    throw new Error(`--${name} takes whole numbers from 1, separated by commas; not ${text}.`);
  return numbers;
}
