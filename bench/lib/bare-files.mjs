/**
 * A minimal Node server that sends files from memory, as a lower bound for the cost of every Node server: Node has no
 * `sendfile`, so each byte is copied once into the socket.
 *
 * node bare-files.mjs <folder> <port>
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [, , folder = '', port = ''] = process.argv;
const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(join(folder, name))]));

createServer(({ url = '' }, response) => {
  const body = files.get(url) ?? Buffer.alloc(0);
  response.writeHead(200, { 'Content-Type': 'video/iso.segment', 'Content-Length': body.length });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
