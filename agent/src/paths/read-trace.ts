import { isIP } from 'node:net';
import { canonicalAddress } from '../probes/canonical-address.js';
import { MOST_PATH_HOPS, type PathHop } from '@watchpost/shared/outcome';

/** The report of the program traceroute. */
export interface Trace {
  /** The address itself answered. */
  reached: boolean;
  /** From the agent on, up to the last one that answered. */
  hops: PathHop[];
}

/** Packets to each hop. */
export const PROBES_A_HOP = 3;
const LINE =
  /^ ?(\d{1,2}) ((?: {1,2}(?:\*|[0-9a-f.:]{2,45}|\d{1,6}(?:\.\d{1,6})? ms|!(?:[A-Z]|\d{1,3}|[FS]-\d{1,5}|<\d{1,3}>)?))+)$/;
const PART = / (\*|\d+(?:\.\d+)? ms|![^ ]*|[0-9a-f.:]+)/g;

/**
 * Reads the output of traceroute for Linux. Each line is one hop and has its own form, or counts as silence. Routers limit how much they answer, so
 * that silence in the middle of a path is no loss: only the address itself can have one.
 */
export function readTrace(output: string, address: string): Trace {
  const hops: PathHop[] = [];
  const target = canonicalAddress(address);
  for (const line of output.split('\n')) {
    const [, number, rest] = LINE.exec(line) ?? [];
    const ttl = Number(number);
    // In their order, and each once: another line of the same number is not one that the program writes.
    if (rest === undefined || ttl <= (hops.at(-1)?.ttl ?? 0) || ttl > MOST_PATH_HOPS) continue;
    while (hops.length < ttl - 1) hops.push(silent(hops.length + 1));
    const hop = readHop(ttl, rest, target);
    hops.push(hop);
    if (hop.loss !== null) return { reached: true, hops };
  }
  while (hops.at(-1)?.address === null) hops.pop();
  return { reached: false, hops };
}

/** The router that answered first: the packets of one hop can take several ways. */
function readHop(ttl: number, rest: string, target: string): PathHop {
  const times = new Map<string, number[]>();
  let from: string | null = null;
  for (const [, part] of rest.matchAll(PART)) {
    if (part!.endsWith(' ms')) times.get(from ?? '')?.push(Number.parseFloat(part!));
    else if (isIP(part!) !== 0) {
      from = canonicalAddress(part!);
      if (!times.has(from)) times.set(from, []);
    }
  }
  const shown = times.has(target) ? target : [...times.keys()][0];
  const answers = (shown !== undefined && times.get(shown)) || [];
  if (shown === undefined || answers.length === 0) return silent(ttl);
  const loss = shown === target ? Math.round(100 * (1 - Math.min(answers.length, PROBES_A_HOP) / PROBES_A_HOP)) : null;
  return { ttl, address: shown, name: null, rttMs: Math.min(...answers), loss };
}

function silent(ttl: number): PathHop {
  return { ttl, address: null, name: null, rttMs: null, loss: null };
}
