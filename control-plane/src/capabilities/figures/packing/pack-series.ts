import { BitWriter, decideFrame, writeColumn, writeFrame } from './encode-column.js';

/** The columns of the results of one series, in the order of their scheduled times; names as in `check_result`. */
export interface SeriesColumns {
  /** Scheduled times, ms since the epoch, each later than the one before. */
  scheduledMs: Float64Array;
  total_us: Int32Array;
  dns_us: Int32Array;
  connect_us: Int32Array;
  tls_us: Int32Array;
  first_byte_us: Int32Array;
  transfer_us: Int32Array;
  agent_key: Int32Array;
  start_lag_ms: Int32Array;
  fresh_s: Int32Array;
  status_code: Int32Array;
  outcome: Int32Array;
}

/** Results of one series within a day, as stored. */
export interface PackedSeries {
  startsMs: number;
  endsMs: number;
  stepMs: number;
  results: number;
  bits: Buffer;
}

/** The most results of a row, far more than a day of checks by the minute. */
export const MOST_RESULTS = 4_096;

const PHASES = ['dns_us', 'connect_us', 'tls_us', 'first_byte_us', 'transfer_us'] as const;
const OTHERS = ['agent_key', 'start_lag_ms', 'fresh_s', 'status_code', 'outcome'] as const;

/**
 * Packs the results of one series on one day, losslessly. Scheduled times become the number of steps without a result
 * before them, and the total its difference from the sum of the phases; a column then costs what its values vary.
 */
export function packSeries(columns: SeriesColumns): PackedSeries[] {
  const packed: PackedSeries[] = [];
  for (let from = 0; from < columns.scheduledMs.length; from += MOST_RESULTS)
    packed.push(packPart(columns, from, Math.min(columns.scheduledMs.length, from + MOST_RESULTS)));
  return packed;
}

function packPart(columns: SeriesColumns, from: number, to: number): PackedSeries {
  const times = columns.scheduledMs.subarray(from, to);
  const [startsMs, results] = [times[0]!, times.length];
  const stepMs = stepOf(times);
  const part = (name: Exclude<keyof SeriesColumns, 'scheduledMs'>) => columns[name].subarray(from, to);
  const phases = PHASES.map(part);
  // Modulo 2^32, so that it fits whatever the phases are.
  const extra = part('total_us').map((total, index) => phases.reduce((rest, phase) => rest - phase[index]!, total) | 0);
  const slots = Int32Array.from(times, (ms, index) => (ms - startsMs) / stepMs - index);
  const values = [slots, extra, ...phases, ...OTHERS.map(part)];
  const frames = values.map(decideFrame);
  const bits = new BitWriter();
  for (const frame of frames) writeFrame(bits, frame);
  for (const [index, frame] of frames.entries()) writeColumn(bits, values[index]!, frame);
  return { startsMs, endsMs: times[results - 1]!, stepMs, results, bits: bits.toBuffer() };
}

/** The greatest common divisor of the distances. */
function stepOf(times: Float64Array): number {
  let step = 0;
  for (let index = 1; index < times.length; index++) {
    let [a, b] = [times[index]! - times[index - 1]!, step];
    while (b > 0) [a, b] = [b, a % b];
    step = a;
  }
  return step || 1;
}
