import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

/** The yardstick of the REST bench: a Koa application with one empty route. */
const app = new Koa();
app.use((context) => {
  context.body = { ok: true };
});
const answer = app.callback();
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
