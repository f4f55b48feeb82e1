import { Document, visit } from 'yaml';
import { escapeUnseen, hasUnseen } from './clean-line.js';

/**
 * Writes a value as a YAML 1.2 document. Characters that a terminal obeys instead of showing are escaped, so that the
 * document can be printed and reads back as the same value.
 */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // Of a block of nothing but blanks, the first line would set the indentation and be lost.
      if (typeof node.value === 'string' && (hasUnseen(node.value) || node.value.trim() === ''))
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeUnseen(document.toString({ lineWidth: 0 }));
}
