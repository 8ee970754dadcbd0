import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Arrival time of the whole request, in Unix milliseconds. */
  readonly receivedAt: number;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedRequest[];
  /** Resolves when `count` requests have arrived, immediately if they already have. */
  readonly waitForRequests: (count: number) => Promise<void>;
  close(): Promise<void>;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

const respondOk: Answer = (_request, response) => response.end('ok');

/**
 * Starts a server on loopback that records its requests.
 * @param answer responds to each request; by default with `ok`
 * @param requestedPort port of the server; by default any free port
 */
export async function startReceiver(
  answer: Answer = respondOk,
  host = '127.0.0.1',
  requestedPort = 0,
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const waitingChecks = new Set<() => void>();
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
        receivedAt: Date.now(),
      };
      received.push(receivedRequest);
      for (const check of waitingChecks) check();
      answer(receivedRequest, response);
    });
  };
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(requestedPort, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    received,
    waitForRequests: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waitingChecks.delete(check);
          resolve();
        };
        waitingChecks.add(check);
        check();
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
