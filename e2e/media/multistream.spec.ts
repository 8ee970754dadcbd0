import { expect, test } from '@playwright/test';
import { neverRead, resetAfter, startRawTarget } from '@/media-worker/live/multistream/testing/raw-target';
import { readChildCommands, fetchEventNames, findRolePid, waitUntil } from './testing/service';
import { longestGapMs, setUpTargetTests, targetUrlOf } from './testing/targets';

const { cleanups, startTarget, publishWithTargets, waitUntilIdle } = setUpTargetTests();

test('a target that does not read and a target that resets its connection do not affect a good target', async () => {
  const goodIngest = await startTarget();
  const [hangingTarget, breakingTarget] = [
    await startRawTarget(neverRead),
    await startRawTarget(resetAfter(1_000)),
  ];
  cleanups.push(
    () => hangingTarget.close(),
    () => breakingTarget.close(),
  );
  const { stream, readStatuses, encoder } = await publishWithTargets(
    targetUrlOf(hangingTarget.port),
    targetUrlOf(goodIngest.port),
    targetUrlOf(breakingTarget.port),
  );
  await waitUntil(async () => {
    const [first, second, third] = await readStatuses();
    return first?.lastError !== null && second?.state === 'connected' && third?.lastError !== null;
  });
  await waitUntil(() => Promise.resolve(breakingTarget.connectionCount >= 3));
  await waitUntil(async () => ((await readStatuses())[1]?.uptime ?? 0) > 3);

  const [first, second, third] = await readStatuses();
  expect(first?.lastError?.message).toContain('takes no video');
  expect(second).toMatchObject({ lastError: null, state: 'connected' });
  expect(second?.bitrate).toBeGreaterThan(50_000);
  expect(third?.lastError?.message).toContain('was lost');
  const eventNames = (await fetchEventNames(stream.id)).filter((name) => name !== 'stream.started').sort();
  expect(eventNames).toEqual(['multistream.connected', 'multistream.error', 'multistream.error']);

  // The good target gets one publish from start to end, with 33 ms between frames.
  expect(goodIngest.publishes).toHaveLength(1);
  expect(longestGapMs(goodIngest)).toBeLessThanOrEqual(67);

  await encoder.stop();
  await waitUntilIdle(stream.id);
  // Only a target that was connected gets the event multistream.disconnected.
  await waitUntil(async () => (await fetchEventNames(stream.id)).includes('multistream.disconnected'));
  expect((await fetchEventNames(stream.id)).filter((name) => name.endsWith('disconnected'))).toHaveLength(1);
  expect(await goodIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');
});

test('the secret of a target is not on the command line of ffmpeg', async () => {
  const { encoder, waitForStates } = await publishWithTargets(
    targetUrlOf((await startTarget()).port, 'good-secret-key'),
  );
  await waitForStates('connected');
  const commands = readChildCommands(findRolePid('live')).filter((command) => command.includes('ffmpeg'));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.join('\n')).not.toContain('secret');
  await encoder.stop();
});
