import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  gstreamerCommand,
  gstreamerSrtCommand,
  srtTestPatternCommand,
  testPatternCommand,
} from '@/lib/core/streams/encoder-commands';
import { srtPublishUrl } from '@/lib/core/streams/srt-passphrase';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { srtPassphraseColumns } from '@/lib/domain/streams/srt-passphrase';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createLiveNodes } from '@/media-worker/live/session/testing/live-nodes';
import { startRtmpServer } from './rtmp/rtmp-server';
import { startSrtIngest } from './srt/testing/srt-harness';

/** The commands on pages and in docs/encoders.md, executed as shown. */

const fixtures = createLiveFixtures(await createTestDatabase());
const { ctx, db, createTeam, createStream, readStream } = fixtures;
const liveNode = createLiveNodes(fixtures);
const longTimeout = { timeout: 90_000 };
const passphrase = 'a-secret-phrase';
const hasGstreamer = ['x264enc', 'voaacenc', 'rtmp2sink', 'srtsink'].every(
  (element) => spawnSync('gst-inspect-1.0', [element]).status === 0,
);

/** Runs a copied command until its stream is live with video and audio. */
async function expectPublishes(
  commandOf: (destination: { rtmp: string; srt: string; streamKey: string }) => string,
) {
  const { admit, sessions } = await liveNode();
  const log = ctx.log;
  const rtmp = await startRtmpServer({ port: 0, host: '127.0.0.1', trustedProxies: [], log, admit });
  await using srt = await startSrtIngest({ admit });
  const row = await createStream(await createTeam(), { record: false });
  const { streamKey } = row;
  await db.stream.update({ where: { id: row.id }, data: srtPassphraseColumns(ctx, row, passphrase) });
  const srtUrl = `srt://127.0.0.1:${srt.port}`;
  const destination = {
    rtmp: `rtmp://127.0.0.1:${rtmp.port}/live`,
    streamKey,
    srt: srtPublishUrl({ srtUrl, streamKey, passphrase }),
  };
  // The shell and the programs that it starts are one process group, which is killed at the end.
  const shell = spawn('sh', ['-c', commandOf(destination)], {
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  });
  try {
    await expect.poll(async () => (await readStream(row.id)).isActive, longTimeout).toBe(true);
    const measurement = sessions.byPlaybackId(row.playbackId)?.renditions.source.window.measure();
    expect(measurement).toMatchObject({ resolution: { width: 1280, height: 720 } });
    expect(measurement?.codecs).toEqual([expect.stringMatching(/^avc1/), 'mp4a.40.2']);
  } finally {
    const exited = once(shell, 'exit');
    if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    await exited;
    await rtmp.close();
  }
}

test('the ffmpeg command for RTMP publishes 720p video and AAC audio', () =>
  expectPublishes(({ rtmp, streamKey }) => testPatternCommand(rtmp, streamKey)));

test('the ffmpeg command for SRT publishes 720p video and AAC audio', () =>
  expectPublishes(({ srt }) => srtTestPatternCommand(srt)));

test.skipIf(!hasGstreamer)(
  'the GStreamer command for RTMP publishes the same (apt-get install gstreamer1.0-plugins-ugly)',
  () => expectPublishes(({ rtmp, streamKey }) => gstreamerCommand(rtmp, streamKey)),
);

test.skipIf(!hasGstreamer)(
  'the GStreamer command for SRT publishes the same (apt-get install gstreamer1.0-plugins-ugly)',
  () => expectPublishes(({ srt }) => gstreamerSrtCommand(srt)),
);
