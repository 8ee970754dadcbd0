import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach } from 'vitest';

/** Creates functions for tests of HTTP servers. Servers and connections are closed after each test. */
export function setUpHttpServers() {
  const openHandles: (Server | Socket)[] = [];
  afterEach(() => {
    for (const handle of openHandles.splice(0)) {
      if ('closeAllConnections' in handle) {
        handle.close();
        handle.closeAllConnections();
      } else handle.destroy();
    }
  });

  /** Starts a server and returns its port. */
  async function start(server: Server): Promise<number> {
    openHandles.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Sends text on a new connection and returns what the server sent until it closed it. */
  function sendText(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    openHandles.push(socket);
    let receivedText = '';
    socket.on('data', (chunk) => (receivedText += chunk.toString()));
    return new Promise((resolve, reject) => {
      socket.on('close', () => resolve(receivedText));
      socket.on('error', reject);
    });
  }

  return { start, sendText };
}
