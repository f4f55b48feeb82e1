// npm run generate: the TypeScript of the wire contract, from proto/; the document of the database schema.
import './bootstrap/node-version.mjs';
import { bootstrap, say } from './bootstrap/index.mjs';
import { SCHEMA_DOCUMENT, writeSchemaDocument } from './schema-document.mjs';
import { generateInto, GENERATED } from './verify/generated-code.mjs';

await bootstrap([]);
await generateInto(undefined);
say(`Wrote ${GENERATED}.`);
await bootstrap(['control-plane']);
const drift = await writeSchemaDocument();
say(`Wrote ${SCHEMA_DOCUMENT}.`);
if (drift.length > 0) {
  say(`The entities differ from the tables:\n${drift.join('\n')}`);
  process.exitCode = 1;
}
