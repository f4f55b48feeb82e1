import { readOrMakeEncryptionKeys } from '../db/encryption-key-file.js';
import { createSecretBox, parseEncryptionKeys } from '../db/secret-box.js';
import { mintDemoToken } from '../identity/embedded-provider/mint-demo-token.js';
import type { AdminCommand } from './command.js';

/** Prints the token alone, for `TOKEN=$(npm run --silent admin -- token)`. */
export const tokenCommand: AdminCommand = {
  name: 'token',
  usage: 'token',
  summary: 'Print a fresh access token of the demo account (embedded OpenID provider only).',
  async run({ db, clock, config }) {
    const { encryptionKey, dataDir } = config;
    const keys = encryptionKey === null ? await readOrMakeEncryptionKeys(dataDir) : parseEncryptionKeys(encryptionKey);
    return [await mintDemoToken({ db, clock, secretBox: createSecretBox(keys) })];
  },
};
