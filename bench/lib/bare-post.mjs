import { createServer } from 'node:http';

/** A minimal server that reads the body of each request and responds with 204, as a lower bound for the cost of a request. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(Number(process.argv[2]), '127.0.0.1');
