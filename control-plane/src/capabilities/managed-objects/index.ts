export { MANAGED_KINDS, type ManagedBy, managedByColumn, managedBySchema, type ManagedKind } from './managed-by.js';
export { type ManagedObject, managedObjectStore } from './managed-object-store.js';
