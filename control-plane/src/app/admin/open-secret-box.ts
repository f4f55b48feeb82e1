import type { AdminConfig } from '../../config/config.js';
import { readOrMakeEncryptionKeys } from '../../platform/db/encryption-key-file.js';
import { createSecretBox, parseEncryptionKeys, type SecretBox } from '../../platform/db/secret-box.js';

/** Under ENCRYPTION_KEY, or the key in the file under DATA_DIR, as the service does. */
export async function openSecretBox({ encryptionKey, dataDir }: AdminConfig): Promise<SecretBox> {
  return createSecretBox(
    encryptionKey === null ? await readOrMakeEncryptionKeys(dataDir) : parseEncryptionKeys(encryptionKey),
  );
}
