export const MIB = 1_024 * 1_024;
/** MiB of a document as text, which the service reads: reading YAML costs many times as much as reading JSON. */
export const MOST_TEXT_MIB = 1;
/** MiB of a request with a document as an object, and so of all files that the command line reads together. */
export const MOST_DOCUMENT_MIB = 4;
