import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Progress } from '@/lib/domain/streams';
import { ProgressMeter } from './progress-meter';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';

const keyOf = (id: string) => ({ streamId: `stream ${id}`, sessionId: `session ${id}` });

const emptyProgress = {
  sourceSegments: 0,
  sourceSegmentsDuration: 0,
  sourceBytes: 0,
  transcodedSegments: 0,
  transcodedSegmentsDuration: 0,
  transcodedBytes: 0,
};

function openMeter() {
  const clock = new SteppedClock();
  const batches: (readonly Progress[])[] = [];
  const database = { isAway: false };
  const meter = new ProgressMeter((progress) => {
    if (database.isAway) return Promise.reject(new Error('away'));
    batches.push(progress);
    return Promise.resolve();
  }, clock);
  return { meter, batches, clock, database };
}

describe('ProgressMeter', () => {
  test('writes all streams in one batch, and nothing without changes', async () => {
    const { meter, batches, clock } = openMeter();
    await meter.flush();
    meter.countSegment(keyOf('a'), { durationMs: 2_000, bytes: 100 });
    meter.countSegment(keyOf('a'), { durationMs: 1_500, bytes: 50 });
    meter.countTranscodedSegment(keyOf('a'), { durationMs: 2_000, bytes: 40 });
    meter.countTranscodedSegment(keyOf('a'), { durationMs: 2_000, bytes: 20 });
    meter.recordMedia(keyOf('a'), 200);
    meter.recordMedia(keyOf('b'), 0);
    clock.ms += 1_000;
    await meter.flush();
    await meter.flush();
    expect(batches).toEqual([
      [
        {
          ...keyOf('a'),
          ...emptyProgress,
          sourceSegments: 2,
          sourceSegmentsDuration: 3.5,
          sourceBytes: 150,
          transcodedSegments: 2,
          transcodedSegmentsDuration: 4,
          transcodedBytes: 60,
          silentMs: 1_200,
        },
        { ...keyOf('b'), ...emptyProgress, silentMs: 1_000 },
      ],
    ]);
  });

  test('does not report the time of media if only renditions were closed', async () => {
    const { meter, batches } = openMeter();
    meter.countTranscodedSegment(keyOf('a'), { durationMs: 2_000, bytes: 40 });
    await meter.flush();
    expect(batches[0]).toMatchObject([{ transcodedSegments: 1, silentMs: null }]);
  });

  test('keeps counts that could not be written, and continues counting', async () => {
    const { meter, batches, clock, database } = openMeter();
    database.isAway = true;
    meter.countSegment(keyOf('a'), { durationMs: 2_000, bytes: 100 });
    meter.countTranscodedSegment(keyOf('a'), { durationMs: 2_000, bytes: 40 });
    meter.recordMedia(keyOf('a'), 0);
    await expect(meter.flush()).rejects.toThrow('away');
    clock.ms += 5_000;
    meter.countSegment(keyOf('a'), { durationMs: 2_000, bytes: 100 });
    meter.countTranscodedSegment(keyOf('a'), { durationMs: 2_000, bytes: 40 });
    await expect(meter.flush()).rejects.toThrow('away');
    database.isAway = false;
    await meter.flush();
    expect(batches).toEqual([
      [
        {
          ...keyOf('a'),
          sourceSegments: 2,
          sourceSegmentsDuration: 4,
          sourceBytes: 200,
          transcodedSegments: 2,
          transcodedSegmentsDuration: 4,
          transcodedBytes: 80,
          silentMs: 5_000,
        },
      ],
    ]);
  });

  test('loses and duplicates no count, whenever the database fails and recovers', async () => {
    const steps = fc.array(fc.constantFrom('segment', 'flush', 'away', 'back'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (events) => {
        const { meter, batches, database } = openMeter();
        let segmentCount = 0;
        const flushes: Promise<unknown>[] = [];
        for (const event of events) {
          if (event === 'segment') {
            meter.countSegment(keyOf('a'), { durationMs: 1, bytes: 1 });
            meter.recordMedia(keyOf('a'), 0);
            segmentCount += 1;
          } else if (event === 'flush') flushes.push(meter.flush().catch(() => undefined));
          else database.isAway = event === 'away';
        }
        await Promise.all(flushes);
        database.isAway = false;
        await meter.flush();
        expect(batches.flat().reduce((sum, { sourceSegments }) => sum + sourceSegments, 0)).toBe(
          segmentCount,
        );
      }),
    );
  });
});
