import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { initPath, periodPath, segmentPath } from '@/lib/core/sessions/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import { readStoredRecording } from './stored-recording';

let folder: string;
let storage: StorageDriver;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stored-recording-'));
  storage = openStorage({ dataDir: folder });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sessionId = 'session-1';
const validFacts = JSON.stringify({ rendition: 'source', codecs: ['avc1.42e01f'] });

async function storePeriod(period: string, { facts = validFacts, init = 'init' } = {}) {
  const times = { msn: 0, startMs: 0, durationMs: 2_000, wallClockMs: 1_700_000_000_000, independent: true };
  const files = {
    [initPath('source', period)]: init,
    [periodPath('source', period)]: facts,
    [segmentPath('source', { period, ...times })]: 'media',
  };
  for (const [file, text] of Object.entries(files))
    await storage.put(recordingKey(sessionId, file), Buffer.from(text));
}

test.each([
  ['an empty file of facts', { facts: '' }],
  ['truncated facts', { facts: validFacts.slice(0, -4) }],
  ['malformed facts', { facts: '{"codecs":"avc1"}' }],
  ['an empty init segment', { init: '' }],
])('a period with %s is left out and listed as unreadable; the others are kept', async (_name, files) => {
  await storePeriod('1');
  await storePeriod('2', files);
  const { renditions, periods, unreadable } = await readStoredRecording(storage, sessionId);
  expect(renditions.map(({ segments }) => segments.map(({ period }) => period))).toEqual([['1']]);
  expect([...periods.keys()]).toEqual(['source/1']);
  expect(unreadable).toEqual(['source/2']);
});

test('an error of the storage is thrown, and does not make a period unreadable', async () => {
  await storePeriod('1');
  const read = () => Promise.reject(new Error('EIO'));
  await expect(readStoredRecording({ ...storage, read }, sessionId)).rejects.toThrow('EIO');
});
