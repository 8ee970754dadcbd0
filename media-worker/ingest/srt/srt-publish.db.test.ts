import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { srtPassphraseColumns } from '@/lib/domain/streams/srt-passphrase';
import { createLiveNodes } from '@/media-worker/live/session/testing/live-nodes';
import { startSrtIngest } from './testing/srt-harness';

const fixtures = createLiveFixtures(await createTestDatabase());
const { ctx, db, createTeam, createStream, readStream, eventsOf } = fixtures;
const liveNode = createLiveNodes(fixtures);
const runProgram = promisify(execFile);
const passphrase = 'a-secret-phrase';

let folder = '';
let clip = '';
/** Encodes a clip of six seconds with B-frames. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srt-'));
  clip = join(folder, 'clip.ts');
  const input = '-f lavfi -i testsrc2=s=160x90:r=25:d=6 -f lavfi -i sine=r=48000:d=6';
  const video = '-c:v libx264 -preset ultrafast -bf 2 -g 25 -sc_threshold 0 -pix_fmt yuv420p';
  await runProgram('ffmpeg', [...`-v error ${input} ${video} -c:a aac -f mpegts`.split(' '), clip]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Publishes as fast as possible. */
const publish = (port: number, streamKey: string, query: string) => {
  const url = `srt://127.0.0.1:${port}?streamid=publish:${streamKey}&linger=60${query}`;
  return runProgram('ffmpeg', ['-v', 'error', '-nostdin', '-i', clip, '-c', 'copy', '-f', 'mpegts', url]);
};

test('ffmpeg publishes encrypted H.264 and AAC, and a wrong passphrase is reported to the owner', async () => {
  const { admit, sessions } = await liveNode();
  await using ingest = await startSrtIngest({ admit });
  const row = await createStream(await createTeam(), { record: false });
  const data = srtPassphraseColumns(ctx, row, passphrase);
  await db.stream.update({ where: { id: row.id }, data });

  await publish(ingest.port, row.streamKey, `&passphrase=${passphrase}&pbkeylen=32`);
  await expect.poll(async () => (await readStream(row.id)).isActive).toBe(true);
  const measurement = sessions.byPlaybackId(row.playbackId)?.renditions.source.window.measure();
  expect(measurement).toMatchObject({ resolution: { width: 160, height: 90 } });
  expect(measurement?.codecs).toHaveLength(2);

  await expect(publish(ingest.port, row.streamKey, '&passphrase=another-phrase')).rejects.toThrow();
  const readRejections = async () =>
    (await eventsOf(row.id)).filter(({ name }) => name === 'stream.rejected');
  await expect.poll(async () => (await readRejections()).length).toBe(1);
  const [rejection] = await readRejections();
  expect(rejection?.payload).toMatchObject({ payload: { reason: 'wrong_passphrase' } });
});

test('ffmpeg publishes HEVC', async () => {
  const { admit, sessions } = await liveNode();
  await using ingest = await startSrtIngest({ admit });
  const row = await createStream(await createTeam(), { record: false });
  const input = '-f lavfi -i testsrc2=s=160x90:r=25:d=6 -f lavfi -i sine=r=48000:d=6';
  const video = '-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=25 -pix_fmt yuv420p';
  const hevc = join(folder, 'hevc.ts');
  await runProgram('ffmpeg', [...`-v error ${input} ${video} -c:a aac -f mpegts`.split(' '), hevc]);
  const url = `srt://127.0.0.1:${ingest.port}?streamid=${row.streamKey}&linger=60`;
  await runProgram('ffmpeg', ['-v', 'error', '-nostdin', '-i', hevc, '-c', 'copy', '-f', 'mpegts', url]);
  await expect.poll(async () => (await readStream(row.id)).isActive).toBe(true);
  const measurement = sessions.byPlaybackId(row.playbackId)?.renditions.source.window.measure();
  expect(measurement).toMatchObject({ resolution: { width: 160, height: 90 } });
  expect(measurement?.codecs).toEqual([expect.stringMatching(/^hvc1/), 'mp4a.40.2']);
});
