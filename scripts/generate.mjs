// npm run generate: generates the TypeScript of the wire contract from proto/, the lists of entities and migrations, and the
// document of the database schema. With "-- migration <name>", a migration from what the entities state beyond that.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './bootstrap/node-version.mjs';
import { bootstrap, printMessage } from './bootstrap/index.mjs';
import { SCHEMA_DOCUMENT, SCHEMA_LISTS, writeMigration, writeSchemaDocument, writeSchemaLists } from './schema.mjs';
import { generateInto, GENERATED } from './verify/generated-code.mjs';

const [what, name] = process.argv.slice(2);
if (what !== undefined && !(what === 'migration' && /^[a-z][a-z0-9-]*$/.test(name ?? ''))) {
  printMessage('Usage: npm run generate [-- migration <name>], with a name such as "monitor-tags"');
  process.exit(2);
}
await bootstrap([]);
await generateInto(undefined);
printMessage(`Wrote ${GENERATED}.`);
await writeSchemaLists();
await bootstrap(['control-plane']);
const difference = await writeSchemaDocument();
printMessage(`Wrote ${SCHEMA_LISTS} and ${SCHEMA_DOCUMENT}.`);
if (what === 'migration') {
  printMessage(`Wrote ${await writeMigration(name, difference)}. Review it.`);
  // The modules of this process are those without the migration.
  process.exitCode = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'inherit' }).status ?? 1;
} else if (difference.length > 0) {
  printMessage(`The entities state what no migration does:\n${difference.join(';\n')}`);
  process.exitCode = 1;
}
