import type { Tx } from '../../platform/db/database.js';
import {
  type ConfiguredObject,
  type DocumentSections,
  type Section,
  type SectionContext,
  SECTIONS,
} from '../../platform/documents/document-section.js';
import { People } from '../../platform/documents/people.js';
import { readMemberAddresses, readTimeZone } from '../workspaces/index.js';
import { managedObjectStore, type ManagedObject } from './managed-object-store.js';

/** Everything of a workspace that documents can describe, as it is now. */
export interface ConfiguredWorkspace {
  /** Oldest first, by id. */
  objects: Readonly<Record<Section, ReadonlyMap<string, ConfiguredObject>>>;
  /** Those whose object still exists. */
  managed: readonly ManagedObject[];
}

export async function readContext(tx: Tx, workspaceId: string): Promise<SectionContext> {
  return {
    workspaceZone: await readTimeZone(tx, workspaceId),
    people: new People(await readMemberAddresses(tx, workspaceId)),
  };
}

export async function readConfigured(
  sections: DocumentSections,
  tx: Tx,
  workspaceId: string,
  context: SectionContext,
): Promise<ConfiguredWorkspace> {
  const objects = {} as Record<Section, Map<string, ConfiguredObject>>;
  for (const section of SECTIONS) {
    const list = await sections[section].read(tx, workspaceId, context);
    objects[section] = new Map(list.map((object) => [object.id, object]));
  }
  const managed = await managedObjectStore.all(workspaceId, tx);
  return { objects, managed: managed.filter(({ kind, objectId }) => objects[kind].has(objectId)) };
}
