/**
 * Runs code that is loaded on demand; if loading fails, its feature is missing.
 * @param run starts the feature and returns a function that stops it
 * @returns a function that stops it, or prevents its start
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
