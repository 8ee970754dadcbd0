import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openS3Client } from '../s3-client';
import { startS3Server } from './s3-server';

const Bucket = 'headwater';
let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 's3-kept-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('objects exist after a restart in the same directory', async () => {
  const firstServer = await startS3Server(Bucket, { directory, port: 0 });
  const client = openS3Client(firstServer.settings);
  await client.send(new PutObjectCommand({ Bucket, Key: 'a/b.txt', Body: 'kept' }));
  client.destroy();
  await firstServer.close();
  const secondServer = await startS3Server(Bucket, { directory, port: 0 });
  const secondClient = openS3Client(secondServer.settings);
  const { Body } = await secondClient.send(new GetObjectCommand({ Bucket, Key: 'a/b.txt' }));
  expect(await Body?.transformToString()).toBe('kept');
  secondClient.destroy();
  await secondServer.close();
});

test('an object whose sender disconnects is not stored, and a later object is the only one listed', async () => {
  const server = await startS3Server(Bucket, { directory, port: 0 });
  const client = openS3Client(server.settings);
  const abort = new AbortController();
  const sendFirstHalf = async function* () {
    yield Buffer.alloc(1_000_000);
    // The request stays open until it is aborted.
    await once(abort.signal, 'abort');
  };
  const Body = Readable.from(sendFirstHalf());
  const command = new PutObjectCommand({ Bucket, Key: 'a/half.bin', Body, ContentLength: 2_000_000 });
  const uploadResult = client.send(command, { abortSignal: abort.signal }).catch((error: unknown) => error);
  const isFileOnDisk = async () =>
    (await readdir(directory, { recursive: true })).some((file) => file.includes('half.bin'));
  await expect.poll(isFileOnDisk).toBe(true);
  abort.abort();
  expect(await uploadResult).toBeInstanceOf(Error);
  await expect.poll(isFileOnDisk).toBe(false);
  await client.send(new PutObjectCommand({ Bucket, Key: 'a/whole.bin', Body: Buffer.alloc(10) }));
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }));
  expect(Contents?.map(({ Key }) => Key)).toEqual(['a/whole.bin']);
  client.destroy();
  await server.close();
});

test('lists do not fail while other requests replace the listed objects', async () => {
  const server = await startS3Server(Bucket, { directory, port: 0 });
  const client = openS3Client(server.settings);
  const stop = new AbortController();
  const overwriteUntilStopped = async (Key: string) => {
    while (!stop.signal.aborted) await client.send(new PutObjectCommand({ Bucket, Key, Body: 'text' }));
  };
  const writers = Array.from({ length: 8 }, (_, index) => overwriteUntilStopped(`a/${index}.txt`));
  for (let listCount = 0; listCount < 60; listCount += 1)
    await client.send(new ListObjectsV2Command({ Bucket }));
  stop.abort();
  await Promise.all(writers);
  client.destroy();
  await server.close();
});
