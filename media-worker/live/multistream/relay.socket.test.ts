import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openRelay } from './relay';
import { startRawTarget } from './testing/raw-target';

async function startTarget(onConnection: (socket: Socket) => void = () => undefined) {
  const rawTarget = await startRawTarget(onConnection);
  const far = connect(rawTarget.port, '127.0.0.1');
  far.on('error', () => undefined);
  await once(far, 'connect');
  return { far, close: () => rawTarget.close() };
}

async function connectClient(address: string) {
  const near = connect(Number(address.split(':')[1]), '127.0.0.1');
  near.on('error', () => undefined);
  await once(near, 'connect');
  return near;
}

test('a relay forwards bytes in both directions, including those before the end', async () => {
  let receivedText = '';
  const { far, close } = await startTarget((socket) => {
    socket.on('data', (bytes: Buffer) => {
      receivedText += bytes.toString();
      socket.write(`you said ${bytes.toString()}`);
    });
  });
  const relay = await openRelay(far);
  const near = await connectClient(relay.address);
  await relay.whenConnected;
  near.write('hello');
  expect(String((await once(near, 'data'))[0])).toBe('you said hello');
  near.end(' world');
  await expect.poll(() => receivedText).toBe('hello world');
  expect(relay.lossReason).toBeNull();
  relay.close();
  relay.close();
  await close();
});

test('a relay accepts only the first connection', async () => {
  const { far, close } = await startTarget();
  const relay = await openRelay(far);
  const near = await connectClient(relay.address);
  await relay.whenConnected;
  await expect(connectClient(relay.address)).rejects.toThrow('ECONNREFUSED');
  near.destroy();
  relay.close();
  await close();
});

test.each(['before', 'after'] as const)(
  'a target that disconnects %s a client connects closes the connection of the client',
  async (when) => {
    let server: Socket | undefined;
    const { far, close } = await startTarget((socket) => {
      socket.resume();
      server = socket;
    });
    const relay = await openRelay(far);
    if (when === 'before') {
      server?.resetAndDestroy();
      await expect.poll(() => relay.lossReason).toBe('ECONNRESET');
    }
    const near = await connectClient(relay.address);
    near.resume();
    const over = once(near, 'close');
    if (when === 'after') {
      await relay.whenConnected;
      server?.resetAndDestroy();
    }
    await over;
    expect(relay.lossReason).toBe('ECONNRESET');
    relay.close();
    await close();
  },
);

test('a target that has already disconnected is lost from the start', async () => {
  const { far, close } = await startTarget();
  far.destroy();
  await once(far, 'close');
  expect((await openRelay(far)).lossReason).toBe('closed');
  await close();
});
