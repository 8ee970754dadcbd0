/**
 * Runs code that is loaded when it is needed; without it, what it adds is missing.
 * @param run begins, and returns what ends it
 * @returns ends it, or prevents that it begins
 */
export function loadThen<Loaded>(
  load: () => Promise<Loaded>,
  run: (loaded: Loaded) => () => void,
): () => void {
  let closed = false;
  let end: (() => void) | undefined;
  void load()
    .then((loaded) => {
      if (!closed) end = run(loaded);
    })
    .catch(() => undefined);
  return () => {
    closed = true;
    end?.();
  };
}
