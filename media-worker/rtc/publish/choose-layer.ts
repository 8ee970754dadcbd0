/** One layer of a video track, as received. */
export interface LayerState {
  /** Width times height of its newest keyframe; 0 before the first. */
  readonly pixels: number;
  /** Time since its last frame, ms; Infinity before the first frame, and after the sender has ended the layer. */
  readonly silentMs: number;
  /** Time for which it has been sent without a pause, ms. */
  readonly steadyMs: number;
}

/**
 * A layer without frames for this much longer than another has paused. All layers of a still screen are silent together, so
 * the silence alone says nothing.
 */
export const PAUSED_MS = 1_500;
/** Time without a pause after which the stream changes to a larger layer: each change is a discontinuity for players. */
export const STEADY_MS = 5_000;

/**
 * Chooses the layer that becomes the source of the stream: the largest one that is being sent.
 * @param currentIndex index of the current layer; null before the first choice
 * @returns its index; `currentIndex` if no layer is being sent
 */
export function chooseLayer(layers: readonly LayerState[], currentIndex: number | null): number | null {
  const shortestSilenceMs = Math.min(...layers.map(({ silentMs }) => silentMs));
  if (!Number.isFinite(shortestSilenceMs)) return currentIndex;
  const isSent = ({ silentMs, pixels }: LayerState) => pixels > 0 && silentMs - shortestSilenceMs < PAUSED_MS;
  const findLargest = (accepts: (layer: LayerState) => boolean): number | null => {
    let largestIndex: number | null = null;
    for (const [index, layer] of layers.entries())
      if (accepts(layer) && (largestIndex === null || layer.pixels > (layers[largestIndex]?.pixels ?? 0)))
        largestIndex = index;
    return largestIndex;
  };
  const currentLayer = currentIndex === null ? undefined : layers[currentIndex];
  if (!currentLayer || !isSent(currentLayer)) return findLargest(isSent) ?? currentIndex;
  const isLargerAndSteady = (layer: LayerState) =>
    isSent(layer) && layer.pixels > currentLayer.pixels && layer.steadyMs >= STEADY_MS;
  return findLargest(isLargerAndSteady) ?? currentIndex;
}
