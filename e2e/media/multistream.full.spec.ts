import { expect, test } from '@playwright/test';
import { neverRead, startRawTarget } from '@/media-worker/live/multistream/testing/raw-target';
import {
  readChildCommands,
  fetchEventNames,
  findRolePid,
  MAX_IMMEDIATE_DELAY_MS,
  listScratchFiles,
  measureEventDelayMs,
  waitUntil,
} from './testing/service';
import { longestGapMs, setUpTargetTests, targetUrlOf } from './testing/targets';

const {
  cleanups,
  startTarget,
  createTarget,
  publishWithTargets,
  publishStreamWith,
  publish,
  request,
  waitUntilActive,
} = setUpTargetTests();

test(
  'targets are added, moved to another URL, disabled, enabled and removed immediately while the stream is live',
  { tag: '@alone' },
  async () => {
    const [firstIngest, secondIngest, thirdIngest] = [
      await startTarget(),
      await startTarget(),
      await startTarget(),
    ];
    const { stream, targetIds, setTargets, waitForStates } = await publishWithTargets(
      targetUrlOf(firstIngest.port),
    );
    /** Runs an action, waits until its event is written, and checks that the event was emitted immediately. */
    const expectImmediateEvent = async (name: string, act: () => Promise<void>) => {
      const countBefore = (await fetchEventNames(stream.id)).length;
      const startedAt = Date.now();
      await act();
      await waitUntil(async () =>
        (await fetchEventNames(stream.id)).slice(countBefore).includes(`multistream.${name}`),
      );
      expect(await measureEventDelayMs(startedAt, stream.id, `multistream.${name}`)).toBeLessThan(
        MAX_IMMEDIATE_DELAY_MS,
      );
    };
    const [firstTarget = ''] = targetIds;
    await waitForStates('connected');
    const secondTarget = await createTarget(targetUrlOf(secondIngest.port));
    const updateTarget = async (body: object) => {
      expect((await request('PATCH', `/api/multistream/target/${secondTarget}`, body)).status).toBe(204);
    };

    await expectImmediateEvent('connected', () => setTargets([firstTarget, secondTarget]));
    await waitForStates('connected', 'connected');
    await expectImmediateEvent('connected', () => updateTarget({ url: targetUrlOf(thirdIngest.port) }));
    expect(await secondIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    expect(thirdIngest.publishes).toHaveLength(1);
    await waitForStates('connected', 'connected');
    await expectImmediateEvent('disconnected', () => updateTarget({ disabled: true }));
    await waitForStates('connected', 'disconnected');
    expect(await thirdIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    await expectImmediateEvent('connected', () => updateTarget({ disabled: false }));
    await waitForStates('connected', 'connected');
    await expectImmediateEvent('disconnected', () => setTargets([secondTarget]));
    await waitForStates('connected');
    expect(await firstIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');

    expect([
      firstIngest.publishes.length,
      secondIngest.publishes.length,
      thirdIngest.publishes.length,
    ]).toEqual([1, 1, 2]);
    // Frames are 33 ms apart, so at most one is missing.
    expect(longestGapMs(firstIngest)).toBeLessThanOrEqual(67);
    const disconnectAndConnect = ['multistream.disconnected', 'multistream.connected'];
    const readEventNames = () => fetchEventNames(stream.id);
    const expectedEvents = [
      ...['stream.started', 'multistream.connected', 'multistream.connected'],
      ...[...disconnectAndConnect, ...disconnectAndConnect, 'multistream.disconnected'],
    ];
    expect(await readEventNames()).toEqual(expectedEvents);
  },
);

for (const [name, act] of [
  ['suspended', (id: string) => request('PATCH', `/api/stream/${id}`, { suspended: true })],
  ['terminated', (id: string) => request('DELETE', `/api/stream/${id}/terminate`)],
  ['deleted', (id: string) => request('DELETE', `/api/stream/${id}`)],
  ['given a new key', (id: string) => request('POST', `/api/stream/${id}/rotate-key`)],
] as const) {
  test(`a stream that is ${name} is disconnected immediately, together with its renditions, recording and targets`, async () => {
    const [goodIngest, smallIngest, hangingTarget] = [
      await startTarget(),
      await startTarget(),
      await startRawTarget(neverRead),
    ];
    cleanups.push(() => hangingTarget.close());
    const profiles = [{ name: '180p', width: 320, height: 180, bitrate: 200_000, fps: 15 }];
    const { stream, encoder } = await publishStreamWith(
      { record: true, profiles },
      [targetUrlOf(goodIngest.port), targetUrlOf(hangingTarget.port), targetUrlOf(smallIngest.port)],
      ['source', 'source', '180p'],
    );
    const readEventNames = async () =>
      (await fetchEventNames(stream.id)).filter((event) => !event.endsWith('error'));
    const connectEvents = ['multistream.connected', 'multistream.connected'];
    await waitUntil(async () => (await readEventNames()).length >= 4, 20_000);
    // Receivers get the stream events before the events of targets.
    expect(await readEventNames()).toEqual(['stream.started', 'recording.started', ...connectEvents]);
    const startedAt = Date.now();
    expect((await act(stream.id)).ok).toBe(true);
    await encoder.whenEnded();
    expect(await goodIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    expect(await smallIngest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    await waitUntil(() => Promise.resolve(readChildCommands(findRolePid('live')).length === 0));
    await waitUntil(() => Promise.resolve(listScratchFiles('live').length === 0));
    const endEvents = ['stream.idle', 'recording.waiting', 'multistream.disconnected'];
    // Four events of the start, `endEvents`, and the end of the second connected target.
    await waitUntil(async () => (await readEventNames()).length >= 8);
    expect((await readEventNames()).slice(4, 7)).toEqual(endEvents);
    expect(await measureEventDelayMs(startedAt, stream.id, 'stream.idle')).toBeLessThan(
      MAX_IMMEDIATE_DELAY_MS,
    );

    const nextEncoder = publish(stream.streamKey);
    if (name === 'terminated') await waitUntilActive(stream.id);
    else await nextEncoder.whenEnded();
  });
}
