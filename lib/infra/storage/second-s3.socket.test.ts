import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openS3Storage } from './s3-driver';
import { describeStorageConformance } from './testing/conformance';
import { startSecondS3Server } from './testing/second-s3-server';

const server = await startSecondS3Server();
const temporaryDirectory = await mkdtemp(join(tmpdir(), 'second-s3-'));
afterAll(() => Promise.all([server.close(), rm(temporaryDirectory, { recursive: true, force: true })]));

// The smallest part size of S3. The default would be too large for fauxqs, which rejects requests above 11 MB.
const PART_BYTES = 5 * 1024 ** 2;
describeStorageConformance('S3 on fauxqs', () =>
  Promise.resolve(openS3Storage(server.settings, { copies: temporaryDirectory, partBytes: PART_BYTES })),
);

test('fauxqs answers a request that is signed with a wrong secret with 403', async () => {
  const wrongSecretStorage = openS3Storage(
    { ...server.settings, secretAccessKey: 'guessed' },
    { copies: temporaryDirectory },
  );
  await expect(wrongSecretStorage.head('asset/a')).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  });
});
