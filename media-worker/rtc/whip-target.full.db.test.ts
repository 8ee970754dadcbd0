import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { createTarget } from '@/lib/domain/multistream';
import { createStream, getMultistream } from '@/lib/domain/streams';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { workerFixtures } from '@/media-worker/testing/worker-fixtures';
import { killAndWait, soon } from '@/media-worker/vod/tasks/testing/jobs-process';
import { onsetsOf, soundLags } from '@/e2e/media/testing/flash-and-beep';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

/** A stream that is sent to the WHIP endpoint of another one, through the processes of the service. */

const { ctx, db, newTeam, reread } = workerFixtures(await testDatabase());
const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await newTeam() } };
let processes: RtcProcesses;
const encoders: ChildProcess[] = [];

beforeAll(async () => {
  processes = await startRtcProcesses(ctx.settings, process.env.PATH);
  await soon(async () => {
    const response = await fetch(`${processes.url}/webrtc/x`, { method: 'HEAD' }).catch(() => null);
    return response?.ok === true ? true : undefined;
  });
});
afterEach(() => Promise.all(encoders.splice(0).map(killAndWait)));
afterAll(() => processes.end());

/** Publishes a flash and a beep every two seconds. */
function publish(streamKey: string, video = ['-tune', 'zerolatency']): void {
  const flash = "color=black:size=320x180:rate=30,drawbox=color=white:t=fill:enable='lt(mod(t,2),0.2)'";
  const beep = "aevalsrc='if(lt(mod(t,2),0.2),sin(2*PI*1000*t),0)':s=48000";
  const input = ['-re', '-f', 'lavfi', '-i', flash, '-f', 'lavfi', '-i', beep];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', ...video, '-g', '60', '-pix_fmt', 'yuv420p'];
  const output = [...coding, '-c:a', 'aac', '-ac', '2', '-f', 'flv', processes.rtmpUrl + streamKey];
  encoders.push(spawn('ffmpeg', ['-v', 'error', ...input, ...output], { stdio: 'ignore' }));
}

/** A stream that is sent to this URL. */
async function sending(url: string, video?: string[]) {
  const { id: target } = await createTarget(owner, { url });
  const stream = await createStream(owner, {
    ...{ name: 'Source', profiles: [] },
    multistream: { targets: [{ id: target, profile: 'source' }] },
  });
  publish(stream.streamKey ?? '', video);
  const status = async () => (await getMultistream(owner, stream.id))[0];
  return { ...stream, status };
}

describe('a WHIP target', () => {
  test('gets H.264 and sound in sync, and its end', async () => {
    const receiver = await createStream(owner, { name: 'Receiver', profiles: [] });
    const source = await sending(`${processes.url}/webrtc#${receiver.streamKey ?? ''}`);
    await expect.poll(async () => (await source.status())?.state).toBe('connected');
    await expect.poll(async () => (await reread(receiver.id)).isActive).toBe(true);
    await expect.poll(async () => (await source.status())?.bitrate).toBeGreaterThan(10_000);
    const playlist = `${processes.url}/hls/${receiver.playbackId}/source/index.m3u8?ll=0`;
    const segments = async () => ((await (await fetch(playlist)).text()).match(/\.m4s/g) ?? []).length;
    await expect.poll(segments).toBeGreaterThan(4);
    const { stdout } = await promisify(execFile)('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name',
      '-of',
      'csv=p=0',
      playlist,
    ]);
    expect([...new Set(stdout.match(/\w+/g))].sort()).toEqual(['aac', 'h264']);
    const lags = soundLags(await onsetsOf(playlist, 9));
    expect(lags.length).toBeGreaterThanOrEqual(3);
    expect(Math.abs(lags[Math.floor(lags.length / 2)] ?? 1)).toBeLessThan(0.12);
    await Promise.all(encoders.splice(0).map(killAndWait));
    // The session there was ended, rather than lost.
    await expect.poll(async () => (await reread(receiver.id)).isActive).toBe(false);
  });

  test('that refuses says so, without the key', async () => {
    const source = await sending(`${processes.url}/webrtc/wrong-secret-key`);
    await expect.poll(async () => (await source.status())?.lastError?.message).toContain('status 404');
    expect(JSON.stringify(await source.status())).not.toContain('secret');
  });

  test('gets no stream with B-frames, and says what to change', async () => {
    const receiver = await createStream(owner, { name: 'Receiver', profiles: [] });
    const source = await sending(`${processes.url}/webrtc/${receiver.streamKey ?? ''}`, ['-bf', '2']);
    await expect.poll(async () => (await source.status())?.lastError?.message).toContain('B-frames');
    expect(await db.session.count({ where: { parentId: receiver.id } })).toBe(0);
  });
});
