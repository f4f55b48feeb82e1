import { z } from 'zod';
import { isSecretHeader } from '@watchpost/shared/secrets/secret-header';
import { mapFromNames } from '../../../platform/http/schemas.js';
import type { IsSecret } from '../../../platform/http/secret-fields.js';
import { headerFaults, MAX_HEADERS, trimHeaderValue } from '@watchpost/shared/header-faults';

type Fields = Readonly<Record<string, unknown>>;

export interface SecretFacts {
  /** By the name of a field. */
  isSecret: IsSecret;
  /** The URL to which they are sent beside that of the request; '' for none. */
  sentTo?(fields: Fields): string;
  /** What is wrong where a kept secret meets other fields. */
  keptFaults?(fields: Fields): { name: string; message: string }[];
}

/** The settings with secrets in them, at any depth, which are sealed, and answered as `***`. */
export const secretSettings = z.registry<SecretFacts>();

/**
 * @param use the beginning of its description
 * @param isSecret decides whether a header is one
 */
export function headersSetting(use: string, example: Record<string, string>, isSecret: IsSecret = isSecretHeader) {
  return mapFromNames(z.string().transform(trimHeaderValue), headerFaults)
    .meta({
      description:
        `${use}, at most ${MAX_HEADERS}. Values of \`Authorization\`, \`Cookie\` and of any name with \`token\`, ` +
        '`secret`, `key`, `auth`, `password`, `session` or `signature` in it are stored encrypted, masked where the site repeats them, and ' +
        'answered as `***`; sent back as `***` they stay as they are. Where `url` changes to another host or port, or from https to http, ' +
        'they must be given again. The map is replaced as a whole.',
      default: {},
      example,
    })
    .register(secretSettings, { isSecret });
}
