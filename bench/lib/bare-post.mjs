import { createServer } from 'node:http';

/**
 * A bare server that reads the body of each request and responds with 204: the lowest cost of an HTTP server in Node.
 */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(Number(process.argv[2]), '127.0.0.1');
