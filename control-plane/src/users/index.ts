export {
  createUsers,
  ensureUserIn,
  type Principal,
  type UserCreated,
  type UserDeps,
  type Users,
} from './user-of-principal.js';
export { userRoutes } from './user-routes.js';
