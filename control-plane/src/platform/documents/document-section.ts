import type { ZodObject } from 'zod';
import type { Transactions, Tx } from '../db/database.js';
import type { Access } from '../http/require-access.js';
import type { Actor, Role } from '../identity/caller.js';
import type { Fields } from './fields.js';
import type { People } from './people.js';

/** The sections of a document, in the order in which their objects can be created. */
export const SECTIONS = [
  'serviceGroups',
  'actionGroups',
  'teams',
  'privateLocations',
  'monitors',
  'statusPages',
  'maintenanceWindows',
] as const;
export type Section = (typeof SECTIONS)[number];

/** What people set of an object. */
export interface Configured {
  /** As REST answers it, with secrets as `***`. */
  fields: Fields;
  /** The secrets by their path in the fields: `http.headers.Authorization`. */
  secrets: Readonly<Record<string, string>>;
}

export interface ConfiguredObject extends Configured {
  id: string;
}

/** What the meaning of a document depends on in its workspace. */
export interface SectionContext {
  /** The time zone of schedules that name none. */
  workspaceZone: string;
  people: People;
}

/** A change of an object. Its id is known before it is created, so that others can refer to it. */
export interface SectionChange<Input> {
  section: Section;
  key: string;
  id: string;
  /** What the schema made of it. */
  input: Input;
  /** As the document has it, over the defaults. */
  given: Fields;
}

export type SectionDeletion = Pick<SectionChange<never>, 'section' | 'key' | 'id'>;

/** The execution of the changes of a document in one transaction. */
export interface SectionRun {
  actor: Actor;
  context: SectionContext;
  tx: Tx;
  /** In place of the pool: makes the transactions of verbs parts of `tx`. */
  db: Transactions;
  before: ReadonlyMap<string, ConfiguredObject>;
  /**
   * Does `work` for each change, and keeps its Fault for the answer. What comes next goes on without it.
   * @param place the field of the object that is set, or what a path in the fault is in the object
   */
  each<Change extends SectionDeletion>(
    changes: readonly Change[],
    work: (change: Change) => Promise<unknown>,
    place?: string | ((path: string) => string),
  ): Promise<void>;
}

interface SectionSchemas {
  /** The value of the field `type` that chooses them; undefined where the section has no others. */
  type?: string;
  /** One whole object, with the fields of REST and references by id. */
  create: ZodObject;
  /** Some of its fields. */
  update: ZodObject;
}

/** What a capability offers so that documents can describe its objects, and change them in one transaction. */
export interface DocumentSection<Input = unknown, Patch = unknown> {
  access: { read: Access; write: Access };
  /** Who has a smaller role has exports without the section. */
  exportedTo?: Role;
  schemas: readonly SectionSchemas[];
  /** What a document may not have although REST accepts it. */
  faultsOf?(given: Fields): { path: string; message: string }[];
  /** What is wrong with an object beyond its schema. */
  inputFaultsOf?(input: Input, context: SectionContext): { path: string; message: string }[];
  /** What an object would be configured to after it was created with this input. */
  configuredBy(input: Input, context: SectionContext): Configured;
  /** A setting of operation rather than of configuration: left alone unless the document has it. */
  leftAlone?: string;
  /** A field of which only those parts are compared that the document has. */
  comparedInPart?: string;
  /** Fields that a change has to send again when its destination changes: no secret is kept for another host. */
  withUrl?: readonly string[];
  /** The fields with which an object could be created, and nothing else. */
  least(fields: Fields): Fields;
  /** Whether nothing is left of what it refers to, so that it could not be created. */
  isVoid?(fields: Fields): boolean;
  /** The objects of a workspace, oldest first. */
  read(tx: Tx, workspaceId: string, context: SectionContext): Promise<ConfiguredObject[]>;
  create(run: SectionRun, changes: readonly SectionChange<Input>[]): Promise<void>;
  update(run: SectionRun, changes: readonly SectionChange<Patch>[]): Promise<void>;
  remove(run: SectionRun, deletions: readonly SectionDeletion[]): Promise<void>;
}

export type DocumentSections = Readonly<Record<Section, DocumentSection>>;
