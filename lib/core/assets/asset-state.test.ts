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
  test('only a retry leaves the phase failed, only completion leads to the phase ready, and no event leaves it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...assetMachine.events), { maxLength: 60 }), (events) => {
        let phase = firstAssetPhase;
        for (const event of events) {
          const next = assetMachine.nextState(phase, event);
          if (isReadyAsset(phase)) expect(next).toBeNull();
          if (phase === 'failed' && event !== 'retried') expect(next).toBeNull();
          if (next === 'ready') expect(event).toBe('completed');
          phase = next ?? phase;
        }
      }),
    );
  });

  test('unfinished phases are those that can fail, and receiving phases are those before processing', () => {
    expect(unfinishedAssetPhases).toEqual(['waiting', 'uploading', 'processing']);
    expect(receivingAssetPhases).toEqual(assetMachine.statesBefore('work_started'));
  });
});
