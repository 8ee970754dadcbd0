/**
 * Loads the code of a feature and starts it. If loading fails, the page works without the feature.
 * @param run starts the feature and returns a function that stops it
 * @returns a function that stops the feature, or prevents its start
 */
export function loadThen<Loaded>(
  load: () => Promise<Loaded>,
  run: (module: Loaded) => () => void,
): () => void {
  let isClosed = false;
  let end: (() => void) | undefined;
  void load()
    .then((module) => {
      if (!isClosed) end = run(module);
    })
    .catch(() => undefined);
  return () => {
    isClosed = true;
    end?.();
  };
}
