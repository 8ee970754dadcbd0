import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { createLogger } from '@/lib/infra/logger';
import { openStorage } from '@/lib/infra/storage';
import { noProgram, type AuthorizedPublish, type LiveSettings } from '@/lib/domain/streams';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { Spool } from './spool';
import { storeSpool } from './testing/store-spool';
import { recordedRenditionFolder } from './session-recording';
import { createRecorder, type RecorderOptions } from './recorder';
import { Rendition } from '@/media-worker/media/packaging/rendition';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';

const folder = await mkdtemp(join(tmpdir(), 'recorder-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const storage = openStorage({ dataDir: folder });
const spool = new Spool(folder);
const packets = [videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 6_000 })];
let sessionCount = 0;

const openRecorders: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(openRecorders.splice(0).map((recorder) => recorder.close()));
});

/** A recorder of a new session with these settings, and the packager whose segments it stores. */
function createTestRecorder(settings: Partial<LiveSettings> = {}, options: Partial<RecorderOptions> = {}) {
  const packaging = new Packaging();
  const sessionId = `session-${++sessionCount}`;
  const report = vi.fn<(issues: readonly string[]) => void>();
  const statusWriter = { reportFailure: vi.fn(() => Promise.resolve()) };
  const recorder = createRecorder({
    spool,
    readFreeBytes: () => Promise.resolve(1),
    statusWriter,
    ...options,
  })({
    streamId: 'stream',
    renditions: packaging.renditions,
    log: createLogger('test', 'silent'),
    report,
  });
  openRecorders.push(recorder);
  let publishNumber = 0;
  const publish = (settingsChange: Partial<LiveSettings> = {}, id = sessionId): AuthorizedPublish => ({
    streamId: 'stream',
    playbackId: 'abcd1234efgh5678',
    sessionId: id,
    publishNumber,
    publishedAt: new Date(0),
    settings: { version: 0, profiles: [], record: true, ...settings, ...settingsChange },
  });
  const follow = (settingsChange?: Partial<LiveSettings>, id?: string) => {
    publishNumber += 1;
    recorder.follow(publish(settingsChange, id));
  };
  return { packaging, recorder, report, statusWriter, sessionId, follow, publish };
}

/** Stores all files of the spool, and returns those of a session by name. */
async function storeAndRead(sessionId: string) {
  await storeSpool(spool, storage);
  const files = new Map<string, Buffer>();
  for await (const { key } of storage.list(recordingPrefix(sessionId))) {
    const body = await storage.read(key);
    files.set(key.slice(recordingPrefix(sessionId).length), Buffer.concat(body ? await body.toArray() : []));
  }
  return files;
}

/** The segments of a rendition among these files, in the order of their names. */
const segmentsAmong = (files: Map<string, Buffer>, rendition = 'source') =>
  [...files.keys()]
    .filter((key) => key.startsWith(`hls/${recordedRenditionFolder(rendition)}/`) && key.endsWith('.m4s'))
    .map((key) => parseSegmentName(key.slice(key.lastIndexOf('/') + 1)));

describe('a recorded session', () => {
  test('stores every closed segment as it was played, with the files that it needs', async () => {
    const { packaging, recorder, follow, sessionId } = createTestRecorder();
    follow();
    packaging.run(packets);
    await recorder.close();
    const files = await storeAndRead(sessionId);
    expect(segmentsAmong(files).map((segment) => segment?.msn)).toEqual(
      packaging.segments.map(({ msn }) => msn),
    );
    for (const segment of packaging.segments) {
      const [key] = [...files.keys()].filter((name) => name.includes(`_${segment.msn}_`));
      expect(files.get(key ?? '')).toEqual(Buffer.concat(segment.parts.flatMap(({ data }) => data)));
      expect(parseSegmentName(key?.split('/').at(-1) ?? '')).toMatchObject({
        period: '1',
        wallClockMs: segment.wallClockMs,
        independent: true,
      });
    }
    expect(files.get('hls/source/init-1.mp4')).toEqual(packaging.segments[0]?.period.initData);
    expect(JSON.parse(files.get('stretch/source/1.json')?.toString() ?? '')).toMatchObject({
      rendition: 'source',
      codecs: [expect.stringMatching(/^avc1/), 'mp4a.40.2'],
      resolution: { width: 429 },
      frameRate: 25,
    });
  });

  test('contains both publishes after a reconnect', async () => {
    const { packaging, recorder, follow, sessionId } = createTestRecorder();
    for (let publishNumber = 0; publishNumber < 2; publishNumber++) {
      follow();
      packaging.run(packets);
    }
    await recorder.close();
    const periods = segmentsAmong(await storeAndRead(sessionId)).map((segment) => segment?.period);
    expect(new Set(periods)).toEqual(new Set(['1', '2']));
  });

  test.each([
    [false, [0, 2]],
    [true, [0, 1, 2]],
  ])(
    'with recordSlate %s, stores the inputs %j of encoder (0), slate (1), encoder (2)',
    async (recordSlate, storedInputs) => {
      const { packaging, recorder, follow, sessionId } = createTestRecorder({
        program: { ...noProgram, recordSlate },
      });
      const renditionPackaging = new Packaging();
      packaging.renditions.add(new Rendition('360p', renditionPackaging.window));
      follow();
      const msnsByInput: number[][] = [];
      for (const isSlate of [false, true, false]) {
        const countBefore = packaging.segments.length;
        packaging.window.isSlate = isSlate;
        packaging.run(packets);
        renditionPackaging.run(packets);
        msnsByInput.push(packaging.segments.slice(countBefore).map(({ msn }) => msn));
      }
      await recorder.close();
      const files = await storeAndRead(sessionId);
      const expectedNumbers = msnsByInput.flatMap((msns, index) =>
        storedInputs.includes(index) ? msns : [],
      );
      for (const rendition of ['source', '360p'])
        expect(segmentsAmong(files, rendition).map((segment) => segment?.msn)).toEqual(expectedNumbers);
    },
  );

  test.each([
    ['stores all renditions by default', {}, 3],
    ['stores a selected rendition', { recordedRenditions: ['360p'] }, 3],
    ['stores only the source if no rendition is selected', { recordedRenditions: [] }, 0],
  ])('%s', async (_behaviour, settings, expectedSegments) => {
    const { packaging, recorder, follow, sessionId } = createTestRecorder(settings);
    const renditionPackaging = new Packaging();
    const rendition = new Rendition('360p', renditionPackaging.window);
    packaging.renditions.add(rendition);
    follow();
    packaging.run(packets);
    renditionPackaging.run(packets);
    packaging.renditions.remove(rendition);
    await recorder.close();
    const files = await storeAndRead(sessionId);
    expect(segmentsAmong(files)).toHaveLength(3);
    expect(segmentsAmong(files, '360p')).toHaveLength(expectedSegments);
  });

  test('waits for a rendition that ends slightly later', async () => {
    const { packaging, recorder, follow, sessionId } = createTestRecorder();
    const renditionPackaging = new Packaging();
    const rendition = new Rendition('480p', renditionPackaging.window);
    const bus = new PacketBus({ onSubscriberError: () => undefined });
    packaging.renditions.add(rendition);
    rendition.startPublish(bus);
    follow();
    packaging.run(packets);
    const closed = recorder.close();
    await delay(100);
    renditionPackaging.run(packets);
    bus.end('finished');
    await closed;
    expect(segmentsAmong(await storeAndRead(sessionId), '480p')).toHaveLength(3);
  });

  test('stores its own init segment after an earlier session of the same process', async () => {
    const { packaging, recorder, follow, sessionId } = createTestRecorder();
    follow();
    packaging.run(packets);
    follow({}, `${sessionId}-next`);
    packaging.run(packets);
    await recorder.close();
    expect(segmentsAmong(await storeAndRead(sessionId)).map((segment) => segment?.period)).toEqual([
      '1',
      '1',
      '1',
    ]);
    const nextFiles = await storeAndRead(`${sessionId}-next`);
    expect(segmentsAmong(nextFiles).map((segment) => segment?.period)).toEqual(['2', '2', '2']);
    expect(nextFiles.has('hls/source/init-2.mp4')).toBe(true);
  });
});

test('a session without recording or DVR stores nothing', async () => {
  const { packaging, recorder, follow, sessionId } = createTestRecorder({ record: false });
  follow();
  packaging.run(packets);
  await recorder.close();
  expect((await storeAndRead(sessionId)).size).toBe(0);
});

test('reports settings for the next session as an issue', () => {
  const { recorder, follow, publish, report } = createTestRecorder();
  follow();
  expect(report).toHaveBeenLastCalledWith([]);
  recorder.follow(publish({ recordNext: false }));
  expect(report).toHaveBeenLastCalledWith(['Recording was turned off. This session is recorded to its end.']);
  recorder.follow(publish({ record: false, recordNext: true }));
  expect(report).toHaveBeenLastCalledWith(['Recording was turned on and starts with the next session.']);
});

test('reports a selected rendition that is never made as an issue', () => {
  const profile360 = { name: '360p', width: 640, height: 360, bitrate: 500_000, fps: 0 };
  const { recorder, follow, publish, report } = createTestRecorder({
    profiles: [profile360],
    recordedRenditions: ['source', '360p', '720p'],
  });
  follow();
  const issue =
    'Rendition "720p" of recordingSpec is not recorded: the stream has no profile with this name.';
  expect(report).toHaveBeenLastCalledWith([issue]);
  recorder.follow(publish({ profiles: [profile360, { ...profile360, name: '720p' }] }));
  expect(report).toHaveBeenLastCalledWith([]);
});

test('a publish that continues in another session is recorded there from then on', async () => {
  const { packaging, recorder, follow, publish, sessionId } = createTestRecorder();
  follow();
  const packager = packaging.begin(packets.filter(({ dts }) => dts < 4_200));
  recorder.follow(publish({}, `${sessionId}-next`));
  packaging.push(
    packager,
    packets.filter(({ dts }) => dts >= 4_200),
  );
  packager.finish();
  await recorder.close();
  const [filesBefore, filesAfter] = [await storeAndRead(sessionId), await storeAndRead(`${sessionId}-next`)];
  expect(segmentsAmong(filesBefore)).toHaveLength(2);
  expect(segmentsAmong(filesAfter)).toHaveLength(1);
  expect(filesAfter.has('hls/source/init-1.mp4')).toBe(true);
});

describe('a session that is not recorded', () => {
  const dvr = { record: false, dvr: true };

  test('is stored the same way while it has DVR', async () => {
    const { packaging, recorder, follow, sessionId } = createTestRecorder(dvr);
    follow();
    packaging.run(packets);
    await recorder.close();
    const files = await storeAndRead(sessionId);
    expect(segmentsAmong(files)).toHaveLength(packaging.segments.length);
    expect(files.has('hls/source/init-1.mp4')).toBe(true);
  });

  test('is stored from the moment DVR is enabled to the moment it is disabled', async () => {
    const { packaging, recorder, follow, publish, sessionId } = createTestRecorder({ record: false });
    follow();
    const packager = packaging.begin(packets.filter(({ dts }) => dts < 2_200));
    recorder.follow(publish({ dvr: true }));
    packaging.push(
      packager,
      packets.filter(({ dts }) => dts >= 2_200 && dts < 4_200),
    );
    recorder.follow(publish({}));
    packaging.push(
      packager,
      packets.filter(({ dts }) => dts >= 4_200),
    );
    packager.finish();
    await recorder.close();
    const files = await storeAndRead(sessionId);
    expect(segmentsAmong(files).map((segment) => segment?.msn)).toEqual([packaging.segments[1]?.msn]);
    expect(files.has('hls/source/init-1.mp4')).toBe(true);
  });

  test('reports a full disk without a failed recording', async () => {
    const { follow, report, statusWriter } = createTestRecorder(dvr, {
      readFreeBytes: () => Promise.resolve(0),
    });
    follow();
    await expect.poll(() => report).toHaveBeenLastCalledWith(['DVR stopped: The disk is almost full.']);
    expect(statusWriter.reportFailure).not.toHaveBeenCalled();
  });

  test('reports why viewers cannot rewind', () => {
    const { follow, report } = createTestRecorder({ record: false, dvrRejected: 'Storage is used up.' });
    follow();
    expect(report).toHaveBeenLastCalledWith(['Storage is used up.']);
  });
});

describe('a recording that cannot be written', () => {
  test('stops with a reason when the disk is full, and starts again with the next publish', async () => {
    let freeBytes = 0;
    const { packaging, follow, report, statusWriter, sessionId, recorder } = createTestRecorder(
      {},
      { readFreeBytes: () => Promise.resolve(freeBytes) },
    );
    follow();
    await expect
      .poll(() => statusWriter.reportFailure)
      .toHaveBeenCalledWith(sessionId, 'The disk is almost full.');
    expect(report).toHaveBeenLastCalledWith(['The recording stopped: The disk is almost full.']);
    packaging.run(packets);
    expect((await storeAndRead(sessionId)).size).toBe(0);
    freeBytes = 1;
    follow();
    expect(report).toHaveBeenLastCalledWith([]);
    packaging.run(packets);
    await recorder.close();
    expect(segmentsAmong(await storeAndRead(sessionId)).map((segment) => segment?.period)).toEqual([
      '2',
      '2',
      '2',
    ]);
  });

  test.each([
    ['ENOSPC', 'The disk is full.'],
    ['EIO', 'The segments could not be written to disk.'],
  ])('after the error %s, the stream continues, and the session has a reason', (code, reason) => {
    const write = vi.fn(() => {
      throw Object.assign(new Error(code), { code });
    });
    const brokenSpool = {
      write,
      enter: () => undefined,
      leave: () => undefined,
      setSuccessor: () => undefined,
    };
    const { packaging, follow, statusWriter, report, sessionId } = createTestRecorder(
      {},
      { spool: brokenSpool },
    );
    follow();
    packaging.run(packets);
    expect(packaging.window.isPlayable).toBe(true);
    expect(write).toHaveBeenCalledTimes(1);
    expect(statusWriter.reportFailure).toHaveBeenCalledWith(sessionId, reason);
    expect(report).toHaveBeenLastCalledWith([`The recording stopped: ${reason}`]);
  });
});
