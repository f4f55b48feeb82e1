import { lastSequence, SEGMENT_HEADER_BYTES, scanSegment, segmentNames, type Segment } from './segment.js';
import type { SpoolDisk } from './spool-disk.js';

/**
 * Recovers the segments of a spool after any end of the last process: torn ends are cut off, damaged parts are skipped and
 * reported, files of another spool are removed.
 * @param spoolId undefined where the state could not be read: the id of the oldest segment is used
 */
export function recoverSegments(
  disk: SpoolDisk,
  spoolId: string | undefined,
  visit: (payload: Buffer, fileModifiedMs: number) => void,
  corrupt: (what: string) => void,
): { segments: Segment[]; spoolId: string | undefined } {
  const segments: Segment[] = [];
  let known = spoolId;
  for (const name of segmentNames(disk)) {
    const modifiedMs = disk.modifiedMs(name);
    const scanned = scanSegment(disk, name, (payload) => visit(payload, modifiedMs));
    known ??= scanned?.spoolId;
    const previous = segments.at(-1);
    const usable =
      scanned && scanned.spoolId === known && (!previous || scanned.segment.firstSequence > lastSequence(previous));
    if (scanned ? scanned.damaged || !usable : sizeOf(disk, name) >= SEGMENT_HEADER_BYTES) corrupt(name);
    if (usable && scanned.segment.count > 0) segments.push(scanned.segment);
    else disk.remove(name);
  }
  return { segments, spoolId: known };
}

function sizeOf(disk: SpoolDisk, name: string): number {
  const fd = disk.open(name);
  const size = disk.size(fd);
  disk.close(fd);
  return size;
}
