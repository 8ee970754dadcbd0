const mark = 'Hint: ';

/** An issue that may be intended: it is reported, but the stream stays healthy. */
export const hint = (sentence: string): string => `${mark}${sentence}`;

/** The connection to the encoder broke; the stream stays active while it may come back. */
export const reconnecting =
  'Reconnecting: the connection to the encoder was lost; the stream goes idle if it does not come back';

/** The issues that hold for a stream; an idle one waits for no encoder, also when its process died while it did. */
export const issuesNow = (issues: readonly string[], isActive: boolean): string[] | null => {
  const now = issues.filter((issue) => isActive || issue !== reconnecting);
  return now.length > 0 ? now : null;
};

/** `isHealthy` of a live stream, from its `issues`. */
export const healthyWith = (issues: readonly string[]): boolean =>
  issues.every((issue) => issue.startsWith(mark));
