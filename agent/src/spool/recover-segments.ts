import { lastSequence, SEGMENT_HEADER_BYTES, scanSegment, segmentNames, type Segment } from './segment.js';
import type { SpoolDisk } from './spool-disk.js';

/**
 * Finds what is left of a spool after whatever ended the last process: torn ends are cut off, damaged parts are
 * skipped and told, files of another spool are removed.
 * @param spoolId the spool's, where its state could be read; else that of the newest segment counts
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
