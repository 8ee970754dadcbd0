/**
 * Loads the code of a feature and starts it. If loading fails, the page works without the feature.
 * @param start starts the feature and returns a function that stops it
 * @returns a function that stops the feature, or prevents its start
 */
export function loadThen<Loaded>(
  load: () => Promise<Loaded>,
  start: (module: Loaded) => () => void,
): () => void {
  let isStopped = false;
  let stop: (() => void) | undefined;
  void load()
    .then((module) => {
      if (!isStopped) stop = start(module);
    })
    .catch(() => undefined);
  return () => {
    isStopped = true;
    stop?.();
  };
}
