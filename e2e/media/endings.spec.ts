import { expect, test } from '@playwright/test';
import { Encoder, sourceFile } from './testing/encoder';
import { eventsOf, hlsUrl, Owner, rtmpUrl, sessionsOf, until } from './testing/service';

let owner: Owner;
let source: string;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
});
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

function publish(streamKey: string): Encoder {
  const encoder = new Encoder(source, rtmpUrl(streamKey));
  encoders.push(encoder);
  return encoder;
}

async function live() {
  const stream = await owner.newStream();
  const encoder = publish(stream.streamKey);
  await owner.untilActive(stream.id, true);
  return { stream, encoder };
}

test('an encoder that reconnects continues playlist and session without an event', async () => {
  const { stream, encoder } = await live();
  await encoder.kill();
  publish(stream.streamKey);
  const playlist = async () => (await fetch(hlsUrl(stream.playbackId, 'source/index.m3u8'))).text();
  await until(async () => (await playlist()).includes('#EXT-X-DISCONTINUITY\n'));
  expect(await eventsOf(stream.id)).toEqual(['stream.started']);
  expect(await sessionsOf(stream.id)).toHaveLength(1);
  expect(await owner.stream(stream.id)).toMatchObject({ isActive: true });
});
