/**
 * Runs code that is loaded when it is needed; without it, what it adds is missing.
 * @param run begins, and returns what ends it
 * @returns ends it, or prevents that it begins
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
