/** The prefix of an asset's file names, taken from its media playlist. */
export const tagIn = (playlist: string): string => /URI="([0-9a-f]{12}-)init\.mp4"/.exec(playlist)?.[1] ?? '';

/** The name with the tag, for a file such as `source/000001.m4s`. */
export const withTag = (tag: string, file: string): string =>
  file.replace(/(?=(?:init\.mp4|\d{6}\.m4s)$)/, tag);
