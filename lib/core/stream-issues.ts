const mark = 'Hint: ';

/** An issue that may be as its owner wants it: it is told, and the stream is healthy all the same. */
export const hint = (sentence: string): string => `${mark}${sentence}`;

/** What `isHealthy` of a stream says of its `issues` while somebody publishes to it. */
export const healthyWith = (issues: readonly string[]): boolean =>
  issues.every((issue) => issue.startsWith(mark));
