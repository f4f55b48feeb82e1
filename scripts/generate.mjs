// npm run generate: generates the TypeScript of the wire contract from proto/, and the document of the database schema.
import './bootstrap/node-version.mjs';
import { bootstrap, printMessage } from './bootstrap/index.mjs';
import { SCHEMA_DOCUMENT, writeSchemaDocument } from './schema-document.mjs';
import { generateInto, GENERATED } from './verify/generated-code.mjs';

await bootstrap([]);
await generateInto(undefined);
printMessage(`Wrote ${GENERATED}.`);
await bootstrap(['control-plane']);
const drift = await writeSchemaDocument();
printMessage(`Wrote ${SCHEMA_DOCUMENT}.`);
if (drift.length > 0) {
  printMessage(`The entities differ from the tables:\n${drift.join('\n')}`);
  process.exitCode = 1;
}
