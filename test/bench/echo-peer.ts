/**
 * The other end of the bare floors, a process of its own as the daemon is: it sends back what it
 * gets, and answers requests with nothing.
 */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

const page = '<!doctype html><title>empty</title><p>.</p>';
const echo = createServer(
  { noDelay: true },
  (socket) => void socket.on('error', () => {}).pipe(socket),
).listen(0, '127.0.0.1');
const http = createHttpServer((request, response) => {
  if (request.url === '/page') response.setHeader('content-type', 'text/html').end(page);
  else response.writeHead(204).end();
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ echo: (echo.address() as AddressInfo).port, http: (http.address() as AddressInfo).port })}\n`,
  );
});
