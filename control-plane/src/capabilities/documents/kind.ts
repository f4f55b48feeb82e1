import type { ZodObject } from 'zod';
import type { Configured } from '../monitors/index.js';
import type { Fields } from './fields.js';
import type { People } from './people.js';

/** A valid object of a document. */
export interface KindInput {
  body: unknown;
  outside: unknown;
  /** The fields of the object, of which one may decide its type. */
  given: Fields;
  /** The time zone of schedules that name none. */
  workspaceZone: string;
  people: People;
}

/** How the objects of a section are created, changed and deleted over REST. */
export interface Kind {
  /** Which of several operations, by the fields of the object. Undefined: the field that decides it has no such value. */
  createWith(fields: Fields): string | undefined;
  updateWith(fields: Fields): string;
  deleteWith: string;
  listWith: string;
  /** Fields of the document that the body of REST does not have. */
  outsideBody: readonly string[];
  /** What a document may not have although REST accepts it. */
  faultsOf?(fields: Fields): { path: string; message: string }[];
  /** The fields of `outsideBody`, references as in REST, and what else is wrong with them. */
  outside?: { schema: ZodObject; faultsOf?(value: unknown, people: People): { path: string; message: string }[] };
  /** What an object would be configured to after it was created. */
  configuredBy(input: KindInput): Configured;
  /** A field of which only those parts are compared that the document has. */
  comparedInPart?: string;
  /** Fields that a change has to send again when its destination changes: REST keeps no secret for another host. */
  withUrl: readonly string[];
}
