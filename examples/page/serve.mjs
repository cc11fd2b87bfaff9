// Serves the page at http://localhost:8080, its TypeScript as JavaScript. usage: node serve.mjs
// [PORT]
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const read = (name) => readFileSync(join(import.meta.dirname, name), 'utf8');
const pages = {
  '/': ['text/html; charset=utf-8', () => read('index.html')],
  '/till.ts': ['text/javascript; charset=utf-8', () => stripTypeScriptTypes(read('till.ts'))],
};
const server = createServer(({ url }, response) => {
  const [type, content] = pages[url] ?? ['text/plain', () => 'Not found'];
  response.writeHead(url in pages ? 200 : 404, { 'content-type': type }).end(content());
});
server.listen(Number(process.argv[2] ?? 8080), 'localhost', () =>
  console.log(`Open http://localhost:${server.address().port}/`),
);
