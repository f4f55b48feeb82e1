import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckResult } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { decodeFrame } from '@watchpost/agent/spool/record-frame';
import { SEGMENT_HEADER_BYTES } from '@watchpost/agent/spool/segment';
import type { FleetAgent } from '../../support/fleet/fleet-agent.js';
import { resultKey } from '../judge/judge-results.js';

/** Adds every result that is in the spools. To be called at least once a minute, because acknowledged results are kept no longer. */
export async function readSpools(agents: readonly FleetAgent[], into: Set<string>): Promise<void> {
  for (const { region, spoolFolder } of agents) {
    const names = (await readdir(spoolFolder).catch(() => [])).filter((name) => name.endsWith('.seg'));
    for (const name of names) {
      const bytes = await readFile(join(spoolFolder, name)).catch(() => Buffer.alloc(0));
      for (let frame = decodeFrame(bytes, SEGMENT_HEADER_BYTES); frame.kind === 'record';) {
        const { key, scheduledAtMs } = CheckResult.decode(frame.payload);
        into.add(
          resultKey({
            key: Number(key?.monitorKey),
            kind: Number(key?.kind),
            region,
            scheduledMs: Number(scheduledAtMs),
          }),
        );
        frame = decodeFrame(bytes, frame.next);
      }
    }
  }
}
