import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Scope } from './scope';

interface Distortion {
  /** Delay in each direction, in milliseconds. */
  readonly delayMs: number;
  /** Share of datagrams that are dropped, 0 to 1. */
  readonly loss: number;
}

/**
 * Relays datagrams to a port of this machine and back, delayed and with losses.
 * @returns the port of the relay
 */
export async function startLossyRelay(
  scope: Scope,
  target: number,
  { delayMs, loss }: Distortion,
): Promise<number> {
  const front = createSocket('udp4').bind(0, '127.0.0.1');
  await once(front, 'listening');
  const backs = new Map<number, Socket>();
  const pass = (send: () => void) => {
    if (Math.random() >= loss) setTimeout(send, delayMs);
  };
  const backOf = (client: number): Socket => {
    const existingSocket = backs.get(client);
    if (existingSocket) return existingSocket;
    const replySocket = createSocket('udp4');
    replySocket.on('message', (datagram) => pass(() => front.send(datagram, client, '127.0.0.1')));
    backs.set(client, replySocket);
    return replySocket;
  };
  front.on('message', (datagram, { port }) => pass(() => backOf(port).send(datagram, target, '127.0.0.1')));
  scope.defer(() => {
    for (const socket of [front, ...backs.values()]) socket.close();
  });
  return front.address().port;
}
