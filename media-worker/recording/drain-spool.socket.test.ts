import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { openStorage } from '@/lib/infra/storage';
import { startS3Server } from '@/lib/infra/storage/testing/s3-server';
import { createLogger } from '@/lib/infra/logger';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { createRecorder } from './recorder';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { makeRecording } from './make-recording';
import { Spool } from './spool';
import { createDrain } from './testing/store-spool';

const folder = await mkdtemp(join(tmpdir(), 'frozen-s3-'));
const s3 = await startS3Server();
const sockets = new Set<Socket>();
let frozen = false;

/**
 * A proxy in front of the server. While frozen, it accepts connections and bytes but forwards nothing, like a stopped
 * process.
 */
const proxy = createServer((clientSocket) => {
  const serverSocket = connect(Number(new URL(s3.settings.endpoint ?? '').port), '127.0.0.1');
  for (const [sender, receiver] of [
    [clientSocket, serverSocket],
    [serverSocket, clientSocket],
  ] as const) {
    sockets.add(sender);
    sender.on('error', () => receiver.destroy());
    sender.on('close', () => {
      sockets.delete(sender);
      receiver.destroy();
    });
    sender.on('data', (bytes) => receiver.write(bytes));
  }
  if (frozen) setFrozen(true);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

function setFrozen(value: boolean): void {
  frozen = value;
  for (const socket of sockets)
    if (value) socket.pause();
    else socket.resume();
}

test('while the S3 server is frozen, recording continues; every segment is stored when the server responds again', async () => {
  const { port } = proxy.address() as AddressInfo;
  const settings = { ...s3.settings, endpoint: `http://127.0.0.1:${port}` };
  const storage = openStorage({ dataDir: folder, s3: settings });
  const spool = new Spool(folder);
  const packaging = new Packaging();
  const recorder = createRecorder({
    spool,
    readFreeBytes: () => Promise.resolve(1),
    statusWriter: { reportFailure: (_id, reason) => Promise.reject(new Error(reason)) },
  })({
    streamId: 'stream',
    renditions: packaging.renditions,
    log: createLogger('test', 'silent'),
    report: () => undefined,
  });
  const publish: AuthorizedPublish = {
    streamId: 'stream',
    playbackId: 'abcd1234efgh5678',
    sessionId: 'session',
    publishNumber: 1,
    publishedAt: new Date(0),
    settings: { version: 0, profiles: [], record: true },
  };
  const drain = createDrain({ spool, storage });
  const packets = [videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 20_000 })];
  const halfIndex = Math.floor(packets.length / 2);

  recorder.follow(publish);
  const packager = packaging.begin(packets.slice(0, halfIndex));
  await drain.runPass();
  setFrozen(true);
  packaging.push(packager, packets.slice(halfIndex));
  packager.finish();
  await recorder.close();
  const stuckPass = drain.runPass();
  await expect.poll(() => sockets.size).toBeGreaterThan(0);
  expect((await spool.listFolders()).map(({ name }) => name)).toEqual(['session']);
  setFrozen(false);
  await stuckPass;
  await expect
    .poll(async () => {
      await drain.runPass();
      return spool.listFolders();
    })
    .toEqual([]);

  const storedNames: string[] = [];
  for await (const { key } of storage.list(recordingPrefix('session')))
    if (key.endsWith('.m4s')) storedNames.push(key);
  expect(storedNames).toHaveLength(packaging.segments.length);
  await makeRecording('session', { storage, signal: AbortSignal.timeout(60_000) });
  const playlist = await storage.read(`${recordingPrefix('session')}hls/source/index.m3u8`);
  const text = Buffer.concat((await playlist?.toArray()) ?? []).toString();
  expect(text.match(/#EXTINF/g)).toHaveLength(packaging.segments.length);
});
