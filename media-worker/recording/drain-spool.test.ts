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
let count = 0;
let folder = '';
let spool: Spool;
let storage: ReturnType<typeof openStorage>;
beforeEach(() => {
  folder = join(root, `${++count}`);
  spool = new Spool(folder);
  storage = openStorage({ dataDir: folder });
});

const segment = (msn: number) =>
  segmentPath('source', {
    period: '1',
    msn,
    startMs: msn * 2_000,
    durationMs: 2_000,
    wallClockMs: 1e12,
    independent: true,
  });
const body = (text: string) => [Buffer.from(text.slice(0, 1)), Buffer.alloc(0), Buffer.from(text.slice(1))];
const write = (sessionId: string, ...numbers: readonly number[]) => {
  spool.write(sessionId, { file: 'hls/source/init-1.mp4', body: body('init') });
  for (const msn of numbers) spool.write(sessionId, { file: segment(msn), body: body(`segment ${msn}`) });
};
const storedText = async (sessionId: string, msn: number): Promise<string | null> => {
  const body = await storage.read(recordingKey(sessionId, segment(msn)));
  return body && Buffer.concat(await body.toArray()).toString();
};
const folders = () => readdirSync(spool.path);

describe('a pass', () => {
  test('stores all files, then allows the recording to be finished and removes its folder', async () => {
    const release = vi.fn(() => Promise.resolve());
    write('a', 1, 2);
    write('b', 1);
    await createDrain({ spool, storage, sessions: { release } }).pass();
    expect(await Promise.all([storedText('a', 1), storedText('a', 2), storedText('b', 1)])).toEqual([
      'segment 1',
      'segment 2',
      'segment 1',
    ]);
    expect(release.mock.calls).toEqual([['a'], ['b']]);
    expect(folders()).toEqual([]);
  });

  test('stores init segments and periods first, then segments in order', async () => {
    write('a', 9, 10, 8);
    const [spoolFolder] = await spool.listFolders();
    if (!spoolFolder) throw new Error('Nothing was spooled');
    expect((await spool.listFiles(spoolFolder)).map(({ file }) => file)).toEqual([
      'hls/source/init-1.mp4',
      ...[8, 9, 10].map(segment),
    ]);
  });

  test('does not finish a recording that still has a writer', async () => {
    const release = vi.fn(() => Promise.resolve());
    const drain = createDrain({ spool, storage, sessions: { release } });
    spool.enter('a');
    write('a', 1);
    await drain.pass();
    expect(await storedText('a', 1)).toBe('segment 1');
    expect(release).not.toHaveBeenCalled();
    spool.leave('a');
    await drain.pass();
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('asks the database about a session at most every 10 s', async () => {
    const time = { ms: 0 };
    const clock = { now: () => new Date(), monotonic: () => time.ms };
    const hold = vi.fn(() => Promise.resolve<SpoolDecision>('store'));
    const drain = createDrain({ spool, storage, sessions: { hold }, clock });
    spool.enter('a');
    for (const [at, expectedPasses] of [
      [0, 1],
      [9_000, 1],
      [11_000, 2],
    ] as const) {
      time.ms = at;
      write('a', at);
      await drain.pass();
      expect(hold).toHaveBeenCalledTimes(expectedPasses);
    }
  });

  test('stores nothing of a session without a recording before the database allows it', async () => {
    let isMarked = false;
    const sessions = {
      hold: () => Promise.resolve<SpoolDecision>('unmarked'),
      markForDvr: () => Promise.resolve(isMarked),
    };
    const drain = createDrain({ spool, storage, sessions });
    spool.enter('a');
    write('a', 1);
    await drain.pass();
    expect(await storage.head(recordingKey('a', 'hls/source/init-1.mp4'))).toBeNull();
    isMarked = true;
    await drain.pass();
    expect(await storedText('a', 1)).toBe('segment 1');
  });

  test('leaves recent folders to the live process', async () => {
    const time = { ms: Date.now() };
    const clock = { now: () => new Date(time.ms), monotonic: () => time.ms };
    const drain = createDrain({ spool, storage, clock, quietMs: 30_000 });
    write('a', 1);
    await drain.pass();
    expect(await storedText('a', 1)).toBeNull();
    time.ms += 40_000;
    await drain.pass();
    expect(await storedText('a', 1)).toBe('segment 1');
  });
});

describe('faults', () => {
  test('a file that could not be stored stays in the spool and is stored later', async () => {
    let isStorageDown = true;
    const putFile = (key: string, path: string) =>
      isStorageDown ? Promise.reject(new Error('storage down')) : storage.putFile(key, path);
    const release = vi.fn(() => Promise.resolve());
    const drain = createDrain({ spool, storage: { ...storage, putFile }, sessions: { release } });
    write('a', 1, 2, 3);
    await expect(drain.pass()).rejects.toThrow('storage down');
    expect(release).not.toHaveBeenCalled();
    isStorageDown = false;
    await drain.pass();
    expect(await Promise.all([1, 2, 3].map((msn) => storedText('a', msn)))).not.toContain(null);
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('without the database nothing is stored, and nothing is lost', async () => {
    const hold = () => Promise.reject(new Error('no database'));
    write('a', 1);
    await expect(createDrain({ spool, storage, sessions: { hold } }).pass()).rejects.toThrow('no database');
    expect(await storedText('a', 1)).toBeNull();
    await createDrain({ spool, storage }).pass();
    expect(await storedText('a', 1)).toBe('segment 1');
  });

  test('files that a power failure truncated or a kill left partial are left out', async () => {
    write('a', 1, 2);
    const names = readdirSync(join(spool.path, 'a'));
    truncateSync(join(spool.path, 'a', names.find((name) => name.includes('_2_')) ?? ''), 3);
    writeFileSync(join(spool.path, 'a', '.part-live.hls~source~x.m4s~9'), 'half');
    await createDrain({ spool, storage }).pass();
    expect([await storedText('a', 1), await storedText('a', 2)]).toEqual(['segment 1', null]);
    expect(folders()).toEqual([]);
  });

  test('folders that another live process of this machine is writing to are left to it', async () => {
    const otherSpool = new Spool(folder, 'live-2');
    otherSpool.enter('b');
    otherSpool.write('b', { file: segment(1), body: body('segment 1') });
    spool.enter('a');
    write('a', 1);
    spool.leave('a');
    const options = { sessions: {}, quietMs: 60_000 };
    await createDrain({ spool, storage, ...options }).pass();
    expect([await storedText('a', 1), await storedText('b', 1)]).toEqual(['segment 1', null]);
    expect(folders()).toEqual(['b']);
    writeFileSync(join(spool.path, 'b', '.part-live-2.hls~source~x.m4s~9'), 'half');
    await createDrain({ spool, storage }).pass();
    expect(await storedText('b', 1)).toBe('segment 1');
    expect(readdirSync(join(spool.path, 'b'))).toEqual(['.part-live-2.hls~source~x.m4s~9']);
    otherSpool.leave('b');
    await createDrain({ spool: otherSpool, storage, ...options }).pass();
    expect(folders()).toEqual([]);
  });

  test('two processes that drain the same spool store every file once', async () => {
    write('a', ...Array.from({ length: 30 }, (_, index) => index));
    await Promise.all([createDrain({ spool, storage }).pass(), createDrain({ spool, storage }).pass()]);
    for (let msn = 0; msn < 30; msn++) expect(await storedText('a', msn)).toBe(`segment ${msn}`);
    expect(readdirSync(join(folder, 'storage', 'parts', 'others'))).toEqual([]);
  });
});

describe('segments that arrived after their recording was finished', () => {
  const late = (id: string) => (sessionId: string) =>
    Promise.resolve<SpoolDecision>(sessionId === id ? 'late' : 'store');

  test('get copies of their init segments', async () => {
    const init = 'hls/source/init-1.mp4';
    await storage.put(recordingKey('a', init), Buffer.from('init'));
    const startLate = vi.fn<SpoolSessions['startLate']>(() => Promise.resolve(true));
    const drain = createDrain({ spool, storage, sessions: { hold: late('a'), startLate } });
    spool.write('a', { file: segment(1), body: body('segment 1') });
    await drain.pass();
    await drain.pass();
    const [call] = startLate.mock.calls[0] ?? [];
    expect((await storage.head(recordingKey(call?.sessionId ?? '', init)))?.bytes).toBe(4);
  });

  test('get a separate session', async () => {
    const startLate = vi.fn<SpoolSessions['startLate']>(() => Promise.resolve(true));
    const drain = createDrain({ spool, storage, sessions: { hold: late('a'), startLate } });
    write('a', 1, 2);
    await drain.pass();
    await drain.pass();
    const [call] = startLate.mock.calls[0] ?? [];
    expect(call).toMatchObject({ lateOf: 'a', segments: [{ msn: 1 }, { msn: 2 }] });
    expect(await storedText(call?.sessionId ?? '', 2)).toBe('segment 2');
    expect(await storedText('a', 2)).toBeNull();
    expect(folders()).toEqual([]);
  });

  test('go to the session in which their publish continued', async () => {
    const startLate = vi.fn<SpoolSessions['startLate']>(() => Promise.resolve(true));
    const drain = createDrain({ spool, storage, sessions: { hold: late('a'), startLate } });
    spool.enter('a');
    write('a', 1, 2);
    await drain.pass();
    expect(folders()).toEqual(['a']);
    spool.setSuccessor('a', 'b');
    spool.enter('b');
    spool.leave('a');
    write('b', 3);
    await drain.pass();
    await drain.pass();
    expect(await Promise.all([1, 2, 3].map((msn) => storedText('b', msn)))).not.toContain(null);
    expect(startLate).not.toHaveBeenCalled();
  });

  test('are deleted if no session needs them', async () => {
    write('a', 1);
    await createDrain({ spool, storage, sessions: { hold: () => Promise.resolve('gone') } }).pass();
    expect(folders()).toEqual([]);
    write('b', 1);
    const rejectingDrain = createDrain({
      spool,
      storage,
      sessions: { hold: late('b'), startLate: () => Promise.resolve(false) },
    });
    await rejectingDrain.pass();
    await rejectingDrain.pass();
    expect(folders()).toEqual([]);
  });
});
