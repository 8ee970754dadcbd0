import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Wall clock in milliseconds. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Resolves when `count` requests have arrived, immediately if they already have. */
  readonly arrived: (count: number) => Promise<void>;
  close(): Promise<void>;
}

export type Answer = (request: Received, response: ServerResponse) => void;

const ok: Answer = (_request, response) => response.end('ok');

/** Starts a remote server on loopback that records requests and responds as configured. */
export async function startReceiver(
  answer: Answer = ok,
  host = '127.0.0.1',
  expected = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const receivedRequest = {
        method,
        url,
        headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      };
      received.push(receivedRequest);
      for (const check of waiting) check();
      answer(receivedRequest, response);
    });
  };
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(expected, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    received,
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
