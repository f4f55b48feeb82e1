export { createUsers, ensureUserIn, type UserCreated, type Users } from './user-of-principal.js';
export type { Principal } from './read-profile.js';
export { deleteUserIn, type UserLeaving } from './delete-user.js';
export { lockPerson, readPerson } from './lock-person.js';
export { readUser } from './read-user.js';
export { setSuspension, type SuspensionListener } from './suspend-user.js';
export { SuspendedUsers } from './suspended-users.js';
export { userRoutes } from './user-routes.js';
