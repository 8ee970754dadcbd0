import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SpoolDecision } from '@/lib/core/sessions/recording-spool';
import { segmentPath } from '@/lib/core/sessions/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { openStorage } from '@/lib/infra/storage';
import { Spool } from './spool';
import type { SpoolSessions } from './drain-spool';
import { createDrain } from './testing/store-spool';

const root = mkdtempSync(join(tmpdir(), 'drain-spool-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folderCount = 0;
let folder = '';
let spool: Spool;
let storage: ReturnType<typeof openStorage>;
beforeEach(() => {
  folder = join(root, `${++folderCount}`);
  spool = new Spool(folder);
  storage = openStorage({ dataDir: folder });
});

const segmentFile = (msn: number) =>
  segmentPath('source', {
    period: '1',
    msn,
    startMs: msn * 2_000,
    durationMs: 2_000,
    wallClockMs: 1e12,
    independent: true,
  });
/** A text as several buffers, one of them empty. */
const contentOf = (text: string) => [
  Buffer.from(text.slice(0, 1)),
  Buffer.alloc(0),
  Buffer.from(text.slice(1)),
];
/** Writes an init segment and segments with these numbers to the spool. */
const writeSession = (sessionId: string, ...numbers: readonly number[]) => {
  spool.write(sessionId, { file: 'hls/source/init-1.mp4', content: contentOf('init') });
  for (const msn of numbers)
    spool.write(sessionId, { file: segmentFile(msn), content: contentOf(`segment ${msn}`) });
};
const readStoredText = async (sessionId: string, msn: number): Promise<string | null> => {
  const body = await storage.read(recordingKey(sessionId, segmentFile(msn)));
  return body && Buffer.concat(await body.toArray()).toString();
};
const listSpoolFolders = () => readdirSync(spool.path);

describe('a pass', () => {
  test('stores all files, then allows the recordings to be finished and removes the folders', async () => {
    const release = vi.fn(() => Promise.resolve());
    writeSession('a', 1, 2);
    writeSession('b', 1);
    await createDrain({ spool, storage, sessions: { release } }).runPass();
    expect(
      await Promise.all([readStoredText('a', 1), readStoredText('a', 2), readStoredText('b', 1)]),
    ).toEqual(['segment 1', 'segment 2', 'segment 1']);
    expect(release.mock.calls).toEqual([['a'], ['b']]);
    expect(listSpoolFolders()).toEqual([]);
  });

  test('stores init segments and periods first, then segments in order', async () => {
    writeSession('a', 9, 10, 8);
    const [spoolFolder] = await spool.listFolders();
    if (!spoolFolder) throw new Error('Nothing was spooled');
    expect((await spool.listFiles(spoolFolder)).map(({ file }) => file)).toEqual([
      'hls/source/init-1.mp4',
      ...[8, 9, 10].map(segmentFile),
    ]);
  });

  test('does not finish a recording that still has a writer', async () => {
    const release = vi.fn(() => Promise.resolve());
    const drain = createDrain({ spool, storage, sessions: { release } });
    spool.enter('a');
    writeSession('a', 1);
    await drain.runPass();
    expect(await readStoredText('a', 1)).toBe('segment 1');
    expect(release).not.toHaveBeenCalled();
    spool.leave('a');
    await drain.runPass();
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('asks the database about a session at most every 10 s', async () => {
    const time = { ms: 0 };
    const clock = { now: () => new Date(), monotonic: () => time.ms };
    const hold = vi.fn(() => Promise.resolve<SpoolDecision>('store'));
    const drain = createDrain({ spool, storage, sessions: { hold }, clock });
    spool.enter('a');
    for (const [monotonicMs, expectedCalls] of [
      [0, 1],
      [9_000, 1],
      [11_000, 2],
    ] as const) {
      time.ms = monotonicMs;
      // The time serves as the number of the segment.
      writeSession('a', monotonicMs);
      await drain.runPass();
      expect(hold).toHaveBeenCalledTimes(expectedCalls);
    }
  });

  test('stores nothing of a session without a recording before the database allows it', async () => {
    let isMarked = false;
    const sessions = {
      hold: () => Promise.resolve<SpoolDecision>('mark-for-dvr'),
      markForDvr: () => Promise.resolve(isMarked),
    };
    const drain = createDrain({ spool, storage, sessions });
    spool.enter('a');
    writeSession('a', 1);
    await drain.runPass();
    expect(await storage.head(recordingKey('a', 'hls/source/init-1.mp4'))).toBeNull();
    isMarked = true;
    await drain.runPass();
    expect(await readStoredText('a', 1)).toBe('segment 1');
  });

  test('leaves recent folders to the live process', async () => {
    const time = { ms: Date.now() };
    const clock = { now: () => new Date(time.ms), monotonic: () => time.ms };
    const drain = createDrain({ spool, storage, clock, quietMs: 30_000 });
    writeSession('a', 1);
    await drain.runPass();
    expect(await readStoredText('a', 1)).toBeNull();
    time.ms += 40_000;
    await drain.runPass();
    expect(await readStoredText('a', 1)).toBe('segment 1');
  });
});

describe('faults', () => {
  test('a file that could not be stored stays in the spool and is stored later', async () => {
    let isStorageDown = true;
    const putFile = (key: string, path: string) =>
      isStorageDown ? Promise.reject(new Error('storage down')) : storage.putFile(key, path);
    const release = vi.fn(() => Promise.resolve());
    const drain = createDrain({ spool, storage: { ...storage, putFile }, sessions: { release } });
    writeSession('a', 1, 2, 3);
    await expect(drain.runPass()).rejects.toThrow('storage down');
    expect(release).not.toHaveBeenCalled();
    isStorageDown = false;
    await drain.runPass();
    expect(await Promise.all([1, 2, 3].map((msn) => readStoredText('a', msn)))).not.toContain(null);
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('without the database nothing is stored, and nothing is lost', async () => {
    const hold = () => Promise.reject(new Error('no database'));
    writeSession('a', 1);
    await expect(createDrain({ spool, storage, sessions: { hold } }).runPass()).rejects.toThrow(
      'no database',
    );
    expect(await readStoredText('a', 1)).toBeNull();
    await createDrain({ spool, storage }).runPass();
    expect(await readStoredText('a', 1)).toBe('segment 1');
  });

  test('files that a power failure truncated or a kill left partial are left out', async () => {
    writeSession('a', 1, 2);
    const names = readdirSync(join(spool.path, 'a'));
    truncateSync(join(spool.path, 'a', names.find((name) => name.includes('_2_')) ?? ''), 3);
    writeFileSync(join(spool.path, 'a', '.part-live.hls~source~x.m4s~9'), 'half');
    await createDrain({ spool, storage }).runPass();
    expect([await readStoredText('a', 1), await readStoredText('a', 2)]).toEqual(['segment 1', null]);
    expect(listSpoolFolders()).toEqual([]);
  });

  test('folders that another live process of this machine is writing to are left to it', async () => {
    const otherSpool = new Spool(folder, 'live-2');
    otherSpool.enter('b');
    otherSpool.write('b', { file: segmentFile(1), content: contentOf('segment 1') });
    spool.enter('a');
    writeSession('a', 1);
    spool.leave('a');
    const options = { sessions: {}, quietMs: 60_000 };
    await createDrain({ spool, storage, ...options }).runPass();
    expect([await readStoredText('a', 1), await readStoredText('b', 1)]).toEqual(['segment 1', null]);
    expect(listSpoolFolders()).toEqual(['b']);
    writeFileSync(join(spool.path, 'b', '.part-live-2.hls~source~x.m4s~9'), 'half');
    await createDrain({ spool, storage }).runPass();
    expect(await readStoredText('b', 1)).toBe('segment 1');
    expect(readdirSync(join(spool.path, 'b'))).toEqual(['.part-live-2.hls~source~x.m4s~9']);
    otherSpool.leave('b');
    await createDrain({ spool: otherSpool, storage, ...options }).runPass();
    expect(listSpoolFolders()).toEqual([]);
  });

  test('two processes that drain the same spool store every file and leave no partial files', async () => {
    writeSession('a', ...Array.from({ length: 30 }, (_, index) => index));
    await Promise.all([createDrain({ spool, storage }).runPass(), createDrain({ spool, storage }).runPass()]);
    for (let msn = 0; msn < 30; msn++) expect(await readStoredText('a', msn)).toBe(`segment ${msn}`);
    expect(readdirSync(join(folder, 'storage', 'parts', 'others'))).toEqual([]);
  });
});

describe('segments that arrived after their recording was finished', () => {
  /** Decides that the segments of the session with this id are late. */
  const lateOnlyFor = (id: string) => (sessionId: string) =>
    Promise.resolve<SpoolDecision>(sessionId === id ? 'move' : 'store');

  test('get copies of their init segments in their new session', async () => {
    const init = 'hls/source/init-1.mp4';
    await storage.put(recordingKey('a', init), Buffer.from('init'));
    const startLate = vi.fn<SpoolSessions['startLate']>(() => Promise.resolve(true));
    const drain = createDrain({ spool, storage, sessions: { hold: lateOnlyFor('a'), startLate } });
    spool.write('a', { file: segmentFile(1), content: contentOf('segment 1') });
    await drain.runPass();
    await drain.runPass();
    const [lateSession] = startLate.mock.calls[0] ?? [];
    expect((await storage.head(recordingKey(lateSession?.sessionId ?? '', init)))?.bytes).toBe(4);
  });

  test('get a session of their own', async () => {
    const startLate = vi.fn<SpoolSessions['startLate']>(() => Promise.resolve(true));
    const drain = createDrain({ spool, storage, sessions: { hold: lateOnlyFor('a'), startLate } });
    writeSession('a', 1, 2);
    await drain.runPass();
    await drain.runPass();
    const [lateSession] = startLate.mock.calls[0] ?? [];
    expect(lateSession).toMatchObject({ lateOf: 'a', segments: [{ msn: 1 }, { msn: 2 }] });
    expect(await readStoredText(lateSession?.sessionId ?? '', 2)).toBe('segment 2');
    expect(await readStoredText('a', 2)).toBeNull();
    expect(listSpoolFolders()).toEqual([]);
  });

  test('go to the session in which their publish continued', async () => {
    const startLate = vi.fn<SpoolSessions['startLate']>(() => Promise.resolve(true));
    const drain = createDrain({ spool, storage, sessions: { hold: lateOnlyFor('a'), startLate } });
    spool.enter('a');
    writeSession('a', 1, 2);
    await drain.runPass();
    expect(listSpoolFolders()).toEqual(['a']);
    spool.setSuccessor('a', 'b');
    spool.enter('b');
    spool.leave('a');
    writeSession('b', 3);
    await drain.runPass();
    await drain.runPass();
    expect(await Promise.all([1, 2, 3].map((msn) => readStoredText('b', msn)))).not.toContain(null);
    expect(startLate).not.toHaveBeenCalled();
  });

  test('are deleted if no session needs them', async () => {
    writeSession('a', 1);
    await createDrain({ spool, storage, sessions: { hold: () => Promise.resolve('delete') } }).runPass();
    expect(listSpoolFolders()).toEqual([]);
    writeSession('b', 1);
    const rejectingDrain = createDrain({
      spool,
      storage,
      sessions: { hold: lateOnlyFor('b'), startLate: () => Promise.resolve(false) },
    });
    await rejectingDrain.runPass();
    await rejectingDrain.runPass();
    expect(listSpoolFolders()).toEqual([]);
  });
});
