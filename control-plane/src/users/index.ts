export {
  createUsers,
  ensureUserIn,
  type Principal,
  type SignedIn,
  type UserCreated,
  type UserDeps,
  type Users,
} from './user-of-principal.js';
export { changeUser, createUser } from './change-user.js';
export { deleteUser, type UserAccountDeps, type UserLeaving } from './delete-user.js';
export { changePreferences, readPreferences } from './preferences.js';
export { lockPerson } from './lock-person.js';
export { readUser } from './read-user.js';
export { userRoutes } from './user-routes.js';
