// npm run generate: the TypeScript of the wire contract, from proto/.
import './bootstrap/node-version.mjs';
import { bootstrap, say } from './bootstrap/index.mjs';
import { generateInto, GENERATED } from './verify/generated-code.mjs';

await bootstrap([]);
await generateInto(undefined);
say(`Wrote ${GENERATED}.`);
