import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assetEvents,
  assetPhaseAfter,
  assetPhases,
  assetPhasesBefore,
  firstAssetPhase,
  isReadyAsset,
  nextAssetPhase,
  receivingAssetPhases,
  unfinishedAssetPhases,
  type AssetEvent,
  type AssetPhase,
} from './asset-state';

/** phase → event → next phase; missing entries are rejected. */
const possible: Record<AssetPhase, Partial<Record<AssetEvent, AssetPhase>>> = {
  waiting: { upload_started: 'uploading', work_started: 'processing', failed: 'failed' },
  uploading: {
    upload_taken_over: 'uploading',
    upload_broken: 'waiting',
    upload_received: 'processing',
    work_started: 'processing',
    failed: 'failed',
  },
  processing: { progressed: 'processing', completed: 'ready', failed: 'failed' },
  ready: {},
  failed: { retried: 'processing' },
};

describe('nextAssetPhase', () => {
  const pairs = assetPhases.flatMap((phase) => assetEvents.map((event) => [phase, event] as const));

  test.each(pairs)('%s + %s', (phase, event) => {
    const wanted = possible[phase][event] ?? null;
    expect(nextAssetPhase(phase, event)).toBe(wanted);
    expect(assetPhasesBefore(event).includes(phase)).toBe(wanted !== null);
    if (wanted) expect(assetPhaseAfter(event)).toBe(wanted);
  });

  test('ready is never left, and failed only by a retry', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...assetEvents), { maxLength: 60 }), (events) => {
        let phase = firstAssetPhase;
        for (const event of events) {
          const next = nextAssetPhase(phase, event);
          if (isReadyAsset(phase)) expect(next).toBeNull();
          if (phase === 'failed' && event !== 'retried') expect(next).toBeNull();
          if (next === 'ready') expect(event).toBe('completed');
          phase = next ?? phase;
        }
      }),
    );
  });

  test('the unfinished phases are those that can fail; the receiving ones come before any work', () => {
    expect(unfinishedAssetPhases).toEqual(['waiting', 'uploading', 'processing']);
    expect(receivingAssetPhases).toEqual(assetPhasesBefore('work_started'));
  });
});
