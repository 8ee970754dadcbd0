import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Scope } from './scope';

interface Distortion {
  /** Delay in each direction, in milliseconds. */
  readonly delayMs: number;
  /** Fraction of datagrams that are dropped, from 0 to 1. */
  readonly lossRatio: number;
}

/**
 * Starts a relay that forwards datagrams to a port of this machine and back, with delay and losses.
 * @returns the port of the relay
 */
export async function startLossyRelay(
  scope: Scope,
  targetPort: number,
  { delayMs, lossRatio }: Distortion,
): Promise<number> {
  const clientSocket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(clientSocket, 'listening');
  const targetSockets = new Map<number, Socket>();
  const forward = (send: () => void) => {
    if (Math.random() >= lossRatio) setTimeout(send, delayMs);
  };
  const targetSocketOf = (clientPort: number): Socket => {
    const knownSocket = targetSockets.get(clientPort);
    if (knownSocket) return knownSocket;
    const targetSocket = createSocket('udp4');
    targetSocket.on('message', (datagram) =>
      forward(() => clientSocket.send(datagram, clientPort, '127.0.0.1')),
    );
    targetSockets.set(clientPort, targetSocket);
    return targetSocket;
  };
  clientSocket.on('message', (datagram, { port }) =>
    forward(() => targetSocketOf(port).send(datagram, targetPort, '127.0.0.1')),
  );
  scope.defer(() => {
    for (const socket of [clientSocket, ...targetSockets.values()]) socket.close();
  });
  return clientSocket.address().port;
}
