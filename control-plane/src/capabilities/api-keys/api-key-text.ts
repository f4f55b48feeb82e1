import { randomInt } from 'node:crypto';
import { hashToken, makeToken } from '../../platform/identity/secret-token.js';

/** What every API key begins with, so that people and scanners recognise one. */
const MARK = 'wpk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const NAME_LENGTH = 12;
const API_KEY = /^(wpk_[0-9A-Za-z]{12})_[0-9A-Za-z_-]{43}$/;

export interface ParsedApiKey {
  /** Names the key, is shown in lists and is no secret: `wpk_` and 12 characters. */
  prefix: string;
  /** SHA-256 of the whole key: what is stored. */
  hash: Buffer;
}

/** Whether a bearer token is meant as an API key, well-formed or not. No JWT begins like that. */
export function looksLikeApiKey(token: string): boolean {
  return token.startsWith(MARK);
}

/** @returns undefined for a text that cannot be an API key */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const prefix = API_KEY.exec(text)?.[1];
  return prefix === undefined ? undefined : { prefix, hash: hashToken(text) };
}

/** A new key with 256 random bits, which is shown once, and what is stored of it. */
export function makeApiKey(): ParsedApiKey & { key: string } {
  const name = Array.from({ length: NAME_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const key = `${MARK}${name}_${makeToken()}`;
  return { key, ...parseApiKey(key)! };
}
