import { createServer } from 'node:http';

/** A bare server that reads the body of each request and answers 204: the least that an HTTP server in Node costs. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(Number(process.argv[2]), '127.0.0.1');
