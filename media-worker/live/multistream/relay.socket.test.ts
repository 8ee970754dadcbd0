import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openRelay } from './relay';
import { startRawTarget } from './testing/raw-target';

async function startTarget(onConnection: (socket: Socket) => void = () => undefined) {
  const rawTarget = await startRawTarget(onConnection);
  const targetSocket = connect(rawTarget.port, '127.0.0.1');
  targetSocket.on('error', () => undefined);
  await once(targetSocket, 'connect');
  return { targetSocket, close: () => rawTarget.close() };
}

async function connectClient(address: string) {
  const client = connect(Number(address.split(':')[1]), '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'connect');
  return client;
}

test('a relay forwards bytes in both directions, including those that are written right before the end', async () => {
  let receivedText = '';
  const { targetSocket, close } = await startTarget((socket) => {
    socket.on('data', (bytes: Buffer) => {
      receivedText += bytes.toString();
      socket.write(`you said ${bytes.toString()}`);
    });
  });
  const relay = await openRelay(targetSocket);
  const client = await connectClient(relay.address);
  await relay.whenConnected;
  client.write('hello');
  expect(String((await once(client, 'data'))[0])).toBe('you said hello');
  client.end(' world');
  await expect.poll(() => receivedText).toBe('hello world');
  expect(relay.lossReason).toBeNull();
  relay.close();
  relay.close();
  await close();
});

test('a relay accepts only the first connection', async () => {
  const { targetSocket, close } = await startTarget();
  const relay = await openRelay(targetSocket);
  const client = await connectClient(relay.address);
  await relay.whenConnected;
  await expect(connectClient(relay.address)).rejects.toThrow('ECONNREFUSED');
  client.destroy();
  relay.close();
  await close();
});

test.each(['before', 'after'] as const)(
  'a target that disconnects %s a client connects closes the connection of the client',
  async (when) => {
    let acceptedSocket: Socket | undefined;
    const { targetSocket, close } = await startTarget((socket) => {
      socket.resume();
      acceptedSocket = socket;
    });
    const relay = await openRelay(targetSocket);
    if (when === 'before') {
      acceptedSocket?.resetAndDestroy();
      await expect.poll(() => relay.lossReason).toBe('ECONNRESET');
    }
    const client = await connectClient(relay.address);
    client.resume();
    const closed = once(client, 'close');
    if (when === 'after') {
      await relay.whenConnected;
      acceptedSocket?.resetAndDestroy();
    }
    await closed;
    expect(relay.lossReason).toBe('ECONNRESET');
    relay.close();
    await close();
  },
);

test('a relay of a connection that is already closed reports the loss at once', async () => {
  const { targetSocket, close } = await startTarget();
  targetSocket.destroy();
  await once(targetSocket, 'close');
  expect((await openRelay(targetSocket)).lossReason).toBe('closed');
  await close();
});
