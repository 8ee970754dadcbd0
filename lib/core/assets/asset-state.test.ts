import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assetMachine,
  firstAssetPhase,
  isReadyAsset,
  receivingAssetPhases,
  unfinishedAssetPhases,
} from './asset-state';

describe('phases of an asset', () => {
  test('ready is never left, and failed only by a retry', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...assetMachine.events), { maxLength: 60 }), (events) => {
        let phase = firstAssetPhase;
        for (const event of events) {
          const next = assetMachine.next(phase, event);
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
    expect(receivingAssetPhases).toEqual(assetMachine.before('work_started'));
  });
});
