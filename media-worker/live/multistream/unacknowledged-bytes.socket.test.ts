import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSendQueue, readUnacknowledgedBytes } from './unacknowledged-bytes';

/** Contents of /proc/net/tcp. */
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:07BE 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:C350 0200007F:07BE 01 00012F10:00000000 01:00000015 00000000     0        0 2 1 0 20 4 30 10 -1
`;

describe('the queue of a connection', () => {
  test.each([
    [50_000, 1_982, 0x12f10],
    [50_000, 1_983, null],
    [1_982, 50_000, null],
  ])('from port %i to port %i is read from the table', (localPort, remotePort, bytes) => {
    expect(readSendQueue(table, { localPort, remotePort })).toBe(bytes);
  });

  test.each([
    ['127.0.0.1', false],
    ['::1', true],
  ] as const)('to %s grows while the other end does not read', async (address, isIPv6) => {
    const server = createServer((socket: Socket) => socket.pause());
    onTestFinished(() => void server.close());
    server.listen(0, address);
    await once(server, 'listening');
    const { port: remotePort } = server.address() as AddressInfo;
    const socket = connect(remotePort, address);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    const localPort = socket.localPort ?? 0;
    const read = () => readUnacknowledgedBytes({ localPort, remotePort, isIPv6 });
    expect(await read()).toBe(0);
    // More than the socket buffers of any machine.
    socket.write(Buffer.alloc(64 * 1_024 * 1_024));
    await expect.poll(read, { interval: 200 }).toBeGreaterThan(0);
  });
});
