import { expect, test } from '@playwright/test';
import { createSourceFile, type Encoder, setUpEncoders } from './testing/encoder';
import { fetchEventNames, hlsUrl, ApiAccount, rtmpUrl, fetchSessionRows, waitUntil } from './testing/service';

let owner: ApiAccount;
let source: string;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile()]);
});

function publish(streamKey: string): Encoder {
  return startEncoder(source, rtmpUrl(streamKey));
}

async function startLiveStream() {
  const stream = await owner.createStream();
  const encoder = publish(stream.streamKey);
  await owner.waitUntilActive(stream.id);
  return { stream, encoder };
}

test('an encoder that reconnects continues its session without an event, and its playlist with a discontinuity', async () => {
  const { stream, encoder } = await startLiveStream();
  await encoder.kill();
  publish(stream.streamKey);
  const readPlaylist = async () => (await fetch(hlsUrl(stream.playbackId, 'source/index.m3u8'))).text();
  await waitUntil(async () => (await readPlaylist()).includes('#EXT-X-DISCONTINUITY\n'));
  expect(await fetchEventNames(stream.id)).toEqual(['stream.started']);
  expect(await fetchSessionRows(stream.id)).toHaveLength(1);
  expect(await owner.readStream(stream.id)).toMatchObject({ isActive: true });
});
