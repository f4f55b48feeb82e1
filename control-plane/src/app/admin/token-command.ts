import { mintDemoToken } from '../../embedded/provider/mint-demo-token.js';
import type { AdminCommand } from './command.js';
import { openSecretBox } from './open-admin-database.js';

/** Prints the token alone, for `TOKEN=$(npm run --silent admin -- token)`. */
export const tokenCommand: AdminCommand = {
  name: 'token',
  usage: 'token',
  summary: 'Print a fresh access token of the demo account (embedded OpenID provider only).',
  async run({ db, clock, config }) {
    return [await mintDemoToken({ db, clock, secretBox: await openSecretBox(config) })];
  },
};
