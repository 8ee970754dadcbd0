import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseLayer, type LayerState, PAUSED_MS, STEADY_MS } from './choose-layer';

const layer = (pixels: number, silentMs = 0, steadyMs = 60_000): LayerState => ({
  pixels,
  silentMs,
  steadyMs,
});

describe('the source of the stream', () => {
  test('is the largest layer, whatever the order of the offer', () => {
    expect(chooseLayer([layer(100), layer(400), layer(1_600)], null)).toBe(2);
    expect(chooseLayer([layer(1_600), layer(400), layer(100)], null)).toBe(0);
  });

  test('becomes the next smaller layer when the largest one pauses or ends', () => {
    expect(chooseLayer([layer(1_600, PAUSED_MS + 40), layer(400, 40), layer(100)], 0)).toBe(1);
    expect(chooseLayer([layer(1_600, Infinity), layer(400), layer(100)], 0)).toBe(1);
  });

  test('stays when all layers are silent', () => {
    expect(chooseLayer([layer(1_600, 60_000), layer(400, 60_000)], 0)).toBe(0);
    expect(chooseLayer([layer(1_600, Infinity), layer(400, Infinity)], 0)).toBe(0);
  });

  test('becomes a larger layer once that layer has been sent without a pause for long enough', () => {
    expect(chooseLayer([layer(1_600, 0, STEADY_MS - 1), layer(400)], 1)).toBe(1);
    expect(chooseLayer([layer(1_600, 0, STEADY_MS), layer(400)], 1)).toBe(0);
  });

  test('is null before the first keyframe of any layer', () => {
    expect(chooseLayer([layer(0, Infinity), layer(0, Infinity)], null)).toBeNull();
    expect(chooseLayer([layer(0, Infinity), layer(400)], null)).toBe(1);
  });

  test('is a layer that is being sent, if there is one, and the choice is stable', () => {
    const time = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constant(Infinity));
    const state = fc.record({ pixels: fc.constantFrom(0, 100, 400, 1_600), silentMs: time, steadyMs: time });
    fc.assert(
      fc.property(
        fc.array(state, { minLength: 2, maxLength: 3 }),
        fc.option(fc.integer({ min: 0, max: 1 })),
        (layers, currentIndex) => {
          const chosenIndex = chooseLayer(layers, currentIndex);
          const shortestSilenceMs = Math.min(...layers.map(({ silentMs }) => silentMs));
          const activeLayers = layers.filter(
            ({ silentMs, pixels }) => pixels > 0 && silentMs - shortestSilenceMs < PAUSED_MS,
          );
          if (Number.isFinite(shortestSilenceMs) && activeLayers.length > 0)
            expect(activeLayers).toContain(chosenIndex === null ? null : layers[chosenIndex]);
          expect(chooseLayer(layers, chosenIndex)).toBe(chosenIndex);
        },
      ),
    );
  });
});
