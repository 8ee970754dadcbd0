import { expect, test } from '@playwright/test';
import { blackHole, resetting, startRawTarget } from '@/media-worker/live/push/testing/raw-target';
import { childrenOf, eventsOf, processOf, until } from './testing/service';
import { longestGap, streamsWithTargets, urlOf } from './testing/targets';

const { closing, sink, live, untilActive } = streamsWithTargets();

test('targets that hang or break do not affect the good target and the stream', async () => {
  const good = await sink();
  const [hole, breaking] = [await startRawTarget(blackHole), await startRawTarget(resetting(1_000))];
  closing.push(
    () => hole.close(),
    () => breaking.close(),
  );
  const { stream, statuses, encoder } = await live(urlOf(hole.port), urlOf(good.port), urlOf(breaking.port));
  await until(async () => {
    const [first, second, third] = await statuses();
    return first?.lastError !== null && second?.state === 'connected' && third?.lastError !== null;
  });
  await until(() => Promise.resolve(breaking.connections >= 3));
  await until(async () => ((await statuses())[1]?.uptime ?? 0) > 3);

  const [first, second, third] = await statuses();
  expect(first?.lastError?.message).toContain('takes no video');
  expect(second).toMatchObject({ lastError: null, state: 'connected' });
  expect(second?.bitrate).toBeGreaterThan(50_000);
  expect(third?.lastError?.message).toContain('was lost');
  const names = (await eventsOf(stream.id)).filter((name) => name !== 'stream.started').sort();
  expect(names).toEqual(['multistream.connected', 'multistream.error', 'multistream.error']);

  // One publish from beginning to end, with 33 ms between frames.
  expect(good.publishes).toHaveLength(1);
  expect(longestGap(good)).toBeLessThanOrEqual(67);

  await encoder.stop();
  await untilActive(stream.id, false);
  // Only targets that were connected are disconnected.
  await until(async () => (await eventsOf(stream.id)).includes('multistream.disconnected'));
  expect((await eventsOf(stream.id)).filter((name) => name.endsWith('disconnected'))).toHaveLength(1);
  expect(await good.publishes[0]?.sink.whenEnded()).toBe('finished');
});

test('no secret of a target is on a command line', async () => {
  const { encoder, untilStates } = await live(urlOf((await sink()).port, 'good-secret-key'));
  await untilStates('connected');
  const commands = childrenOf(processOf('live')).filter((command) => command.includes('ffmpeg'));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.join('\n')).not.toContain('secret');
  await encoder.stop();
});
