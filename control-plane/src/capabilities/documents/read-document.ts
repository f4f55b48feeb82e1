import { MIB, MOST_DOCUMENT_MIB, MOST_TEXT_MIB } from '@watchpost/shared/document-limits';
import { Fault } from '@watchpost/shared/fault';
import { nearestPlace, type YamlPlace } from '@watchpost/shared/yaml-places';
import type { FaultyText, YamlText } from '@watchpost/shared/read-yaml';
import { onOwnThread, TooComplex } from '../../platform/jobs/own-thread.js';

const EXCESS =
  `A document as text has at most ${MOST_TEXT_MIB} MiB. Send it as an object, of which a request may have ${MOST_DOCUMENT_MIB} MiB, as the ` +
  'command line does, or divide it into several with a `project` of their own.';

export interface ReadDocument {
  value: unknown;
  /** Where a field is in the text, such as ` (line 12, column 5)`; empty where the document is an object. */
  placeOf(path: readonly string[]): string;
}

/**
 * Reads a document that is an object already, or a text in YAML 1.2 (core schema) or JSON.
 * @throws Fault validation_failed with the place of each fault of the syntax; payload_too_large, unavailable
 */
export async function readDocument(document: unknown, ownerId: string): Promise<ReadDocument> {
  if (typeof document !== 'string') return { value: document, placeOf: () => '' };
  if (Buffer.byteLength(document) > MOST_TEXT_MIB * MIB) throw new Fault('payload_too_large', EXCESS);
  const answer = await readYaml(document, ownerId);
  if ('faults' in answer) {
    const details = answer.faults.map(({ message, path, at }) => ({
      path: ['document', ...path].join('.'),
      message: message + placeText(at),
    }));
    throw new Fault('validation_failed', 'Correct the syntax of the document.', details);
  }
  return { value: answer.value, placeOf: (path) => placeText(nearestPlace(answer.places, path)) };
}

function placeText(at: YamlPlace | null | undefined): string {
  return !at ? '' : ` (line ${at[0]}, column ${at[1]})`;
}

/**
 * Reads a text in YAML 1.2 on a thread of its own.
 * @throws Fault unavailable where too many texts wait; validation_failed where it takes too long
 */
export async function readYaml(text: string, ownerId: string): Promise<YamlText | FaultyText> {
  try {
    return await onOwnThread(new URL('./yaml-worker.js', import.meta.url), text, ownerId);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    throw new Fault('validation_failed', 'Correct the document.', [
      { path: 'document', message: 'is too complex to read as YAML: make it simpler, or send it as JSON' },
    ]);
  }
}
