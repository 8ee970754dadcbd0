import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { createSendingBus, startPush } from './testing/start-push';

test('a push that is stopped while it connects ends immediately, and a later connection is closed', async () => {
  let connect = (_socket: Socket): void => undefined;
  const { push, renditions, reports, countAttempts } = startPush('rtmp://media.example/live/key', 'source', {
    ...openEgressSockets({ allowCidrs: [] }),
    connect: () => new Promise((resolve) => (connect = resolve)),
  });
  renditions.source.startPublish(createSendingBus());
  await expect.poll(countAttempts).toBe(1);
  await push.stop();
  expect(reports.at(-1)).toMatchObject({ state: 'disconnected' });
  const socket = new Socket();
  connect(socket);
  await expect.poll(() => socket.destroyed).toBe(true);
});
