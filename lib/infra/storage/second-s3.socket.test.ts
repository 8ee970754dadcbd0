import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openS3Storage } from './s3-driver';
import { describeStorage } from './testing/conformance';
import { startSecondS3Server } from './testing/second-s3-server';

const server = await startSecondS3Server();
const copies = await mkdtemp(join(tmpdir(), 'second-s3-'));
afterAll(() => Promise.all([server.close(), rm(copies, { recursive: true, force: true })]));

// The server rejects requests above 11 MB.
const PART_BYTES = 5 * 1024 ** 2;
describeStorage('another S3', () =>
  Promise.resolve(openS3Storage(server.settings, { copies, partBytes: PART_BYTES })),
);

test('a second S3 implementation rejects a wrong secret', async () => {
  const wrongSecretStorage = openS3Storage({ ...server.settings, secretAccessKey: 'guessed' }, { copies });
  await expect(wrongSecretStorage.head('asset/a')).rejects.toThrow();
});
