import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { AudioFiles } from './audio-files';

type AudioContext = ConstructorParameters<typeof AudioFiles>[0];

const dataDir = mkdtempSync(join(tmpdir(), 'audio-files-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const filesId = '3c9f2f0e-8f4b-4a40-9a53-0a0b1f1d2c3e';
const asset = { assetId: filesId, filesId, videoKey: 'video.mp4' } as Parameters<AudioFiles['findKey']>[0];

test('if ffmpeg leaves an empty file, as it does on a full disk, the audio is not ready and nothing is stored', async () => {
  const storedKeys: string[] = [];
  const ctx = {
    settings: { dataDir, slot: 1 },
    log: createLogger('test', 'silent'),
    storage: {
      head: () => Promise.resolve(null),
      // Takes the place of the copy with ffmpeg.
      withFile: () => {
        writeFileSync(join(dataDir, 'scratch', 'origin-audio-1', `${filesId}.m4a`), '');
        return Promise.resolve();
      },
      putFile: (key: string) => Promise.resolve(void storedKeys.push(key)),
    },
  } as unknown as AudioContext;
  const audioFiles = new AudioFiles(ctx);
  expect(await audioFiles.findKey(asset)).toBeNull();
  expect(storedKeys).toEqual([]);
  await audioFiles.close();
});
