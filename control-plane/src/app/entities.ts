import { IncidentNoteEntity } from '../capabilities/incidents/index.js';

/** Every entity there is: what TypeORM is told of, and what the drift check holds the migrations to. */
export const entities = [IncidentNoteEntity];
