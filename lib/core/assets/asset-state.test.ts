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
  test('only a retry leaves failed, and nothing leaves ready', () => {
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

  test('unfinished phases can fail, and receiving phases come before any work', () => {
    expect(unfinishedAssetPhases).toEqual(['waiting', 'uploading', 'processing']);
    expect(receivingAssetPhases).toEqual(assetMachine.before('work_started'));
  });
});
